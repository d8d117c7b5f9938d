/** How fingers, mouse and keys become moves. */

import { blankOf, placeOf, runTo } from './board.js';

const SLACK = 7; // pixels that a click may wander
const FLICK = 0.35; // pixels in a millisecond: let go so fast, a tile goes on
const ENOUGH = 0.4; // parts of a cell: dragged so far, a tile goes on
const SWIPE = 24; // pixels
const AXIS = { U: 'y', D: 'y', L: 'x', R: 'x' };
const SIGN = { U: -1, D: 1, L: -1, R: 1 };

/**
 * Tiles of a view follow the pointer. A click, a tap or a drag slides the run between a tile and the
 * blank; a swipe anywhere on the board slides the tile that can go that way. `onMoves(moves)` gets
 * the moves, `isOpen()` says whether any are wanted.
 */
export function followPointer(view, { onMoves, isOpen }) {
  const board = view.element;
  let grip = null;

  board.addEventListener('pointerdown', (event) => {
    if (grip || event.button !== 0 || !event.isPrimary || !isOpen()) return;
    const cell = view.cellAt(event.clientX, event.clientY);
    if (cell < 0) return;
    grip = { ...takeHold(view, cell), id: event.pointerId, x: event.clientX, y: event.clientY };
    grip.last = { at: event.timeStamp, offset: 0 };
    board.setPointerCapture(event.pointerId);
  });

  board.addEventListener('pointermove', (event) => {
    if (event.pointerId !== grip?.id) return;
    const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.axis && Math.hypot(x, y) > SLACK) grip.axis = Math.abs(x) > Math.abs(y) ? 'x' : 'y';
    if (grip.axis && grip.axis === grip.along) drag(view, grip, grip.axis === 'x' ? x : y, event.timeStamp);
  });

  board.addEventListener('pointerup', (event) => {
    if (event.pointerId !== grip?.id) return;
    const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
    const moves = isOpen() ? movesOf(grip, x, y) : '';
    grip = null;
    view.release();
    if (moves) onMoves(moves);
  });

  board.addEventListener('pointercancel', () => {
    grip = null;
    view.release();
  });
}

/** The run of tiles that a finger on a cell holds, and which way it can go. */
function takeHold(view, cell) {
  const run = runTo(view.board, cell);
  if (!run) return { run, tiles: [] };
  const step = run[0];
  const [row, col] = placeOf(view.board, cell);
  const [blankRow, blankCol] = placeOf(view.board, blankOf(view.board));
  const tiles = view.board.tiles.filter((tile, i) => {
    const [r, c] = placeOf(view.board, i);
    const between = (a, x, b) => (a - x) * (x - b) >= 0;
    return tile && between(row, r, blankRow) && between(col, c, blankCol);
  });
  return { run, tiles, step, along: AXIS[step], sign: SIGN[step], size: view.cellSize };
}

function drag(view, grip, distance, time) {
  grip.offset = Math.max(0, Math.min(1, (distance * grip.sign) / grip.size));
  if (time > grip.last.at + 16) {
    grip.speed = ((grip.offset - grip.last.offset) * grip.size) / (time - grip.last.at);
    grip.last = { at: time, offset: grip.offset };
  }
  const shift = grip.offset * grip.sign;
  view.shift(grip.tiles, grip.axis === 'x' ? shift : 0, grip.axis === 'y' ? shift : 0);
}

function movesOf(grip, x, y) {
  if (!grip.axis) return grip.run;
  const distance = grip.axis === 'x' ? x : y;
  if (grip.axis === grip.along && distance * grip.sign > 0) {
    return grip.offset > ENOUGH || grip.speed > FLICK ? grip.run : '';
  }
  if (Math.abs(distance) < SWIPE) return '';
  return grip.axis === 'x' ? (x > 0 ? 'R' : 'L') : y > 0 ? 'D' : 'U';
}

const KEYS = {
  ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R',
  KeyW: 'U', KeyS: 'D', KeyA: 'L', KeyD: 'R',
};

/** The direction that a key means, or undefined. Letters go by their place on the keyboard. */
export function directionOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return KEYS[event.key] ?? KEYS[event.code];
}

/** Whether keys belong to what has the focus: it takes text, or arrows mean something to it. */
export function isTaken(element) {
  return Boolean(element?.closest('input, select, textarea, dialog, [role=listbox], [role=tablist]'));
}
