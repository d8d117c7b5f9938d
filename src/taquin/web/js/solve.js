/**
 * The panel Solve: an answer at once for the current position, better ones as they are found, and the
 * whole way as a film.
 */

import * as api from './api.js';
import { sameBoard, slide } from './board.js';
import { keepDrawn, legend, lineChart } from './charts.js';
import { button, choice, el, field } from './dom.js';
import { number, t } from './i18n.js';
import { PathView, figures, problemText, proofText, secondsText, timeLimits } from './panelparts.js';

/** What ends within so many seconds needs no picture. */
const QUICK = 0.02;

const QUALITIES = ['optimal', 'fast', 'within'];

export function mount(element, app) {
  const panel = new SolvePanel(element, app);
  return { show: (wish) => panel.show(wish), hide: () => panel.path.pause() };
}

class SolvePanel {
  constructor(element, app) {
    this.app = app;
    this.quality = 'optimal';
    this.factor = 1.2;
    this.seconds = 30;
    this.job = null;
    this.takePosition();
    this.build(element);
    const off = app.on((state, before) => {
      if (!element.isConnected) {
        this.job?.controller.abort();
        off();
        return;
      }
      if (state.game.board !== before.game.board && !this.job) this.position(state.game);
      if (state.server !== before.server) this.drawControls();
    });
    this.draw();
  }

  // --- what is solved

  takePosition({ board, goal } = this.app.state.game) {
    this.start = board;
    this.goal = goal;
    this.moves = null;
    this.result = null;
    this.progress = null;
    this.problem = null;
    /** How many others are solved first; null if it is this one's turn. */
    this.ahead = null;
    this.history = [];
  }

  /** The board to solve from now on, unless it is the one that is shown. */
  position({ board, goal }) {
    if (sameBoard(board, this.start) && sameBoard(goal, this.goal)) return;
    this.takePosition({ board, goal });
    this.draw();
  }

  show(wish) {
    if (wish?.run) {
      this.stop();
      this.takePosition({ board: wish.start, goal: wish.goal });
      this.run();
    } else if (!this.job) {
      this.position(this.app.state.game);
    }
  }

  // --- the run

  async run() {
    const { start, goal } = this;
    this.takePosition({ board: start, goal });
    const controller = new AbortController();
    const mine = { controller, stop: null, stopping: false };
    this.job = mine;
    this.draw();
    try {
      const job = await api.solve(start, this.options(), {
        signal: controller.signal,
        onState: (state) => this.job === mine && this.queue(state),
        onProgress: (progress) => this.job === mine && this.heed(progress),
        onResult: (result) => this.job === mine && this.conclude(result),
      });
      mine.stop = job.stop;
      if (mine.stopping) job.stop().catch(() => {});
      await job.done;
    } catch (error) {
      if (this.job === mine) this.problem = problemText(error);
    }
    if (this.job !== mine) return;
    this.job = null;
    this.draw();
    this.app.say(this.verdict());
    // The game may have gone on meanwhile; its position is taken when the panel is opened again.
  }

  options() {
    const quality = this.quality === 'within' ? this.factor : this.quality;
    return { goal: this.goal, quality, limit: { seconds: this.seconds } };
  }

  queue({ state, ahead }) {
    this.ahead = state === 'queued' ? ahead : null;
    this.drawRun();
  }

  heed(progress) {
    const isFirst = this.moves === null;
    this.progress = progress;
    this.note(progress.seconds, progress.best, progress.lower_bound);
    if (typeof progress.moves === 'string') this.take(progress.moves);
    if (isFirst && this.moves !== null) this.app.say(t('solve.first', { n: this.moves.length }));
    this.drawRun();
  }

  conclude(result) {
    this.result = result;
    this.note(result.stats.seconds, result.length, result.lower_bound);
    if (result.moves !== null) this.take(result.moves);
  }

  take(moves) {
    if (moves === this.moves) return;
    this.moves = moves;
    this.path.follow(this.start, this.goal, moves);
  }

  /** Keeps what changed, for the picture. */
  note(seconds, best, bound) {
    const last = this.history.at(-1);
    if (last && last.best === best && last.bound === bound) last.until = seconds;
    else this.history.push({ seconds, until: seconds, best, bound });
  }

  /** Ends the run; the server then tells the best that it has found. */
  stop() {
    if (!this.job) return;
    this.job.stopping = true;
    this.job.stop?.().catch(() => {});
    this.drawControls();
  }

  toggle() {
    if (this.job) this.stop();
    else this.run();
  }

  // --- what is seen

  build(element) {
    this.board = el('div', { class: 'board' });
    this.pathPlace = el('div', { class: 'card path-card' });
    this.controls = el('div', { class: 'card solve-controls' });
    this.words = el('p', { class: 'verdict' });
    this.figures = figures();
    this.chartPlace = el('div', { class: 'chart-place' });
    this.actions = el('div', { class: 'row-of-buttons' });
    this.closingIn = el(
      'figure',
      {},
      this.chartPlace,
      legend([[1, t('solve.length')], [2, t('solve.bound')]]),
    );
    this.report = el('div', { class: 'card' }, this.words, this.figures.element, this.closingIn);
    element.append(
      el(
        'div',
        { class: 'split' },
        el('div', { class: 'stage' }, this.board),
        el('div', { class: 'side' }, this.controls, this.report, this.pathPlace),
      ),
    );
    this.path = new PathView(this.board, this.pathPlace, this.app);
    this.pathPlace.append(this.actions);
    this.intro = el('p', { class: 'note' }, t('solve.intro'));
    this.buildControls();
    this.chart = keepDrawn(this.chartPlace, (width) => this.picture(width));
  }

  buildControls() {
    const names = QUALITIES.map((name) => [name, t(`solve.quality.${name}`)]);
    this.qualityBox = choice(names, this.quality, (quality) => {
      this.quality = quality;
      this.drawControls();
    });
    this.factorBox = el('input', {
      type: 'number', min: 1, max: 10, step: 0.05, value: this.factor, inputMode: 'decimal',
      on: { change: () => this.setFactor() },
    });
    this.factorField = field(t('solve.factor'), this.factorBox);
    const limits = timeLimits(this.app).map((seconds) => [String(seconds), secondsText(seconds)]);
    this.timeBox = choice(limits, String(this.seconds), (seconds) => {
      this.seconds = Number(seconds);
    });
    this.startButton = button(t('solve.start'), {
      kind: 'primary wide', on: { click: () => this.toggle() },
    });
    this.controls.append(
      el('h2', { class: 'unseen' }, t('solve.title')),
      el(
        'div',
        { class: 'pair' },
        field(t('solve.quality'), this.qualityBox),
        this.factorField,
        field(t('solve.time'), this.timeBox),
      ),
      this.startButton,
      this.intro,
    );
    this.actions.append(
      button(t('solve.continue'), { icon: 'play', on: { click: () => this.playFromHere() } }),
      button(t('solve.share'), { icon: 'share', kind: 'quiet', on: { click: () => this.share() } }),
    );
  }

  setFactor() {
    const factor = this.factorBox.valueAsNumber;
    this.factor = factor >= 1 ? Math.min(factor, 10) : 1;
    this.factorBox.value = this.factor;
  }

  draw() {
    this.path.follow(this.start, this.goal, this.moves ?? '');
    this.drawControls();
    this.drawRun();
  }

  drawControls() {
    const runs = this.job !== null;
    const isGone = this.app.state.server === false;
    const word = runs ? (this.job.stopping ? 'solve.stopping' : 'solve.stop') : 'solve.start';
    this.startButton.querySelector('span').textContent = t(word);
    this.startButton.classList.toggle('danger', runs);
    this.startButton.disabled = (isGone && !runs) || Boolean(runs && this.job.stopping);
    this.factorField.hidden = this.quality !== 'within';
    for (const box of [this.qualityBox, this.factorBox, this.timeBox]) box.disabled = runs;
  }

  drawRun() {
    this.words.textContent = this.verdict();
    this.words.dataset.kind = this.kind();
    const { progress, result } = this;
    const seconds = result?.stats.seconds ?? progress?.seconds;
    const expanded = result?.stats.expanded ?? progress?.expanded;
    const best = result ? result.length : (progress?.best ?? null);
    const bound = result?.lower_bound ?? progress?.lower_bound ?? null;
    this.figures.set({
      'solve.length': best === null ? null : number(best),
      'solve.bound': bound === null ? null : number(bound),
      'solve.proof': proofText(best, bound),
      'solve.expanded': expanded === undefined ? null : number(expanded),
      'solve.speed': seconds && expanded ? number(Math.round(expanded / seconds)) : null,
      'solve.seconds': seconds === undefined ? null : secondsText(seconds),
    });
    this.intro.hidden = Boolean(this.job || result);
    this.report.hidden = !this.job && !result && this.problem === null;
    this.pathPlace.hidden = this.moves === null || this.moves === '';
    const isQuick = !(this.history.at(-1)?.until > QUICK);
    this.closingIn.hidden = this.history.length < 2 || isQuick;
    this.chart.redraw();
  }

  kind() {
    if (this.problem !== null || this.result?.status === 'unsolvable') return 'bad';
    return this.result?.proof === 'optimal' ? 'good' : 'plain';
  }

  /** How it stands, in words. */
  verdict() {
    if (this.problem !== null) return this.problem;
    if (this.result) return verdictOf(this.result);
    if (!this.job) return '';
    if (this.ahead !== null) return t('solve.queued', { n: this.ahead });
    if (this.progress?.preparing) return t('solve.preparing');
    if (this.moves === null) return t('solve.searching');
    return t('solve.improving', { n: this.moves.length });
  }

  picture(width) {
    const last = this.history.at(-1);
    if (!last) return null;
    const { until } = last;
    const line = (key) => {
      const known = this.history.filter((entry) => entry[key] !== null);
      const points = known.map((entry) => [entry.seconds, entry[key]]);
      if (points.length) points.push([until, points.at(-1)[1]]);
      return points;
    };
    const [best, bound] = [line('best'), line('bound')];
    return lineChart({
      title: t('solve.picture', { best: last.best ?? '–', bound: last.bound ?? '–' }),
      width,
      height: 130,
      x: { label: t('chart.seconds'), from: 0, to: 1.04 * until || 0.01, format: short },
      y: { label: t('chart.moves'), whole: true, format: short },
      series: [
        { name: 'best', points: best, tone: 1, steps: true },
        { name: 'bound', points: bound, tone: 2, steps: true },
      ],
      band: ['best', 'bound'],
    });
  }

  // --- what can be done with an answer

  playFromHere() {
    this.app.begin(slide(this.start, this.path.made()), this.goal);
    this.app.open('play');
    this.app.tell(t('solve.continued'));
  }

  share() {
    const { start, goal, moves } = this;
    this.app.share({ kind: 'solution', start, goal, moves });
  }
}

const short = (value) => number(value, { maximumSignificantDigits: 3 });

function verdictOf({ status, length, lower_bound: bound, proof }) {
  if (status === 'unsolvable') return t('enter.unsolvable');
  if (length === null) return t('solve.nothing', { n: bound });
  if (length === 0) return t('solve.there');
  if (proof === 'optimal') return t('solve.optimal', { n: length });
  if (status === 'cancelled') return t('solve.stopped', { n: length, bound });
  if (status === 'limit') return t('solve.limit', { n: length, bound });
  return t('solve.known', { n: length, bound });
}
