/** Boards to study a search on: the current position, or small ones, a few moves from their goal or not. */

import { OPPOSITE, goalOf, legalMoves, slide } from './board.js';
import { t } from './i18n.js';
import { randomBoard } from './random.js';

const SIZES = ['2x2', '2x3', '3x3', '3x4', '4x4'];
const SCRAMBLES = ['6', '12', '20', 'random'];

/** What can be chosen: pairs of a value and its words. */
export const sizeChoices = () => [
  ['current', t('boards.current')],
  ...SIZES.map((size) => [size, size.replace('x', '×')]),
];
export const scrambleChoices = () =>
  SCRAMBLES.map((name) => [
    name,
    name === 'random' ? t('boards.random') : t('boards.moves', { n: Number(name) }),
  ]);

/** A board and its goal, of the size and as far away as was chosen. */
export function boardFor(size, scramble, game) {
  if (size === 'current') return { board: game.board, goal: game.goal };
  const [rows, cols] = size.split('x').map(Number);
  const goal = goalOf('blank-last', { rows, cols });
  const board = scramble === 'random' ? randomBoard(rows, cols) : scrambled(goal, Number(scramble));
  return { board, goal };
}

/** The board after so many random moves, none of which takes the last one back. */
function scrambled(goal, moves) {
  let board = goal;
  let last = null;
  for (let i = 0; i < moves; i++) {
    const possible = legalMoves(board).filter((move) => move !== OPPOSITE[last]);
    last = possible[Math.floor(Math.random() * possible.length)];
    board = slide(board, last);
  }
  return board;
}
