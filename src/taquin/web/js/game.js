/**
 * A game as a value, and what changes it: each function takes a game and gives the next one, or the
 * same one if nothing can be done. The words are those of `taquin.game`.
 *
 *     start, board, goal   where it began, where the player is, where it leads
 *     seed                 the seed that `start` was drawn by, or null
 *     moves, times         made and not taken back: letters, and the milliseconds of each
 *     undone               moves that `redo` makes, in their order
 *     elapsed, since       milliseconds on the clock until `since`, which is null while it stands
 *     paused, givenUp      whether moves can be made
 *     hints, hinted        how many boards were helped with, and whether this one was
 *     own                  false if it came with moves from elsewhere, so that it is nobody's record
 */

import { reverse, sameBoard, slide } from './board.js';

export function newGame(start, goal, seed = null) {
  return {
    start, board: start, goal, seed,
    moves: '', times: [], undone: '',
    elapsed: 0, since: null, paused: false,
    givenUp: false, hints: 0, hinted: false, own: true,
  };
}

export const isSolved = (game) => sameBoard(game.board, game.goal);
export const isFinished = (game) => game.givenUp || isSolved(game);
export const isStarted = (game) => Boolean(game.moves || game.undone);
export const isOpen = (game) => !game.paused && !isFinished(game);

/** Milliseconds on the clock. */
export const elapsed = (game, now) =>
  Math.floor(game.elapsed + (game.since === null ? 0 : now - game.since));

/** Makes moves: all of them, or none. What would lead on after the goal is left out. */
export function make(game, moves, now) {
  if (!isOpen(game)) return game;
  let board = game.board;
  let made = '';
  for (const move of moves) {
    board = slide(board, move);
    if (!board) return game;
    made += move;
    if (sameBoard(board, game.goal)) break;
  }
  const undone = game.undone.startsWith(made) ? game.undone.slice(made.length) : '';
  return arrive(game, board, game.moves + made, undone, now);
}

export function undo(game, steps, now) {
  const count = isOpen(game) ? Math.min(steps, game.moves.length) : 0;
  if (!count) return game;
  const kept = game.moves.length - count;
  const taken = game.moves.slice(kept);
  const board = slide(game.board, reverse(taken));
  return arrive(game, board, game.moves.slice(0, kept), taken + game.undone, now);
}

export const redo = (game, steps, now) => make(game, game.undone.slice(0, steps), now);

/** The clock runs from the first move on, and stands once the goal is reached. */
function arrive(game, board, moves, undone, now) {
  const time = elapsed(game, now);
  const times = game.times.slice(0, moves.length);
  while (times.length < moves.length) times.push(time);
  // The first move is at 0 by definition, even where others were made and taken back before.
  if (times.length) times[0] = 0;
  const next = { ...game, board, moves, undone, times, hinted: false };
  return isSolved(next)
    ? { ...next, elapsed: Math.max(time, times.at(-1) ?? 0), since: null }
    : { ...next, since: game.since ?? now };
}

export function pause(game, now) {
  if (!isOpen(game) || !isStarted(game)) return game;
  return { ...game, paused: true, elapsed: elapsed(game, now), since: null };
}

export function resume(game, now) {
  return game.paused ? { ...game, paused: false, since: now } : game;
}

export const restart = (game) => newGame(game.start, game.goal, game.seed);

export function giveUp(game, now) {
  if (isFinished(game)) return game;
  return { ...game, givenUp: true, paused: false, elapsed: elapsed(game, now), since: null };
}

/** A hint counts once for each board it is given for. */
export function countHint(game) {
  return game.hinted || isFinished(game) ? game : { ...game, hints: game.hints + 1, hinted: true };
}

/** The game whose first moves were made elsewhere, or null if they can't be made. */
export function gameAfter(start, goal, moves) {
  const board = slide(start, moves);
  const times = new Array(moves.length).fill(0);
  return board && { ...newGame(start, goal), board, moves, times, own: !moves };
}
