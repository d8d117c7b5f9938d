/**
 * The page's one store: state → pure change → redraw.
 *
 * State (`app.state`; replaced as a whole by every change, never changed in place)
 *
 *     game      the game being played, as game.js describes it: {start, board, goal, moves, …}
 *     tab       the panel that is shown: 'play' 'solve' 'watch' 'compare' 'records'
 *     settings  what the user chose and the browser keeps: {theme, scheme, motion, numbers, direction,
 *               language, rows, cols, goal}
 *     picture   {url, ratio} of the picture on the tiles, or null; never leaves the browser
 *     marks     what BoardView.draw puts on the tiles of the game, such as the next moves of a hint
 *     server    null: not asked yet; false: gone; otherwise what GET /api/options answered
 *
 * Watching:  `app.on((state, before) => …)` is called after each change and returns a function that
 *            ends it. Compare what you need: `if (state.game.board !== before.game.board) …`.
 *            Boards are values that are never changed, so `!==` is enough to see a move.
 *
 * Changing:  `app.set({…})` merges. For games: `app.begin(start, goal, {seed})`, `app.make('LLU')`,
 *            `app.undo()`, `app.redo()`, `app.restart()`, `app.pause()`, `app.resume()`,
 *            `app.giveUp()`, `app.countHint()`. They do nothing where nothing can be done.
 *            `app.configure({scheme: 'rows'})` changes settings and keeps them.
 *
 * The shell: `app.open('solve', wish)` shows a panel; `app.say(text)` tells screen readers;
 *            `app.tell(text, {words, act})` shows a message for a few seconds and says it, perhaps
 *            with a button;
 *            `app.share({kind, start, goal, moves, times})` opens the dialog with link and export,
 *            `app.view({…the same})` shows a solution or a replay with board and scrubber;
 *            kind is 'position', 'solution' or 'replay'; times are milliseconds, or left out.
 *            `app.look(goal?)` gives what BoardView.draw wants to draw like the rest of the page.
 *
 * A panel    is a module in js/ with   export function mount(element, app)   that draws only inside
 *            its element. It is imported when its tab is first opened. It may return
 *            {show(wish), hide()}: called whenever its tab is opened (with what was handed to
 *            `app.open`, or undefined) and left. Solve is opened with {run: true, start, goal} to
 *            solve at once (after "Give up"). Hint (hint.js) is mounted the same way, in a place of
 *            its own in the panel Play. When the language changes all panels are mounted anew, in
 *            empty elements; `element.isConnected` tells whether one is still there.
 *
 * Layout     for panels with a board:  .split > .stage > .board   and   .split > .side > .card …
 *            The stage gives the board all the room that is left; the side scrolls if it must.
 *            Words come from t('key'), elements from el(…) in dom.js, the server through api.js.
 *            CSS variables for colours are at the top of style.css.
 */

import { SIZES, goalName } from './board.js';
import * as game from './game.js';
import { t } from './i18n.js';

const SETTINGS = 'taquin.settings';

const DEFAULTS = Object.freeze({
  theme: 'auto',
  scheme: 'plain',
  motion: 'auto',
  numbers: true,
  direction: 'tile',
  language: 'auto',
  rows: 4,
  cols: 4,
  goal: 'blank-last',
});

const watchers = new Set();
const now = () => performance.now();

export const app = {
  state: Object.freeze({
    game: null,
    tab: 'play',
    settings: Object.freeze({ ...DEFAULTS, ...kept(SETTINGS) }),
    picture: null,
    marks: {},
    server: null,
  }),

  set(change) {
    const before = this.state;
    this.state = Object.freeze({ ...before, ...change });
    for (const watcher of [...watchers]) watcher(this.state, before);
  },

  on(watcher) {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },

  configure(change) {
    const settings = Object.freeze({ ...this.state.settings, ...change });
    keep(SETTINGS, settings);
    this.set({ settings });
  },

  // --- the game

  begin(start, goal, { seed = null } = {}) {
    this.leave(game.newGame(start, goal, seed));
    this.adopt();
  },
  /** New boards are drawn of the size and goal that are played now, if such can be chosen. */
  adopt() {
    const { start, goal } = this.state.game;
    const { rows, cols } = start;
    if (!SIZES.includes(rows) || !SIZES.includes(cols)) return;
    this.configure({ rows, cols, goal: goalName(goal) ?? this.state.settings.goal });
  },
  make(moves) {
    return this.change(game.make(this.state.game, moves, now()));
  },
  undo(steps = 1) {
    return this.change(game.undo(this.state.game, steps, now()));
  },
  redo(steps = 1) {
    return this.change(game.redo(this.state.game, steps, now()));
  },
  restart() {
    this.leave(game.restart(this.state.game));
  },
  pause() {
    return this.change(game.pause(this.state.game, now()));
  },
  resume() {
    return this.change(game.resume(this.state.game, now()));
  },
  giveUp() {
    return this.change(game.giveUp(this.state.game, now()));
  },
  countHint() {
    return this.change(game.countHint(this.state.game));
  },
  /** Milliseconds on the clock of the game. */
  elapsed() {
    return game.elapsed(this.state.game, now());
  },
  /** Begins another game; one that was under way can be taken up again for a while. */
  leave(next) {
    const left = game.pause(this.state.game, now());
    this.set({ game: next });
    if (left.paused && left.moves.length > 3) {
      this.tell(t('play.left'), { words: t('play.return'), act: () => this.set({ game: left }) });
    }
  },
  /** Whether anything changed. */
  change(next) {
    if (next === this.state.game) return false;
    this.set({ game: next });
    return true;
  },

  /** How boards are drawn all over the page. */
  look(goal = this.state.game.goal) {
    const { settings, picture } = this.state;
    return { goal, scheme: settings.scheme, numbers: settings.numbers || !picture, picture };
  },

  // The shell puts its own in the place of these when it starts.
  open() {},
  say() {},
  tell() {},
  share() {},
  view() {},
};

/** Whether things shall move: by the setting, or else by what the system asks for. */
export function hasMotion() {
  const { motion } = app.state.settings;
  if (motion !== 'auto') return motion === 'on';
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

// --- what the browser keeps ----------------------------------------------------------------------

/** A value kept under a name; undefined if there is none or the browser keeps nothing. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Private windows keep nothing; the page works without.
  }
}
