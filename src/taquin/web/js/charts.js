// Small charts as SVG. A chart is a pure function of its data and its width; `keepDrawn` draws it
// anew whenever the room for it changes. Colours come from classes, so that themes reach them.

import { el, svg } from './dom.js';

/**
 * Draws into a holder what `paint(width)` gives, now, at every `redraw()` and when the width changes.
 * Redraws within a frame become one. Where there is nothing to draw yet, `paint` gives null.
 */
export function keepDrawn(holder, paint) {
  let frame = 0;
  let width = 0;
  const draw = () => {
    frame = 0;
    width = holder.clientWidth;
    const picture = width > 0 ? paint(width) : null;
    if (picture) holder.replaceChildren(picture);
  };
  const redraw = () => {
    frame ||= requestAnimationFrame(draw);
  };
  const observer = new ResizeObserver(() => {
    if (holder.clientWidth !== width) redraw();
  });
  observer.observe(holder);
  return {
    redraw,
    close() {
      observer.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}

function picture(width, height, title, className, parts) {
  return svg(
    'svg',
    {
      class: `chart ${className}`,
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': title,
    },
    parts,
  );
}

/** What the tones of a chart mean: pairs of a tone and its words. */
export function legend(items) {
  const entries = items.map(([tone, words]) => el('li', { class: `tone-${tone}` }, words));
  return el('ul', { class: 'legend' }, entries);
}

// --- scales ---------------------------------------------------------------------------------

/** Round numbers from `least` to `most`, about as many as asked for, and never half a unit. */
export function ticks(least, most, count, { whole = false } = {}) {
  const span = most - least;
  if (!(span > 0)) return [least];
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough);
  if (whole) step = Math.max(step, 1);
  const first = Math.ceil(least / step);
  const last = Math.floor(most / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

function scale(least, most, from, to) {
  const span = most - least || 1;
  return (value) => from + ((value - least) / span) * (to - from);
}

// --- bars -----------------------------------------------------------------------------------

const BAR = { height: 18, row: 42, top: 4 };

/**
 * Horizontal bars, each with its name above it and its value at its end.
 *
 * bars: [{name, value, text, tone}], a value of null has no bar. With `log`, bars grow by powers of
 * ten: all else would hide the small ones beside the large.
 */
export function barChart({ title, bars, width, log = false }) {
  const height = BAR.top + bars.length * BAR.row;
  const room = Math.max(width - 92, 40);
  const size = barLength(bars, room, log);
  const rows = bars.map((bar, index) => {
    const y = BAR.top + index * BAR.row;
    const length = bar.value === null ? 0 : Math.max(size(bar.value), 2);
    return svg(
      'g',
      { class: `chart-row tone-${bar.tone ?? 1}` },
      svg('title', {}, `${bar.name}: ${bar.text}`),
      svg('text', { class: 'chart-name', x: 0, y: y + 13 }, bar.name),
      svg('rect', { class: 'chart-track', x: 0, y: y + 19, width: room, height: BAR.height, rx: 4 }),
      svg('rect', { class: 'chart-bar', x: 0, y: y + 19, width: length, height: BAR.height, rx: 4 }),
      svg('text', { class: 'chart-value', x: room + 8, y: y + 33 }, bar.text),
    );
  });
  return picture(width, height, title, 'bar-chart', rows);
}

function barLength(bars, room, log) {
  const values = bars.map((bar) => bar.value).filter((value) => value !== null && value > 0);
  const most = Math.max(...values, Number.MIN_VALUE);
  if (!log || values.length === 0) return (value) => (value / most) * room;
  // The smallest gets a tenth of the room, so that it is seen beside nothing at all.
  const least = Math.log10(Math.min(...values));
  const span = Math.log10(most) - least || 1;
  return (value) => (value > 0 ? room * (0.1 + 0.9 * ((Math.log10(value) - least) / span)) : 0);
}

// --- lines ----------------------------------------------------------------------------------

/**
 * Lines over a common x.
 *
 * series: [{name, points: [[x, y], …], tone, steps, dots, ring}]; a y of null breaks the line. `band`
 * names two series, the space between which is filled. x and y: {label, format, from, to, whole}.
 */
export function lineChart({ title, series, width, height = 220, x = {}, y = {}, band = null }) {
  const frame = { left: 52, right: width - 12, top: y.label ? 26 : 14, bottom: height - 40 };
  const all = series.flatMap((line) => line.points).filter(([, value]) => value !== null);
  const [fromX, toX] = range(all.map((point) => point[0]), x);
  const [fromY, toY] = range(all.map((point) => point[1]), y);
  const placeX = scale(fromX, toX, frame.left, frame.right);
  const placeY = scale(fromY, toY, frame.bottom, frame.top);
  const drawn = series.map((line) => ({ ...line, path: path(line, placeX, placeY) }));
  return picture(width, height, title, 'line-chart', [
    grid(ticks(fromY, toY, 4, y), placeY, frame, y.format ?? String),
    base(ticks(fromX, toX, Math.max(2, Math.floor(width / 110)), x), placeX, frame, x.format ?? String),
    axisNames(frame, height, x.label, y.label),
    ...(band ? area(band.map((name) => series.find((line) => line.name === name)), placeX, placeY) : []),
    ...drawn.map((line) => svg('path', { class: `chart-line tone-${line.tone}`, d: line.path })),
    ...series.flatMap((line) => marks(line, placeX, placeY)),
  ]);
}

function range(values, { from, to }) {
  const least = from ?? Math.min(...values);
  const most = to ?? Math.max(...values);
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  return least === most ? [least, least + 1] : [least, most];
}

function corners(points, steps) {
  if (!steps) return points;
  return points.flatMap(([x, y], i) => (i ? [[x, points[i - 1][1]], [x, y]] : [[x, y]]));
}

function path({ points, steps }, placeX, placeY) {
  let pen = 'M';
  let text = '';
  for (const [x, y] of corners(points, steps)) {
    if (y === null) {
      pen = 'M';
      continue;
    }
    text += `${pen}${placeX(x).toFixed(1)} ${placeY(y).toFixed(1)}`;
    pen = 'L';
  }
  return text;
}

function area([upper, lower], placeX, placeY) {
  if (!upper?.points.length || !lower?.points.length) return [];
  // The band begins where both are known.
  const start = Math.max(upper.points[0][0], lower.points[0][0]);
  const over = corners(clip(upper.points, start), upper.steps);
  const under = corners(clip(lower.points, start), lower.steps).reverse();
  const d = [...over, ...under]
    .map(([x, y], i) => `${i ? 'L' : 'M'}${placeX(x).toFixed(1)} ${placeY(y).toFixed(1)}`)
    .join('');
  return [svg('path', { class: 'chart-band', d: `${d}Z` })];
}

function clip(points, start) {
  const later = points.filter(([x]) => x > start);
  const before = points.filter(([x]) => x <= start).at(-1) ?? points[0];
  return [[start, before[1]], ...later];
}

function marks(line, placeX, placeY) {
  if (!line.dots) return [];
  return line.points.flatMap(([x, y, text, special], i) =>
    y === null
      ? []
      : [
          svg(
            'circle',
            {
              class: `chart-dot tone-${line.tone}${special ? ' special' : ''}`,
              cx: placeX(x).toFixed(1),
              cy: placeY(y).toFixed(1),
              r: special ? 4.5 : 3,
              'data-index': i,
            },
            text ? svg('title', {}, text) : [],
          ),
        ],
  );
}

function grid(values, place, frame, format) {
  const lines = values.flatMap((value) => {
    const y = place(value).toFixed(1);
    return [
      svg('line', { class: 'chart-grid', x1: frame.left, x2: frame.right, y1: y, y2: y }),
      svg('text', { class: 'chart-tick end', x: frame.left - 6, y: Number(y) + 4 }, format(value)),
    ];
  });
  return svg('g', { 'aria-hidden': 'true' }, ...lines);
}

function base(values, place, frame, format) {
  const names = values.map((value) =>
    svg('text', { class: 'chart-tick middle', x: place(value), y: frame.bottom + 16 }, format(value)),
  );
  const line = svg('line', {
    class: 'chart-axis',
    x1: frame.left,
    x2: frame.right,
    y1: frame.bottom,
    y2: frame.bottom,
  });
  return svg('g', { 'aria-hidden': 'true' }, line, ...names);
}

function axisNames(frame, height, x, y) {
  return svg(
    'g',
    { 'aria-hidden': 'true' },
    x ? svg('text', { class: 'chart-tick end', x: frame.right, y: height - 8 }, x) : [],
    y ? svg('text', { class: 'chart-tick', x: 0, y: 10 }, y) : [],
  );
}
