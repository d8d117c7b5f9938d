/**
 * What a heuristic says of a board, tile by tile: marks for the board, and the sum in words. The
 * values come from the server, which alone knows the heuristics.
 */

import * as api from './api.js';
import { boardText } from './board.js';
import { el } from './dom.js';
import { number, t } from './i18n.js';
import { nameOf } from './panelparts.js';

/** A board that is passed by quicker than this is not explained. */
const PAUSE = 90;

const MOST_KEPT = 500;

export class Explanation {
  /** onChange(marks) is called with what is to be marked on the board. */
  constructor(element, onChange) {
    this.element = element;
    this.onChange = onChange;
    this.known = new Map();
    this.wanted = null;
    this.timer = null;
  }

  /** Explains a board, at once if it was asked for before. */
  of(board, goal, heuristic) {
    const key = [boardText(board), boardText(goal), heuristic].join(';');
    if (key === this.wanted) return;
    this.wanted = key;
    clearTimeout(this.timer);
    if (this.known.has(key)) {
      this.draw(this.known.get(key));
      return;
    }
    this.draw(null);
    this.timer = setTimeout(() => this.fetch(key, board, goal, heuristic), PAUSE);
  }

  async fetch(key, board, goal, heuristic) {
    let told;
    try {
      told = await api.explain(board, goal, heuristic);
    } catch {
      // The board is shown without it; the run itself tells when the server is gone.
      return;
    }
    this.known.set(key, told);
    if (this.known.size > MOST_KEPT) this.known.delete(this.known.keys().next().value);
    if (this.wanted === key) this.draw(told);
  }

  draw(told) {
    this.onChange(told ? marksOf(told) : {});
    this.element.ariaBusy = String(told === null);
    if (told) this.element.replaceChildren(...sentences(told));
  }
}

/** A badge with its share for each tile; those that are in each other's way are marked. */
function marksOf({ parts }) {
  const marks = {};
  for (const { tiles, value } of parts.filter(isTile)) {
    if (value) marks[tiles[0]] = { kind: 'note', text: number(value) };
  }
  for (const part of parts.filter((part) => !isTile(part))) {
    for (const tile of part.tiles) {
      const text = marks[tile]?.text ?? '';
      marks[tile] = { kind: 'conflict', text: `${text}!`, label: partWords(part) };
    }
  }
  return marks;
}

const isTile = (part) => /^tile \d/.test(part.name);

function sentences({ heuristic, total, parts }) {
  const tiles = parts.filter((part) => isTile(part) && part.value);
  const others = parts.filter((part) => !isTile(part) && part.value);
  const sum = [...tiles, ...others].map((part) => number(part.value)).join(' + ');
  const head = el(
    'p',
    {},
    el('strong', {}, t('explain.total', { name: nameOf(heuristic), total })),
    sum.includes('+') ? ` = ${sum}` : '',
  );
  return [
    head,
    tiles.length ? el('p', { class: 'note' }, t(`explain.${heuristic}`)) : null,
    others.length ? el('ul', {}, others.map((part) => el('li', {}, partWords(part)))) : null,
  ].filter(Boolean);
}

/** A share that belongs to more than a tile, such as `row 2`, `cycle 3 blank 5` or `columns`. */
function partWords({ name, value, tiles }) {
  const [kind, line] = name.split(' ');
  return t(`explain.part.${kind}`, { line: line ?? '', value, n: tiles.length, tiles: tiles.join(', ') });
}
