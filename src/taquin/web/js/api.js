/**
 * The server, as docs/http.md describes it. Boards and goals are handed in as the page has them, and
 * travel as text.
 *
 * Every function gives a promise, which fails with an `ApiError`: `gone` if nothing answered, `status`
 * and `message` (in the reader's language), `field` if one is to blame, `retryAfter` in seconds if the
 * server was full. `watchServer` tells when the server goes and when it is back.
 */

import { boardText, goalText } from './board.js';
import { said } from './i18n.js';

export class ApiError extends Error {
  constructor(message, { status = 0, field, retryAfter } = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.field = field;
    this.retryAfter = retryAfter;
  }
  get gone() {
    return this.status === 0;
  }
}

const watchers = new Set();

/** Calls back with true or false whenever the server answered, or didn't. */
export function watchServer(watcher) {
  watchers.add(watcher);
}

const heard = (there) => watchers.forEach((watcher) => watcher(there));

const asText = (value) => (value?.tiles ? boardText(value) : value);

/** A request's body: boards and goals as text, what is undefined left out. */
function body(values) {
  const { goal, ...rest } = values;
  const named = goal?.tiles ? goalText(goal) : goal;
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asText(value)]));
  return JSON.stringify({ ...plain, goal: named });
}

async function request(method, path, values, { signal } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: values ? { 'Content-Type': 'application/json' } : {},
      body: values ? body(values) : undefined,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    heard(false);
    throw new ApiError('the server does not answer');
  }
  if (!response.ok) throw await failure(response);
  heard(true);
  return response;
}

async function failure(response) {
  let told = {};
  try {
    told = await response.json();
  } catch {
    // Not ours: a plain file server, or something in between.
  }
  return new ApiError(said(told) ?? `${response.status} ${response.statusText}`, {
    status: response.status,
    field: told.field,
    retryAfter: Number(response.headers.get('Retry-After')) || undefined,
  });
}

const get = async (path, options) => (await request('GET', path, undefined, options)).json();
const post = async (path, values, options) => (await request('POST', path, values, options)).json();

/** What follows `?` in an address, without what is undefined. */
function query(values) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return known.length ? `?${new URLSearchParams(known)}` : '';
}

// --- events --------------------------------------------------------------------------------------

/** The events of a stream (server-sent events), one by one: {event, data}. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseEvent(block) {
  let event = 'message';
  const data = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return data.length ? { event, data: JSON.parse(data.join('\n')) } : null;
}

/**
 * Hands every event to the handler of its name; `error` events fail. The promise is kept at the end of
 * the stream. `signal` ends it early (with an AbortError), which cancels the job it belongs to.
 */
async function follow(path, handlers, signal) {
  const response = await request('GET', path, undefined, { signal });
  try {
    for await (const { event, data } of events(response)) {
      if (event === 'error') throw new ApiError(said(data), { status: 500 });
      handlers[event]?.(data);
    }
  } catch (error) {
    if (error instanceof ApiError || error.name === 'AbortError') throw error;
    heard(false);
    throw new ApiError('the server went away');
  }
}

/**
 * A job: started, told about until its end, stopped on demand. Gives a promise of {id, stop(), done};
 * the promise `done` is kept at the end of the stream, after `onResult`.
 *
 *     onState({state, ahead})   queued behind so many others, or running
 *     onProgress({seconds, expanded, best, lower_bound, …, moves?})
 *     onItem(item)              of a watch: a list of expansions; of a comparison: a run
 *     onResult(result)          always the last
 *     signal                    its abort ends the stream, and by that the job
 */
async function job(path, values, { onState, onProgress, onItem, onResult, signal } = {}) {
  const { id, links } = await post(path, values, { signal });
  const handlers = {
    state: onState, progress: onProgress, expansions: onItem, run: onItem, item: onItem, result: onResult,
  };
  return {
    id,
    /** Ends the job and keeps the best it found: the result still follows. */
    stop: () => request('DELETE', links.self),
    done: follow(links.events, handlers, signal),
  };
}

// --- what the server does ------------------------------------------------------------------------

export const options = () => get('/api/options');
export const isThere = async () => (await get('/healthz')).status === 'ok';

/** What a text means: {valid, board, rows, cols, solvable, reason, fix, error}. */
export const check = (board, goal, { format, signal } = {}) =>
  post('/api/check', { board, goal, format }, { signal });

/** {board, goal, seed}; the page draws its own boards, which are the same for the same seed. */
export const random = (values) => post('/api/random', values);

/** A heuristic's value and how it comes about, tile by tile. */
export const explain = (board, goal, heuristic, { signal } = {}) =>
  post('/api/explain', { board, goal, heuristic }, { signal });

/** Solves. `options`: {goal, quality, algorithm, heuristic, metric, tables, limit}. A job. */
export const solve = (board, options, handlers) => job('/api/solve', { board, ...options }, handlers);

/** A textbook algorithm, expansion by expansion. `options`: {goal, algorithm, heuristic, most}. A job. */
export const watch = (board, options, handlers) => job('/api/watch', { board, ...options }, handlers);

/** Algorithms side by side on a list of boards. `options`: {goal, algorithms, heuristics, limit}. A job. */
export const compare = (boards, options, handlers) =>
  job('/api/compare', { boards: boards.map(asText), ...options }, handlers);

/** A game {board, goal, moves, times?}, move by move against the optimum. A job. */
export const analyse = (game, handlers) => job('/api/analysis', game, handlers);

export const records = {
  /** {total, series, games}; `filter`: {size, goal, hints, first, count}. */
  list: (filter = {}) => get(`/api/records${query(filter)}`),
  get: (id) => get(`/api/records/${encodeURIComponent(id)}`),
  add: (game) => post('/api/records', game),
  /** Like `analyse`; what it finds out is kept. */
  analyse: (id, handlers) => job(`/api/records/${encodeURIComponent(id)}/analysis`, {}, handlers),
};

/** A picture or film as a Blob. `subject`: {board, goal} with or without {moves, times}. */
export async function exportFile(subject, format, looks = {}) {
  return (await request('POST', '/api/export', { ...subject, format, ...looks })).blob();
}
