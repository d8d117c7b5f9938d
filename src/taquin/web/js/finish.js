/**
 * Finished games go to the records. While the server is gone they wait in the browser, so none is lost.
 */

import * as api from './api.js';
import { app, keep, kept } from './app.js';
import { boardText } from './board.js';
import { isFinished, isSolved, isStarted } from './game.js';

const WAITING = 'taquin.waiting';

/** Records every game of the player's own, once, as it ends. */
export function watchForFinish() {
  app.on(({ game }, before) => {
    const ended = game !== before.game && isFinished(game) && !isFinished(before.game);
    const isSame = game.start === before.game.start && game.goal === before.game.goal;
    if (!ended || !isSame || !game.own || !isStarted(game)) return;
    keep(WAITING, [...waiting(), recordOf(game)]);
    sendRecords();
  });
}

function recordOf(game) {
  return {
    board: boardText(game.start),
    goal: boardText(game.goal),
    moves: game.moves,
    times: game.times.map((time) => time / 1000),
    seconds: game.elapsed / 1000,
    hints: game.hints,
    given_up: !isSolved(game),
    finished_at: new Date().toISOString(),
  };
}

const waiting = () => kept(WAITING) ?? [];

let sending = false;

/** Hands over what waits; what the server refuses would be refused for ever, so it is let go. */
export async function sendRecords() {
  if (sending || app.state.server?.records === false) return;
  sending = true;
  try {
    while (waiting().length) {
      await api.records.add(waiting()[0]).catch((error) => {
        if (error.gone || error.status >= 500 || error.status === 429) throw error;
      });
      keep(WAITING, waiting().slice(1));
    }
  } catch {
    // They wait until the server is back.
  } finally {
    sending = false;
  }
}
