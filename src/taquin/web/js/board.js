/**
 * Boards as values, and how tiles slide. This is all the page knows of the puzzle's rules.
 *
 * A board is {rows, cols, tiles}: tiles in reading order, 0 is the blank. Nothing here changes one.
 * A move is one of the letters U D L R: the direction in which the *tile* slides.
 */

/** Rows and columns of boards that can be drawn; others can be entered. */
export const SIZES = Array.from({ length: 9 }, (_, i) => i + 2);

export const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** From the blank, where the tile comes from that a move slides. */
const SOURCE = { U: [1, 0], D: [-1, 0], L: [0, 1], R: [0, -1] };

export function makeBoard(rows, cols, tiles) {
  return Object.freeze({ rows, cols, tiles: Object.freeze([...tiles]) });
}

/** As the server writes it: rows between slashes. */
export function boardText(board) {
  const rows = Array.from({ length: board.rows }, (_, row) =>
    board.tiles.slice(row * board.cols, (row + 1) * board.cols).join(' '),
  );
  return rows.join('/');
}

/** The board that such a text means, or null; lines may stand for slashes, `_` and `.` for 0. */
export function readBoard(text) {
  const lines = text.trim().split(/[\n/]/);
  const rows = lines.map((line) => line.trim().split(/[\s,;]+/).filter(Boolean));
  const words = rows.flat();
  if (!words.every((word) => /^(\d{1,6}|[_.])$/.test(word))) return null;
  const tiles = words.map((word) => (/\d/.test(word) ? Number(word) : 0));
  const isWhole = rows.every((row) => row.length === rows[0].length) && tiles.length > 1;
  const sorted = [...tiles].sort((a, b) => a - b);
  if (!isWhole || sorted.some((tile, number) => tile !== number)) return null;
  return makeBoard(rows.length, rows[0].length, tiles);
}

export function sameBoard(a, b) {
  return (
    a === b ||
    (a.rows === b.rows && a.cols === b.cols && a.tiles.every((tile, i) => tile === b.tiles[i]))
  );
}

export const blankOf = (board) => board.tiles.indexOf(0);
export const placeOf = (board, cell) => [Math.floor(cell / board.cols), cell % board.cols];

/** The cell of the tile that a move would slide, or -1 if it can't be made. */
export function sourceOf(board, move, blank = blankOf(board)) {
  const [row, col] = placeOf(board, blank);
  const [down, right] = SOURCE[move];
  const [fromRow, fromCol] = [row + down, col + right];
  const inside = fromRow >= 0 && fromRow < board.rows && fromCol >= 0 && fromCol < board.cols;
  return inside ? fromRow * board.cols + fromCol : -1;
}

export const legalMoves = (board) => [...'UDLR'].filter((move) => sourceOf(board, move) >= 0);

/** The board after sliding tiles; null if one of the moves can't be made. */
export function slide(board, moves) {
  const tiles = [...board.tiles];
  let blank = tiles.indexOf(0);
  for (const move of moves) {
    const from = move in SOURCE ? sourceOf(board, move, blank) : -1;
    if (from < 0) return null;
    tiles[blank] = tiles[from];
    tiles[from] = 0;
    blank = from;
  }
  return makeBoard(board.rows, board.cols, tiles);
}

/** The moves that slide what is in a cell, and all between it and the blank; '' if none do. */
export function runTo(board, cell) {
  const [row, col] = placeOf(board, cell);
  const [blankRow, blankCol] = placeOf(board, blankOf(board));
  if (row === blankRow) return (col > blankCol ? 'L' : 'R').repeat(Math.abs(col - blankCol));
  if (col === blankCol) return (row > blankRow ? 'U' : 'D').repeat(Math.abs(row - blankRow));
  return '';
}

/** The moves in one direction until the blank reaches the side. */
export function runAlong(board, move) {
  let run = '';
  let now = board;
  while ((now = slide(now, move))) run += move;
  return run;
}

/** The tile that each move slides. */
export function tilesMoved(board, moves) {
  const tiles = [...board.tiles];
  let blank = tiles.indexOf(0);
  return [...moves].map((move) => {
    const from = sourceOf(board, move, blank);
    const tile = tiles[from];
    tiles[blank] = tile;
    tiles[from] = 0;
    blank = from;
    return tile;
  });
}

export const reverse = (moves) => [...moves].reverse().map((move) => OPPOSITE[move]).join('');

/** The board with two tiles exchanged, which no slide can do. */
export function exchange(board, a, b) {
  const swap = new Map([[a, b], [b, a]]);
  return makeBoard(board.rows, board.cols, board.tiles.map((tile) => swap.get(tile) ?? tile));
}

/** Whether slides lead from one board to the other; `taquin.parity` tells why. */
export function reaches(board, goal) {
  if (Math.min(board.rows, board.cols) === 1) {
    const order = (it) => it.tiles.filter(Boolean).join();
    return order(board) === order(goal);
  }
  const [row, col] = placeOf(board, blankOf(board));
  const [goalRow, goalCol] = placeOf(goal, blankOf(goal));
  const distance = Math.abs(row - goalRow) + Math.abs(col - goalCol);
  return exchangesBetween(board, goal) % 2 === distance % 2;
}

function exchangesBetween(board, goal) {
  const home = homes(goal);
  const left = board.tiles.map((tile) => home[tile]);
  let count = 0;
  for (let cell = 0; cell < left.length; cell++) {
    while (left[cell] !== cell) {
      const other = left[cell];
      left[cell] = left[other];
      left[other] = other;
      count++;
    }
  }
  return count;
}

/** For each tile, its cell. */
export function homes(board) {
  const home = [];
  board.tiles.forEach((tile, cell) => (home[tile] = cell));
  return home;
}

// --- goals --------------------------------------------------------------------------------------

const counted = (rows, cols, tileOf) =>
  makeBoard(rows, cols, Array.from({ length: rows * cols }, (_, cell) => tileOf(cell)));

function columnMajor(rows, cols) {
  const last = rows * cols - 1;
  return counted(rows, cols, (cell) =>
    cell === last ? 0 : Math.floor(cell / cols) + rows * (cell % cols) + 1,
  );
}

function snail(rows, cols) {
  const tiles = new Array(rows * cols).fill(0);
  let [row, col, down, right] = [0, 0, 0, 1];
  const isFree = (r, c) => r >= 0 && r < rows && c >= 0 && c < cols && !tiles[r * cols + c];
  for (let tile = 1; tile < rows * cols; tile++) {
    tiles[row * cols + col] = tile;
    if (!isFree(row + down, col + right)) [down, right] = [right, -down];
    row += down;
    col += right;
  }
  return makeBoard(rows, cols, tiles);
}

export const GOALS = {
  'blank-last': (rows, cols) => counted(rows, cols, (cell) => (cell + 1) % (rows * cols)),
  'blank-first': (rows, cols) => counted(rows, cols, (cell) => cell),
  'column-major': columnMajor,
  snail,
};

/** The goal that a name or a text means for boards of a shape; null if it means none. */
export function goalOf(text, { rows, cols }) {
  if (Object.hasOwn(GOALS, text)) return GOALS[text](rows, cols);
  const board = readBoard(text);
  return board && board.rows === rows && board.cols === cols ? board : null;
}

export function goalName(goal) {
  const names = Object.keys(GOALS);
  return names.find((name) => sameBoard(GOALS[name](goal.rows, goal.cols), goal)) ?? null;
}

/** How a goal travels: its name if it has one. */
export const goalText = (goal) => goalName(goal) ?? boardText(goal);
