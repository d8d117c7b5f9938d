/**
 * Random boards, the same for the same seed as `taquin random` gives, so that a seed can be passed on
 * and no server is needed to play. The generator is Python's: the Mersenne Twister MT19937.
 */

import { GOALS, exchange, goalOf, makeBoard, reaches } from './board.js';

const N = 624;
const M = 397;

function twister(seed) {
  const state = new Uint32Array(N);
  let index = N;
  scramble(state, words(seed));

  function word() {
    if (index >= N) {
      twist(state);
      index = 0;
    }
    let y = state[index++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }
  /** A number from 0 up to 1, with 53 bits. */
  return () => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992;
}

/** The bits of a whole number, 32 at a time. */
function words(seed) {
  let left = BigInt(seed);
  if (left < 0n) left = -left;
  const found = [];
  do {
    found.push(Number(left & 0xffffffffn));
    left >>= 32n;
  } while (left);
  return found;
}

function scramble(state, key) {
  state[0] = 19650218;
  for (let i = 1; i < N; i++) state[i] = Math.imul(1812433253, mixed(state, i)) + i;
  let i = 1;
  let j = 0;
  const step = () => {
    if (++i >= N) {
      state[0] = state[N - 1];
      i = 1;
    }
  };
  for (let k = Math.max(N, key.length); k; k--) {
    state[i] = (state[i] ^ Math.imul(mixed(state, i), 1664525)) + key[j] + j;
    step();
    j = (j + 1) % key.length;
  }
  for (let k = N - 1; k; k--) {
    state[i] = (state[i] ^ Math.imul(mixed(state, i), 1566083941)) - i;
    step();
  }
  state[0] = 0x80000000;
}

const mixed = (state, i) => state[i - 1] ^ (state[i - 1] >>> 30);

function twist(state) {
  for (let i = 0; i < N; i++) {
    const y = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
    state[i] = state[(i + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}

/** A seed that nobody chose, short enough to be typed. */
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;

/** A board, uniform over those that reach the goal. */
export function randomBoard(rows, cols, goal = 'blank-last', seed = newSeed()) {
  const target = goalOf(goal, { rows, cols }) ?? GOALS['blank-last'](rows, cols);
  const random = twister(seed);
  const below = (n) => Math.floor(random() * n);
  if (Math.min(rows, cols) === 1) {
    const tiles = target.tiles.filter(Boolean);
    tiles.splice(below(rows * cols), 0, 0);
    return makeBoard(rows, cols, tiles);
  }
  const tiles = Array.from({ length: rows * cols }, (_, tile) => tile);
  for (let i = tiles.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [tiles[i], tiles[j]] = [tiles[j], tiles[i]];
  }
  const board = makeBoard(rows, cols, tiles);
  return reaches(board, target) ? board : exchange(board, 1, 2);
}
