/**
 * The panel Watch: a textbook algorithm at work on a small board, one expansion after the other. All
 * that is shown follows from the events up to one of them, so that one can go back as well.
 */

import * as api from './api.js';
import { boardText, legalMoves, readBoard, slide } from './board.js';
import { BoardView } from './boardview.js';
import { barChart, keepDrawn, legend, lineChart } from './charts.js';
import { button, choice, el, field } from './dom.js';
import { Explanation } from './explanation.js';
import { number, t } from './i18n.js';
import { algorithms, figures, heuristics, isInformed, nameOf, plainNumber, problemText } from './panelparts.js';
import { boardFor, scrambleChoices, sizeChoices } from './scramble.js';
import { SearchTree, treePicture } from './searchtree.js';
import { Timeline } from './timeline.js';

/** The most events that are fetched: more than anyone looks at one by one. */
const MOST = 3000;

/** The largest board that a search is watched on. */
const MOST_CELLS = 16;

const SPEEDS = [1, 2, 5, 15, 60];

export function mount(element, app) {
  const panel = new WatchPanel(element, app);
  return { show: () => panel.show(), hide: () => panel.timeline.pause() };
}

class WatchPanel {
  constructor(element, app) {
    this.app = app;
    this.algorithm = 'astar';
    this.heuristic = 'manhattan';
    this.size = '3x3';
    this.scramble = '12';
    this.neighbours = memo(neighboursOf);
    this.controller = null;
    this.build(element);
    const off = app.on((state, before) => {
      if (!element.isConnected) {
        this.timeline.pause();
        this.controller?.abort();
        off();
      } else if (state.settings !== before.settings || state.picture !== before.picture) {
        this.drawBoard();
      }
    });
  }

  /** The current position can be chosen as long as it is small enough. */
  show() {
    const { board } = this.app.state.game;
    const isSmall = board.tiles.length <= MOST_CELLS;
    this.sizeBox.options[0].disabled = !isSmall;
    if (this.size === 'current' && !isSmall) this.setSize('3x3');
    else if (!this.start || (this.size === 'current' && this.start !== board)) this.newBoard();
  }

  setSize(size) {
    this.size = this.sizeBox.value = size;
    this.scrambleBox.disabled = size === 'current';
    this.newBoard();
  }

  // --- what is watched

  newBoard() {
    const { board, goal } = boardFor(this.size, this.scramble, this.app.state.game);
    this.start = board;
    this.goal = goal;
    this.load();
  }

  async load() {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    const { algorithm, goal, start } = this;
    this.events = [];
    this.outcome = null;
    this.problem = null;
    this.tree = null;
    this.timeline.reset();
    const heuristic = isInformed(algorithm) ? this.heuristic : undefined;
    const isMine = () => this.controller === controller;
    try {
      const job = await api.watch(
        start,
        { goal, algorithm, heuristic, most: MOST },
        {
          onItem: (batch) => isMine() && this.take(batch),
          onResult: (result) => isMine() && (this.outcome = result),
          signal: controller.signal,
        },
      );
      await job.done;
    } catch (error) {
      if (!isMine()) return;
      this.problem = problemText(error);
    }
    if (!isMine()) return;
    this.timeline.grow(this.events.length, false);
    this.draw();
  }

  take(batch) {
    this.events.push(...batch);
    const isFirst = this.timeline.length === 0;
    this.timeline.grow(this.events.length);
    if (isFirst) this.timeline.show(1);
  }

  /** The tree after as many events as are shown. */
  grown(at) {
    if (!this.tree || this.treeAt > at) {
      this.tree = new SearchTree({
        algorithm: this.algorithm,
        start: boardText(this.start),
        goal: boardText(this.goal),
        neighbours: this.neighbours,
      });
      this.treeAt = 0;
    }
    while (this.treeAt < at) this.tree.add(this.events[this.treeAt++]);
    if (at === this.events.length && this.outcome?.length) this.tree.reachGoal();
    return this.tree;
  }

  /** The thresholds up to now, and how many boards were expanded under each. */
  thresholds(at) {
    const found = new Map();
    for (const { threshold } of this.events.slice(0, at)) {
      if (threshold !== null && threshold !== undefined) {
        found.set(threshold, (found.get(threshold) ?? 0) + 1);
      }
    }
    return [...found];
  }

  // --- what is seen

  build(element) {
    const cards = [this.boardCard(), this.treeCard(), this.thresholdCard(), this.growthCard()];
    const controls = el('div', { class: 'card watch-controls' }, this.controls());
    element.append(el('div', { class: 'watch-grid' }, controls, cards));
  }

  boardCard() {
    const boardPlace = el('div', { class: 'board' });
    this.view = new BoardView(boardPlace, { label: t('watch.board') });
    this.words = el('p', { class: 'verdict' });
    this.figures = figures();
    const explanationPlace = el('div', { class: 'explanation' });
    this.marks = {};
    this.explanation = new Explanation(explanationPlace, (marks) => {
      this.marks = marks;
      this.drawBoard();
    });
    this.blindNote = el('p', { class: 'note' }, t('watch.blind'));
    const parts = [boardPlace, this.words, this.figures.element, explanationPlace, this.blindNote];
    return el('div', { class: 'card watch-board' }, parts);
  }

  treeCard() {
    const timelinePlace = el('div');
    this.timeline = new Timeline(timelinePlace, {
      speeds: SPEEDS,
      speed: 2,
      words: (at) => this.momentWords(at),
      onShow: (at, byHand) => this.draw(byHand),
    });
    const place = el('div', { class: 'chart-place' });
    this.treeChart = keepDrawn(place, (width) => this.paintTree(width));
    this.treeNote = el('p', { class: 'note', hidden: true });
    const kinds = ['current', 'on-path', 'closed', 'waiting', 'goal'];
    const meaning = legend(kinds.map((kind) => [kind, t(`watch.${kind}`)]));
    return el('div', { class: 'card watch-tree' }, timelinePlace, el('figure', {}, place, this.treeNote, meaning));
  }

  thresholdCard() {
    const place = el('div', { class: 'chart-place' });
    this.thresholdChart = keepDrawn(place, (width) => this.paintThresholds(width));
    const heading = el('h3', {}, t('watch.thresholds'));
    this.thresholdsPart = el('div', { class: 'card watch-thresholds', hidden: true }, heading, place);
    return this.thresholdsPart;
  }

  growthCard() {
    const place = el('div', { class: 'chart-place' });
    this.growthChart = keepDrawn(place, (width) => this.paintGrowth(width));
    const meaning = legend([[1, t('watch.frontier')], [2, t('watch.closedcount')]]);
    return el('div', { class: 'card watch-growth' }, el('h3', {}, t('watch.growth')), el('figure', {}, place, meaning));
  }

  controls() {
    this.sizeBox = choice(sizeChoices(), this.size, (size) => this.setSize(size));
    this.scrambleBox = choice(scrambleChoices(), this.scramble, (scramble) => {
      this.scramble = scramble;
      this.newBoard();
    });
    return [
      el('h2', { class: 'unseen' }, t('watch.title')),
      el(
        'div',
        { class: 'pair' },
        field(t('watch.algorithm'), choice(algorithms(), this.algorithm, (name) => this.choose('algorithm', name))),
        field(t('watch.heuristic'), choice(heuristics(), this.heuristic, (name) => this.choose('heuristic', name))),
        field(t('boards.size'), this.sizeBox),
        field(t('boards.scramble'), this.scrambleBox),
        button(t('watch.new'), { icon: 'new', on: { click: () => this.newBoard() } }),
      ),
    ];
  }

  choose(what, name) {
    this[what] = name;
    // A blind search goes the same way whatever the heuristic, which is only explained.
    if (what === 'heuristic' && !isInformed(this.algorithm)) this.draw();
    else this.load();
  }

  get event() {
    return this.events[this.timeline.at - 1] ?? null;
  }

  draw(byHand = false) {
    if (!this.start) return;
    const { event } = this;
    this.words.textContent = this.verdict();
    this.words.dataset.kind = this.problem === null ? 'plain' : 'bad';
    const value = (key) => (event ? plainNumber(event[key]) : null);
    this.figures.set({
      'watch.g': value('g'),
      'watch.h': value('h'),
      'watch.f': value('f'),
      'watch.frontier': value('frontier'),
      'watch.closedcount': value('closed'),
      'watch.threshold': event && event.threshold !== null ? value('threshold') : null,
    });
    this.blindNote.hidden = isInformed(this.algorithm);
    this.drawBoard();
    this.explanation.of(this.shown(), this.goal, this.heuristic);
    this.thresholdsPart.hidden = this.thresholds(this.timeline.at).length === 0;
    this.treeChart.redraw();
    this.growthChart.redraw();
    this.thresholdChart.redraw();
    if (byHand) this.app.say(this.momentWords(this.timeline.at));
  }

  shown() {
    return this.event ? readBoard(this.event.board) : this.start;
  }

  drawBoard() {
    if (!this.start) return;
    this.view.draw(this.shown(), { ...this.app.look(this.goal), marks: this.marks, animate: false });
  }

  verdict() {
    if (this.problem !== null) return this.problem;
    const { event, outcome } = this;
    if (!event) return t('watch.loading');
    if (this.timeline.at < this.events.length || !outcome) return t('watch.expanding', { n: event.number });
    if (outcome.length !== null) {
      return t('watch.found', { n: outcome.length, expanded: outcome.stats.expanded });
    }
    const isCapped = this.events.length >= Math.min(MOST, this.app.state.server?.limits?.watched ?? MOST);
    return t(isCapped ? 'watch.capped' : 'watch.nothing', { n: this.events.length });
  }

  momentWords(at) {
    const event = this.events?.[at - 1];
    if (!event) return t('watch.start');
    const { number: n, g, h, f, frontier, closed } = event;
    return t('watch.moment', { n, g, h, f, frontier, closed });
  }

  paintTree(width) {
    if (!this.start) return null;
    const tree = this.grown(this.timeline.at);
    const { picture, shown, all } = treePicture(tree, {
      width,
      title: t('watch.picture', { n: tree.nodes.size }),
      describe: nodeWords,
    });
    this.treeNote.hidden = shown === all;
    this.treeNote.textContent = t('watch.part', { shown, all });
    return picture;
  }

  paintGrowth(width) {
    if (!this.start) return null;
    const events = this.events.slice(0, this.timeline.at);
    const every = Math.ceil(events.length / 300) || 1;
    const some = events.filter((_, i) => i % every === 0 || i === events.length - 1);
    const line = (key, tone) => ({ name: key, tone, points: some.map((event) => [event.number, event[key]]) });
    return lineChart({
      title: t('watch.growth'),
      width,
      height: 170,
      x: { label: t('watch.expanded'), from: 0, whole: true, format: number },
      y: { from: 0, whole: true, format: number },
      series: [line('frontier', 1), line('closed', 2)],
    });
  }

  paintThresholds(width) {
    if (!this.start) return null;
    const found = this.thresholds(this.timeline.at);
    const bars = found.map(([threshold, count]) => ({
      name: t('watch.threshold.bar', { threshold }),
      value: count,
      text: number(count),
    }));
    return barChart({ title: t('watch.thresholds'), bars, width });
  }
}

function nodeWords(node) {
  const values = { board: node.board.replaceAll('/', ' / '), g: node.g, h: node.h ?? 0 };
  return node.number ? t('watch.node', { ...values, n: node.number }) : t('watch.node.waiting', values);
}

function neighboursOf(text) {
  const board = readBoard(text);
  return legalMoves(board).map((move) => boardText(slide(board, move)));
}

function memo(compute) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
}
