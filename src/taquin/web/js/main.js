/** The page begins: language, what the link says or the browser kept, the shell, the server. */

import * as api from './api.js';
import { app, keep, kept } from './app.js';
import { GOALS } from './board.js';
import { gameAfter, newGame } from './game.js';
import { languageFor, useLanguage } from './i18n.js';
import { newSeed, randomBoard } from './random.js';
import { sendRecords, watchForFinish } from './finish.js';
import { followAddress, readAddress, sameGame } from './share.js';
import { buildShell } from './shell.js';
import { applyTheme } from './theme.js';

const GAME = 'taquin.game';
const PATIENCE = 4000; // milliseconds between two looks whether the server is back

applyTheme();
await useLanguage(app.state.settings.language);
startGame();
buildShell();
followAddress(applyLink);
watchForFinish();
keepGame();
connect();

app.on((state, before) => {
  const { language } = state.settings;
  if (languageFor(language) !== languageFor(before.settings.language)) {
    useLanguage(language).then(buildShell);
  }
});

/** What the address says, else what the browser kept, else a new board. */
function startGame() {
  const link = readAddress(location.hash);
  const saved = savedGame();
  if (link?.kind === 'position') {
    const isSaved = saved && sameGame(saved, link);
    app.set({ game: isSaved ? saved : gameAfter(link.start, link.goal, link.moves) });
    app.adopt();
  } else if (saved) app.set({ game: saved });
  else app.set({ game: freshGame() });
  if (link && link.kind !== 'position') queueMicrotask(() => app.view(link));
}

function applyLink(link) {
  if (link.kind !== 'position') app.view(link);
  else if (!sameGame(app.state.game, link)) {
    app.set({ game: gameAfter(link.start, link.goal, link.moves) });
    app.adopt();
    app.open('play');
  }
}

function freshGame() {
  const { rows, cols, goal } = app.state.settings;
  const seed = newSeed();
  const name = Object.hasOwn(GOALS, goal) ? goal : 'blank-last';
  return newGame(randomBoard(rows, cols, name, seed), GOALS[name](rows, cols), seed);
}

/** The game that was kept; its clock stands until the next move. */
function savedGame() {
  const saved = kept(GAME);
  try {
    const known = gameAfter(saved.start, saved.goal, saved.moves);
    return known && { ...saved, board: known.board, since: null };
  } catch {
    return null; // nothing was kept, or by another version of the page
  }
}

function keepGame() {
  app.on((state, before) => {
    if (state.game === before.game) return;
    const { board, since, ...rest } = state.game;
    keep(GAME, { ...rest, elapsed: app.elapsed() });
  });
}

/** Finds out what the server can do, and goes on looking for it while it is gone. */
async function connect() {
  let timer = null;
  const look = async () => {
    timer = null;
    try {
      app.set({ server: await api.options() });
      sendRecords();
    } catch {
      miss();
    }
  };
  const miss = () => {
    if (app.state.server !== false) app.set({ server: false });
    timer ??= setTimeout(look, PATIENCE);
  };
  api.watchServer((there) => {
    if (!there) miss();
    else if (app.state.server === false) timer ??= setTimeout(look, 0);
  });
  await look();
}
