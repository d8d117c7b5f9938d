/** What several panels are made of. */

import { hasMotion } from './app.js';
import { BoardView } from './boardview.js';
import { el } from './dom.js';
import { has, number, t } from './i18n.js';
import { Scrubber } from './scrubber.js';

/** A board and the scrubber that leads through the moves from it to a goal. */
export class PathView {
  /** `marks(board, at)` gives what is to be marked on the board; see BoardView. */
  constructor(boardPlace, scrubberPlace, app, { marks = () => ({}), onShow = () => {} } = {}) {
    this.app = app;
    this.marks = marks;
    this.goal = app.state.game.goal;
    this.view = new BoardView(boardPlace, { label: t('board.label') });
    const holder = el('div');
    scrubberPlace.append(holder);
    this.onShow = onShow;
    this.scrubber = new Scrubber(holder, {
      start: app.state.game.board,
      onShow: (board, at, { animate }) => this.draw(board, at, animate),
    });
    const off = app.on((state, before) => {
      if (!boardPlace.isConnected) off();
      else if (state.settings !== before.settings || state.picture !== before.picture) {
        this.scrubber.show(this.scrubber.at);
      }
    });
  }

  /** Shows a way; a better one from the same board is shown at the step that was reached. */
  follow(start, goal, moves, times) {
    const keep = start === this.scrubber.start && moves !== '';
    if (keep && moves === this.scrubber.moves) return;
    this.goal = goal;
    this.scrubber.load({ start, moves, times, keep });
  }

  draw(board, at, animate) {
    const looks = { ...this.app.look(this.goal), marks: this.marks(board, at) };
    this.view.draw(board, { ...looks, animate: hasMotion() && animate });
    this.onShow(board, at);
  }

  /** The moves up to the board that is shown. */
  made() {
    return this.scrubber.moves.slice(0, this.scrubber.at);
  }

  show(at) {
    this.scrubber.pause();
    this.scrubber.show(at);
  }

  pause() {
    this.scrubber.pause();
  }
}

/** A list of named figures. `set` takes {key: text}; those without a text show a dash. */
export function figures() {
  const element = el('dl', { class: 'figures' });
  const places = new Map();
  const place = (key) => {
    if (!places.has(key)) {
      const value = el('dd', { data: { figure: key } });
      element.append(el('div', {}, el('dt', {}, t(key)), value));
      places.set(key, value);
    }
    return places.get(key);
  };
  return {
    element,
    set(values) {
      for (const [key, text] of Object.entries(values)) {
        const cell = place(key);
        const shown = text ?? '–';
        if (cell.textContent !== shown) cell.textContent = shown;
      }
    },
  };
}

/** What a lower bound proves of an answer's length, in words. */
export function proofText(length, bound) {
  if (length === null || bound === null) return null;
  if (length === bound) return t('proof.optimal');
  if (!bound) return t('proof.none');
  const percent = Math.ceil((1000 * (length - bound)) / bound) / 10;
  return t('proof.within', { percent });
}

export function secondsText(seconds) {
  if (seconds > 0 && seconds < 0.1) {
    const milliseconds = number(1000 * seconds, { maximumSignificantDigits: 2 });
    return t('unit.milliseconds', { milliseconds });
  }
  const digits = seconds < 10 ? 2 : seconds < 100 ? 1 : 0;
  return t('unit.seconds', { seconds: number(seconds, { maximumFractionDigits: digits }) });
}

export function bytesText(bytes) {
  const [name, size] = [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]].find(([, unit]) => bytes >= unit) ?? ['B', 1];
  return `${number(bytes / size, { maximumSignificantDigits: 3 })} ${name}`;
}

/** A number with as many digits as one wants to read. */
export function plainNumber(value) {
  return number(value, value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}

/** What went wrong with a request, in words. */
export function problemText(error) {
  if (error.gone) return t('problem.gone');
  if (error.status === 429) return t('problem.busy', { seconds: error.retryAfter ?? 1 });
  return t('problem.other', { message: error.message });
}

/** The times that a run may be given, within what the server allows. */
export function timeLimits(app) {
  const most = app.state.server?.limits?.seconds ?? Infinity;
  const usual = [5, 10, 30, 60, 300, 1800].filter((seconds) => seconds <= most);
  return usual.length ? usual : [most];
}

/** The name of an algorithm or heuristic, as people write it. */
export function nameOf(name) {
  return has(`name.${name}`) ? t(`name.${name}`) : name;
}

/** Hands the user a file. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// --- algorithms and heuristics -------------------------------------------------------------------

const ALGORITHMS = [
  'bfs', 'dfs', 'iddfs', 'ucs', 'bidirectional', 'greedy', 'astar', 'wastar', 'idastar', 'rbfs', 'beam', 'mm',
];
const BLIND = new Set(['bfs', 'dfs', 'iddfs', 'ucs', 'bidirectional']);
const HEURISTICS = ['zero', 'misplaced', 'gaschnig', 'manhattan', 'linear-conflict', 'walking-distance'];

const named = (name) => [name, nameOf(name)];

/** The textbook algorithms and the heuristics: pairs of a name and its words, for a choice. */
export const algorithms = () => ALGORITHMS.map(named);
export const heuristics = () => HEURISTICS.map(named);

/** Whether an algorithm uses a heuristic. */
export const isInformed = (algorithm) => !BLIND.has(algorithm);
