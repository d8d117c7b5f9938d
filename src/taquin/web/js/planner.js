// Hints that follow the player, by the rules of the terminal game: a move along the answer, or back,
// costs no search; any other move ends the search and begins a new one. The searches run on the
// server; what they find is true for the player too, who may have moved on.

import * as api from './api.js';
import { OPPOSITE, boardText, reverse, sameBoard, slide } from './board.js';

/** What a search may take that nobody waits for. */
const LIMIT = { seconds: 30 };

/** Boards of which the planner remembers what it knew. */
const MOST_KEPT = 1000;

/** The way from one history of moves to another of the same game: taken back, then made. */
export function journey(before, after) {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return reverse(before.slice(same)) + after.slice(same);
}

/** What is known of a board: moves to the goal, and how many are needed at least. */
class Answer {
  constructor(moves, lowerBound, search) {
    this.moves = moves;
    this.lowerBound = lowerBound;
    this.search = search;
  }

  get isOptimal() {
    return this.moves.length === this.lowerBound;
  }

  get isSought() {
    return this.search !== null && !this.search.abandoned;
  }

  /** What this says of the board one move on: one needed move may have been made. */
  after(move) {
    const bound = Math.max(this.lowerBound - 1, 0);
    if (this.moves[0] === move) return new Answer(this.moves.slice(1), bound, this.search);
    return new Answer(OPPOSITE[move] + this.moves, bound, null);
  }

  /** The best of two answers for one board. */
  joined(other) {
    const isShorter = other.moves.length < this.moves.length;
    let search = this.search;
    // Who comes back to a board takes up its own search again, not that of the way back.
    if (other.isSought && (isShorter || search === null)) search = other.search;
    const moves = isShorter ? other.moves : this.moves;
    return new Answer(moves, Math.max(this.lowerBound, other.lowerBound), search);
  }
}

/**
 * Knows a way to the goal from where the player is, and looks for a better one meanwhile. `onChange`
 * is called whenever the next hint may be another one.
 */
export class Planner {
  constructor(board, goal, onChange) {
    this.goal = goal;
    this.onChange = onChange;
    this.here = board;
    /** How many searches were begun. */
    this.searches = 0;
    /** The error that kept the last search from its end. */
    this.problem = null;
    this.answers = new Map();
    this.search = null;
    this.closed = false;
    this.settle();
  }

  /** The player has made moves, or has taken some back. */
  follow(moves) {
    for (const move of moves) {
      const answer = this.answerFor(this.here);
      this.here = slide(this.here, move);
      if (answer) this.keep(this.here, answer.after(move));
      this.search?.goesAlong(move);
    }
    this.settle();
  }

  /** The next moves by the best answer known; null while there is none. */
  hint(count = 1) {
    const answer = this.answerFor(this.here);
    if (!answer) return null;
    return {
      moves: answer.moves.slice(0, count),
      left: answer.moves.length,
      lowerBound: answer.lowerBound,
      isOptimal: answer.isOptimal,
      planning: this.search !== null && !answer.isOptimal,
    };
  }

  /** All moves of the best answer known. */
  get solution() {
    return this.answerFor(this.here)?.moves ?? null;
  }

  get planning() {
    return this.search !== null;
  }

  /** Ends the search for good. */
  close() {
    this.closed = true;
    this.abandon();
  }

  // --- what the player's moves lead to

  settle() {
    if (sameBoard(this.here, this.goal)) this.keep(this.here, new Answer('', 0, null));
    const answer = this.answerFor(this.here);
    if (!answer || !(answer.isOptimal || answer.isSought)) this.begin();
    else if (answer.search !== this.search) this.abandon();
    this.onChange();
  }

  begin() {
    this.abandon();
    if (this.closed) return;
    this.searches += 1;
    this.problem = null;
    const search = new Search(this.here);
    this.search = search;
    const answer = this.answerFor(this.here);
    if (answer) answer.search = search;
    this.run(search);
  }

  async run(search) {
    const learn = ({ moves, lower_bound: lowerBound }) => this.learn(search, moves, lowerBound);
    const handlers = { onProgress: learn, onResult: learn, signal: search.controller.signal };
    try {
      const job = await api.solve(search.board, { goal: this.goal, limit: LIMIT }, handlers);
      await job.done;
    } catch (error) {
      if (search.abandoned) return;
      this.problem = error;
    }
    this.finish(search);
  }

  abandon() {
    this.search?.abandon();
    this.search = null;
  }

  answerFor(board) {
    return this.answers.get(boardText(board));
  }

  keep(board, answer) {
    const key = boardText(board);
    const known = this.answers.get(key);
    this.answers.delete(key);
    const joined = known ? known.joined(answer) : answer;
    this.answers.set(key, joined);
    if (this.answers.size > MOST_KEPT) this.answers.delete(this.answers.keys().next().value);
    return joined;
  }

  // --- what searches find

  learn(search, moves, lowerBound) {
    const known = this.answerFor(search.board);
    if (typeof moves !== 'string') moves = known?.moves;
    if (moves === undefined) return;
    let board = search.board;
    let answer = this.keep(board, new Answer(moves, lowerBound ?? 0, search));
    for (const move of search.abandoned ? [] : search.trail) {
      board = slide(board, move);
      answer = this.keep(board, answer.after(move));
    }
    this.onChange();
  }

  finish(search) {
    if (this.search !== search) return;
    this.search = null;
    const found = this.answerFor(search.board);
    const answer = this.answerFor(this.here);
    // The player followed an answer that the search has left for a shorter one.
    if (found?.isOptimal && answer && !answer.isOptimal) this.begin();
    this.onChange();
  }
}

class Search {
  constructor(board) {
    this.board = board;
    /** The moves made since it began. */
    this.trail = [];
    this.abandoned = false;
    this.controller = new AbortController();
  }

  goesAlong(move) {
    if (this.trail.at(-1) === OPPOSITE[move]) this.trail.pop();
    else this.trail.push(move);
  }

  abandon() {
    this.abandoned = true;
    this.controller.abort();
  }
}
