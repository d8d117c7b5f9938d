// The tree that a search grows: what was expanded, what waits, and how one led to the other.
// `SearchTree` gathers it from events, `treePicture` draws it.

import { svg } from './dom.js';

/** Algorithms that keep one path only: what they have left is forgotten, and nothing waits. */
const PATH_ONLY = new Set(['dfs', 'iddfs', 'idastar', 'rbfs']);

/** Algorithms that search from the goal as well. */
const TWO_ENDED = new Set(['bidirectional', 'mm']);

class Node {
  constructor(board, parent, g) {
    this.board = board;
    this.parent = parent;
    this.g = g;
    this.h = null;
    /** When it was expanded last; 0 while it waits. */
    this.number = 0;
    this.children = [];
    parent?.children.push(this);
  }
}

/**
 * neighbours(text) gives the texts of a board's neighbours. Events are those of /api/watch.
 */
export class SearchTree {
  constructor({ algorithm, start, goal, neighbours }) {
    this.algorithm = algorithm;
    this.start = start;
    this.goal = goal;
    this.neighbours = neighbours;
    this.showsWaiting = !PATH_ONLY.has(algorithm);
    this.restart(null);
  }

  restart(threshold) {
    this.threshold = threshold;
    this.nodes = new Map();
    this.current = null;
    this.roots = [this.plant(this.start)];
    if (TWO_ENDED.has(this.algorithm)) this.roots.push(this.plant(this.goal));
  }

  plant(board) {
    const root = new Node(board, null, 0);
    this.nodes.set(board, root);
    return root;
  }

  add(event) {
    // Each threshold begins the search anew.
    const threshold = event.threshold ?? null;
    if (threshold !== this.threshold) this.restart(threshold);
    const node = this.nodes.get(event.board) ?? this.attach(event);
    if (node.parent && node.g !== event.g) this.move(node, event);
    node.g = event.g;
    node.h = event.h;
    node.number = event.number;
    this.current = node;
    if (this.showsWaiting) this.spread(node);
  }

  /** The last expansion led to the goal. */
  reachGoal() {
    const isNext = this.neighbours(this.current.board).includes(this.goal);
    if (isNext && !this.nodes.has(this.goal)) {
      this.nodes.set(this.goal, new Node(this.goal, this.current, this.current.g + 1));
    }
  }

  attach(event) {
    const node = new Node(event.board, this.parentOf(event), event.g);
    this.nodes.set(event.board, node);
    return node;
  }

  /** A shorter way to a board was found, or another one was taken. */
  move(node, event) {
    const parent = this.parentOf(event);
    if (parent === node.parent || isBelow(parent, node)) return;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    node.parent = parent;
    parent.children.push(node);
  }

  /** The board that an expanded one was reached from: the latest neighbour one move nearer. */
  parentOf(event) {
    const named = event.parent && this.nodes.get(event.parent);
    if (named) return named;
    const near = this.neighbours(event.board)
      .map((board) => this.nodes.get(board))
      .filter((node) => node && node.g === event.g - 1);
    near.sort((a, b) => b.number - a.number);
    return near[0] ?? this.roots[0];
  }

  spread(node) {
    for (const board of this.neighbours(node.board)) {
      if (!this.nodes.has(board)) this.nodes.set(board, new Node(board, node, node.g + 1));
    }
  }

  /** The boards from a root to the one expanded last. */
  path() {
    const path = [];
    for (let node = this.current; node; node = node.parent) path.push(node);
    return path.reverse();
  }
}

function isBelow(node, above) {
  for (let at = node; at; at = at.parent) if (at === above) return true;
  return false;
}

// --- the picture ----------------------------------------------------------------------------

/** More could not be told apart. */
export const MOST_DRAWN = 400;

const LAYER = { least: 16, most: 44 };

/**
 * The tree as a picture, and whether that is all of it. Of a large one it shows the boards expanded
 * last, what waits below them, and the way to them.
 */
export function treePicture(tree, { width, title, describe }) {
  const shown = chosen(tree);
  const places = lay(tree.roots, shown);
  const depth = Math.max(1, ...[...places.values()].map((place) => place.layer));
  const layer = Math.max(LAYER.least, Math.min(LAYER.most, 420 / depth));
  const leaves = Math.max(1, ...[...places.values()].map((place) => place.column + 1));
  const column = Math.min(44, (width - 24) / leaves);
  const left = (width - leaves * column) / 2;
  const radius = Math.max(1.8, Math.min(11, column * 0.42, layer * 0.36));
  const at = (node) => {
    const place = places.get(node);
    return [left + (place.column + 0.5) * column, 16 + place.layer * layer];
  };
  const path = new Set(tree.path());
  const edges = [];
  const dots = [];
  for (const node of places.keys()) {
    const [x, y] = at(node);
    if (node.parent && places.has(node.parent)) {
      const [parentX, parentY] = at(node.parent);
      const onPath = path.has(node) && path.has(node.parent);
      edges.push(edge(parentX, parentY, x, y, onPath));
    }
    dots.push(dot(tree, node, x, y, radius, path, describe));
  }
  // What is on the path is drawn last, and so above the rest.
  edges.sort((a, b) => a.classList.contains('on-path') - b.classList.contains('on-path'));
  const height = 32 + depth * layer;
  const picture = svg(
    'svg',
    {
      class: 'chart tree-picture',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': title,
    },
    edges,
    dots,
  );
  return { picture, shown: places.size, all: tree.nodes.size };
}

function edge(x1, y1, x2, y2, onPath) {
  return svg('line', { class: onPath ? 'tree-edge on-path' : 'tree-edge', x1, y1, x2, y2 });
}

function dot(tree, node, x, y, radius, path, describe) {
  const kind =
    node === tree.current
      ? 'current'
      : node.board === tree.goal
        ? 'goal'
        : path.has(node)
          ? 'on-path'
          : node.number
            ? 'closed'
            : 'waiting';
  const size = node === tree.current ? Math.max(radius * 1.15, 4) : radius;
  const number = radius >= 9 && node.number ? String(node.g + (node.h ?? 0)) : null;
  return svg(
    'g',
    { class: `tree-node ${kind}`, 'data-board': node.board },
    svg('title', {}, describe(node)),
    svg('circle', { cx: x, cy: y, r: size }),
    number ? svg('text', { x, y: y + 3.5 }, number) : [],
  );
}

function chosen(tree) {
  if (tree.nodes.size <= MOST_DRAWN) return new Set(tree.nodes.values());
  const shown = new Set(tree.roots);
  const latest = [...tree.nodes.values()].filter((node) => node.number);
  latest.sort((a, b) => b.number - a.number);
  for (const node of latest) {
    if (shown.size >= MOST_DRAWN) break;
    for (let at = node; at && !shown.has(at); at = at.parent) shown.add(at);
    for (const child of node.children) if (!child.number) shown.add(child);
  }
  return shown;
}

/** Layers by depth; a leaf takes a column, and what is above stands in the middle of its leaves. */
function lay(roots, shown) {
  const places = new Map();
  let leaves = 0;
  const pending = roots.map((node) => ({ node, layer: 0, next: 0 })).reverse();
  while (pending.length) {
    const top = pending.at(-1);
    const children = (top.children ??= top.node.children.filter((child) => shown.has(child)));
    if (top.next < children.length) {
      pending.push({ node: children[top.next++], layer: top.layer + 1, next: 0 });
      continue;
    }
    pending.pop();
    const columns = children.map((child) => places.get(child).column);
    const column = columns.length ? (columns[0] + columns.at(-1)) / 2 : leaves++;
    places.set(top.node, { layer: top.layer, column });
  }
  return places;
}
