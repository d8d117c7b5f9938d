/**
 * Board, goal and moves in the address, so that a copied link shows the same position, solution or
 * replay. They stand behind the #, which browsers don't send to anybody.
 *
 *     #board=8.6.7-2.5.4-3.0.1&goal=snail&moves=DDL                  a position
 *     #show=replay&board=…&moves=…&times=0.8m.4f                     a replay; or show=solution
 *
 * Times are the milliseconds from one move to the next, in base 36.
 */

import { app } from './app.js';
import { boardText, goalOf, goalText, readBoard, reaches, sameBoard, slide } from './board.js';

const LONGEST = 20_000; // characters that all browsers and most messengers carry
const pack = (text) => text.replaceAll(' ', '.').replaceAll('/', '-');
const unpack = (text) => text.replaceAll('.', ' ').replaceAll('-', '/');

/** What stands behind the # for a subject: {kind, start, goal, moves, times}. */
export function writeAddress({ kind = 'position', start, goal, moves = '', times }) {
  const parts = [];
  if (kind !== 'position') parts.push(`show=${kind}`);
  parts.push(`board=${pack(boardText(start))}`);
  const name = goalText(goal);
  if (name !== 'blank-last') parts.push(`goal=${/^\d/.test(name) ? pack(name) : name}`);
  if (moves) parts.push(`moves=${moves}`);
  if (kind === 'replay' && times?.length) parts.push(`times=${packTimes(times)}`);
  return `#${parts.join('&')}`;
}

const packTimes = (times) =>
  times.map((time, i) => Math.round(time - (times[i - 1] ?? 0)).toString(36)).join('.');

function unpackTimes(text) {
  let time = 0;
  return text.split('.').map((part) => (time += parseInt(part, 36)));
}

/** The subject that an address means; null if it means none, or one that can't be. */
export function readAddress(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const start = readBoard(unpack(values.get('board') ?? ''));
  if (!start || Math.min(start.rows, start.cols) < 2) return null;
  const named = values.get('goal') ?? 'blank-last';
  const goal = goalOf(/^\d/.test(named) ? unpack(named) : named, start);
  const moves = (values.get('moves') ?? '').toUpperCase();
  if (!goal || !reaches(start, goal) || !slide(start, moves)) return null;
  const kind = ['solution', 'replay'].includes(values.get('show')) ? values.get('show') : 'position';
  const times = values.has('times') ? unpackTimes(values.get('times')) : undefined;
  const isTimed = times?.length === moves.length && times.every((time) => time >= 0);
  return { kind, start, goal, moves, times: isTimed ? times : undefined };
}

export const sameGame = (game, link) =>
  sameBoard(game.start, link.start) && sameBoard(game.goal, link.goal) && game.moves === link.moves;

/** A link to a subject; null if it would be too long to be passed on. */
export function linkTo(subject) {
  const link = location.href.replace(/#.*/, '') + writeAddress(subject);
  return link.length > LONGEST ? null : link;
}

/** Keeps the address up to date with the game, and calls back with what the user enters there. */
export function followAddress(onLink) {
  let timer = null;
  // Browsers allow few changes of the address in a row, and players are quick.
  const write = () => {
    timer = null;
    const { start, goal, moves } = app.state.game;
    const address = writeAddress({ start, goal, moves });
    const fits = address.length <= LONGEST ? address : writeAddress({ start, goal });
    if (fits !== location.hash) history.replaceState(null, '', fits);
  };
  app.on((state, before) => {
    if (state.game !== before.game) timer ??= setTimeout(write, 400);
  });
  write();
  window.addEventListener('hashchange', () => {
    const link = readAddress(location.hash);
    if (link) onLink(link);
  });
}
