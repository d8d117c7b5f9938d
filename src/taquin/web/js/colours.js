/**
 * Which hue a tile has, by the rules of `taquin.palette`: pictures, films, terminal and page agree.
 * The lightness, which says whether a tile is in its place, is a matter of the style sheet.
 */

import { placeOf } from './board.js';

export const SCHEMES = ['plain', 'rows', 'fringe'];

const MAX_HUES = 12;

/** For each tile its hue in degrees, or null in the plain scheme. */
export function hues(goal, scheme) {
  const groups = new Array(goal.tiles.length).fill(0);
  if (scheme === 'plain') return groups.fill(null);
  goal.tiles.forEach((tile, cell) => {
    if (tile) groups[tile] = (scheme === 'rows' ? placeOf(goal, cell)[0] : fringe(goal, cell)) % MAX_HUES;
  });
  const count = 1 + Math.max(...groups);
  return groups.map((group) => 25 + (285 * group) / Math.max(count - 1, 1));
}

/** How many lines lie between a cell and the sides from which the goal is filled. */
function fringe(goal, cell) {
  const [row, col] = placeOf(goal, cell);
  const [blankRow, blankCol] = placeOf(goal, goal.tiles.indexOf(0));
  return Math.min(
    fromFarSide(row, blankRow, goal.rows - 1),
    fromFarSide(col, blankCol, goal.cols - 1),
  );
}

function fromFarSide(place, blank, last) {
  if (2 * blank === last) return Math.min(place, last - place);
  return 2 * blank > last ? place : last - place;
}
