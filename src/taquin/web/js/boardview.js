/**
 * A board on the page. Below, tiles that slide; above, cells that are invisible but take the pointer
 * and are a grid to screen readers. It knows nothing of games: it is told what to show.
 *
 *     const view = new BoardView(element);
 *     view.draw(board, {goal, scheme: 'rows', marks: {5: {kind: 'next', text: '←'}}});
 */

import { homes, placeOf } from './board.js';
import { hues } from './colours.js';
import { el, setStyle } from './dom.js';
import { t } from './i18n.js';

const SPARKS = 28;

export class BoardView {
  /**
   * `label` names the board to screen readers; `still` makes it a picture instead of a grid, for small
   * boards among many.
   */
  constructor(element, { label, still = false } = {}) {
    this.element = element;
    this.still = still;
    element.classList.add('board');
    element.setAttribute('role', still ? 'img' : 'grid');
    if (label) element.setAttribute('aria-label', label);
    this.named = Boolean(label);
    this.board = null;
  }

  /**
   * Shows a board.
   *
   *     goal      whose places and colours tiles have
   *     scheme    'plain', 'rows' or 'fringe'
   *     numbers   false to hide them
   *     picture   {url, ratio}: on the tiles, as if the goal were the whole picture
   *     marks     by tile: {kind, text}; kind is a class ('next', 'conflict', 'note'), text a badge
   *     animate   false to jump; a number for so many milliseconds
   *     covered   true to hide what is on the tiles, as in a pause
   */
  draw(board, options = {}) {
    const { goal = board, scheme = 'plain', numbers = true, picture = null } = options;
    const { marks = {}, animate = true, covered = false } = options;
    const isNew = this.shape !== `${board.rows}×${board.cols}`;
    if (isNew) this.build(board);
    this.element.classList.toggle('jumps', isNew || animate === false);
    this.element.classList.toggle('covered', covered);
    this.element.classList.toggle('numberless', !numbers);
    this.element.style.setProperty('--slide', typeof animate === 'number' ? `${animate}ms` : '');
    this.dress(goal, scheme, picture);
    board.tiles.forEach((tile, cell) => {
      if (tile) this.place(tile, cell, goal, marks[tile]);
      if (!this.still) this.label(tile, cell, goal, marks[tile], covered);
    });
    if (this.still && !this.named) this.element.setAttribute('aria-label', boardWords(board));
    this.board = board;
  }

  build(board) {
    this.shape = `${board.rows}×${board.cols}`;
    this.dressed = null;
    setStyle(this.element, { '--rows': board.rows, '--cols': board.cols });
    this.tiles = [];
    for (let tile = 1; tile < board.tiles.length; tile++) {
      const number = el('span', { class: 'number' }, String(tile));
      const face = el('div', { class: 'face', data: { digits: String(tile).length } }, number);
      this.tiles[tile] = el('div', { class: 'tile', data: { tile } }, face);
    }
    const tray = el('div', { class: 'tray', 'aria-hidden': 'true' }, this.tiles.slice(1));
    this.cells = board.tiles.map((_, cell) => el('div', { class: 'cell', role: 'gridcell', data: { cell } }));
    const rows = Array.from({ length: board.rows }, (_, row) =>
      el('div', { role: 'row' }, this.cells.slice(row * board.cols, (row + 1) * board.cols)),
    );
    const cells = el('div', { class: 'cells', role: 'presentation' }, rows);
    this.element.replaceChildren(tray, ...(this.still ? [] : [cells]));
  }

  /** Hue and piece of picture of each tile, which stay the same from move to move. */
  dress(goal, scheme, picture) {
    const dress = { goal, scheme, picture };
    if (this.dressed && Object.keys(dress).every((key) => this.dressed[key] === dress[key])) return;
    this.dressed = dress;
    this.element.dataset.scheme = scheme;
    this.element.classList.toggle('pictured', Boolean(picture));
    const hue = hues(goal, scheme);
    const home = homes(goal);
    this.element.style.setProperty('--picture', picture ? `url("${picture.url}")` : 'none');
    this.tiles.forEach((element, tile) => {
      const [row, col] = placeOf(goal, home[tile]);
      setStyle(element, { '--hue': hue[tile] ?? 0, '--home-row': row, '--home-col': col });
    });
    if (picture) this.fit(goal, picture.ratio);
  }

  /** The picture covers the goal, its middle in the middle: one side is as long, the other longer. */
  fit(goal, ratio) {
    const wanted = goal.cols / goal.rows;
    const wide = ratio > wanted ? goal.rows * ratio : goal.cols;
    const high = ratio > wanted ? goal.rows : goal.cols / ratio;
    setStyle(this.element, {
      '--wide': wide,
      '--high': high,
      '--left': (wide - goal.cols) / 2,
      '--top-edge': (high - goal.rows) / 2,
    });
  }

  place(tile, cell, goal, mark) {
    const element = this.tiles[tile];
    const cols = goal.cols;
    setStyle(element, { '--row': Math.floor(cell / cols), '--col': cell % cols });
    element.classList.toggle('home', goal.tiles[cell] === tile);
    if (element.dataset.mark !== (mark?.kind ?? '')) element.dataset.mark = mark?.kind ?? '';
    const badge = element.querySelector('.badge');
    if (mark?.text === undefined) badge?.remove();
    else if (badge) badge.textContent = mark.text;
    else element.firstChild.append(el('span', { class: 'badge' }, mark.text));
  }

  label(tile, cell, goal, mark, covered) {
    const words = covered ? t('board.covered') : cellWords(tile, goal.tiles[cell] === tile, mark);
    if (this.cells[cell].getAttribute('aria-label') !== words) {
      this.cells[cell].setAttribute('aria-label', words);
    }
  }

  // --- for those who move tiles

  /** The cell at a place on the screen, or -1. */
  cellAt(x, y) {
    const box = this.element.querySelector('.tray').getBoundingClientRect();
    const row = Math.floor(((y - box.top) / box.height) * this.board.rows);
    const col = Math.floor(((x - box.left) / box.width) * this.board.cols);
    const inside = row >= 0 && row < this.board.rows && col >= 0 && col < this.board.cols;
    return inside ? row * this.board.cols + col : -1;
  }

  /** The side of a cell on the screen. */
  get cellSize() {
    return this.element.querySelector('.tray').getBoundingClientRect().width / this.board.cols;
  }

  /** Shows tiles off their places, by parts of a cell, while they are dragged. */
  shift(tiles, right, down) {
    for (const tile of tiles) {
      this.tiles[tile].classList.add('held');
      setStyle(this.tiles[tile], { '--right': right, '--down': down });
    }
  }

  /** Lets them go: they slide to wherever they were drawn last. */
  release() {
    for (const element of this.element.querySelectorAll('.held')) {
      element.classList.remove('held');
      setStyle(element, { '--right': 0, '--down': 0 });
    }
  }

  /** A wave through the tiles, from where the goal begins, and chips that fly. */
  celebrate() {
    const easing = 'cubic-bezier(.3,1.6,.5,1)';
    const wave = [
      { transform: 'none' },
      { transform: 'translateY(-14%) scale(1.06) rotate(-2deg)', offset: 0.35 },
      { transform: 'none' },
    ];
    this.board.tiles.forEach((tile, cell) => {
      const [row, col] = placeOf(this.board, cell);
      if (tile) this.tiles[tile].firstChild.animate(wave, { duration: 520, delay: 45 * (row + col), easing });
    });
    for (let number = 0; number < SPARKS; number++) this.spark(number);
  }

  spark(number) {
    const chip = el('div', { class: 'spark', style: { '--hue': 25 + (285 * number) / SPARKS } });
    this.element.append(chip);
    const angle = (2 * Math.PI * number) / SPARKS + Math.random();
    const reach = (0.35 + 0.3 * Math.random()) * this.element.clientWidth;
    const [x, y] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
    const flight = [
      { transform: 'translate(-50%, -50%) scale(0)', opacity: 1 },
      { transform: `translate(${x}px, ${y}px) rotate(${200 * Math.random()}deg)`, opacity: 1, offset: 0.6 },
      { transform: `translate(${1.1 * x}px, ${y + 90}px) rotate(${400 * Math.random()}deg)`, opacity: 0 },
    ];
    const timing = { duration: 1300, delay: 250, easing: 'ease-out', fill: 'both' };
    chip.animate(flight, timing).onfinish = () => chip.remove();
  }
}

function cellWords(tile, isHome, mark) {
  if (!tile) return t('board.blank');
  const words = isHome ? t('board.home', { tile: String(tile) }) : t('board.tile', { tile: String(tile) });
  return mark?.text === undefined ? words : `${words}, ${mark.label ?? mark.text}`;
}

/** A board in words, for those who can't see it. */
export function boardWords(board) {
  const rows = [];
  for (let row = 0; row < board.rows; row++) {
    rows.push(board.tiles.slice(row * board.cols, (row + 1) * board.cols).join(' '));
  }
  return t('board.picture', { rows: String(board.rows), cols: String(board.cols), tiles: rows.join(', ') });
}
