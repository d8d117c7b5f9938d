/** A recorded game: a film of it, and what each move cost against the optimum. */

import * as api from './api.js';
import { goalOf, readBoard, slide, tilesMoved } from './board.js';
import { keepDrawn, legend, lineChart } from './charts.js';
import { button, el } from './dom.js';
import { clock, language, number, t } from './i18n.js';
import { PathView, figures, problemText } from './panelparts.js';

const ARROWS = { U: '↑', D: '↓', L: '←', R: '→' };

export class GameView {
  /** record: as /api/records/{id} gives it; onBack is called when the reader wants to leave. */
  constructor(element, app, record, onBack) {
    this.app = app;
    this.record = record;
    this.start = readBoard(record.board);
    this.goal = goalOf(record.goal, this.start);
    this.times = record.times?.map((seconds) => 1000 * seconds);
    this.analysis = null;
    this.controller = null;
    this.build(element, onBack);
    this.path.follow(this.start, this.goal, record.moves, this.times);
  }

  pause() {
    this.path.pause();
  }

  close() {
    this.controller?.abort();
    this.path.scrubber.destroy();
    this.chart.close();
  }

  // --- the analysis

  async analyse() {
    this.controller = new AbortController();
    this.analyseButton.disabled = true;
    this.words.textContent = t('analysis.running');
    try {
      const job = await api.records.analyse(this.record.id, {
        onResult: (analysis) => (this.analysis = analysis),
        signal: this.controller.signal,
      });
      await job.done;
      this.draw();
      this.app.say(this.words.textContent);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.words.textContent = problemText(error);
      this.analyseButton.disabled = false;
    }
  }

  // --- what is seen

  build(element, onBack) {
    const { record } = this;
    const boardPlace = el('div', { class: 'board' });
    const scrubberPlace = el('div', { class: 'card path-card' });
    const heading = el('h2', { tabIndex: -1 }, t('game.title', { n: record.moves.length }));
    this.words = el('p', { class: 'verdict' });
    this.stepWords = el('p', { class: 'note step-words' });
    this.mistakes = el('ol', { class: 'mistakes' });
    this.chartPlace = el('div', { class: 'chart-place' });
    this.figure = el(
      'figure',
      { hidden: true },
      this.chartPlace,
      legend([[1, t('analysis.needed')], [2, t('analysis.ideal')]]),
    );
    this.analyseButton = button(t('analysis.start'), { on: { click: () => this.analyse() } });
    const when = new Intl.DateTimeFormat(language(), { dateStyle: 'long', timeStyle: 'short' });
    const facts = figures();
    element.replaceChildren(
      el(
        'div',
        { class: 'split game-view' },
        el('div', { class: 'stage' }, boardPlace),
        el(
          'div',
          { class: 'side' },
          el(
            'div',
            { class: 'card' },
            button(t('game.back'), { icon: 'back', kind: 'quiet', on: { click: onBack } }),
            heading,
            el('p', { class: 'note' }, when.format(new Date(record.finished_at))),
            facts.element,
            el(
              'div',
              { class: 'row-of-buttons' },
              button(t('game.again'), { icon: 'restart', on: { click: () => this.playAgain() } }),
              button(t('solve.share'), { icon: 'share', kind: 'quiet', on: { click: () => this.share() } }),
            ),
          ),
          scrubberPlace,
          el(
            'div',
            { class: 'card' },
            el('h3', {}, t('analysis.title')),
            [this.words, this.analyseButton, this.figure, this.mistakes],
          ),
        ),
      ),
    );
    facts.set({
      'game.time': record.given_up ? t('records.dnf') : clock(1000 * record.seconds),
      'game.moves': number(record.moves.length),
      'game.optimum': record.optimum === null ? null : number(record.optimum),
      'game.hints': number(record.hints),
    });
    this.path = new PathView(boardPlace, scrubberPlace, this.app, {
      marks: (board, at) => this.marksAt(board, at),
      onShow: (board, at) => this.showStep(board, at),
    });
    scrubberPlace.append(this.stepWords);
    this.chart = keepDrawn(this.chartPlace, (width) => this.paint(width));
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  draw() {
    const { analysis } = this;
    const { optimum, known, lost, length } = analysis;
    this.analyseButton.hidden = true;
    this.words.dataset.kind = lost === 0 && optimum !== null ? 'good' : 'plain';
    this.words.textContent =
      lost === 0 && optimum !== null
        ? t('analysis.perfect', { n: length })
        : optimum !== null
          ? t('analysis.whole', { n: lost, optimum, length })
        : t('analysis.part', { known, length, lost });
    this.figure.hidden = known === 0;
    this.mistakes.replaceChildren(...analysis.mistakes.map((mistake) => this.mistake(mistake)));
    this.path.show(this.path.scrubber.at);
    this.chart.redraw();
  }

  mistake({ first, last, lost, instead }) {
    const board = slide(this.start, this.record.moves.slice(0, first - 1));
    const better = moveText(board, instead[0]);
    const key = first === last ? 'analysis.mistake.one' : 'analysis.mistake';
    const words = t(key, { first, last, n: lost, better });
    return el(
      'li',
      {},
      el('button', { type: 'button', class: 'link', on: { click: () => this.path.show(first - 1) } }, words),
    );
  }

  /** What is known of the move after so many. */
  stepAt(at) {
    const step = this.analysis?.steps[at];
    return step && step.lost !== null ? step : null;
  }

  /** In the place of a move that lost something, the better one is marked. */
  marksAt(board, at) {
    const step = this.stepAt(at);
    if (!step?.lost) return {};
    const [tile] = tilesMoved(board, step.best);
    return { [tile]: { kind: 'next', text: ARROWS[step.best], label: t(`direction.${step.best}`) } };
  }

  showStep(board, at) {
    const step = this.stepAt(at);
    this.stepWords.textContent = step ? stepWords(board, step) : '';
  }

  paint(width) {
    if (!this.analysis) return null;
    const { steps, optimum } = this.analysis;
    const needed = steps.map((step) => [step.number - 1, step.before, stepTitle(step), step.lost > 0]);
    if (steps.length) needed.push([steps.length, steps.at(-1).after]);
    const ideal = optimum === null ? [] : [[0, optimum], [optimum, 0]];
    return lineChart({
      title: t('analysis.picture'),
      width,
      height: 220,
      x: { label: t('analysis.number'), from: 0, whole: true, format: number },
      y: { label: t('chart.moves'), from: 0, whole: true, format: number },
      series: [
        { name: 'ideal', points: ideal, tone: 2 },
        { name: 'needed', points: needed, tone: 1, dots: true },
      ],
    });
  }

  // --- what can be done with it

  playAgain() {
    this.app.begin(this.start, this.goal);
    this.app.open('play');
  }

  share() {
    const { start, goal, times } = this;
    this.app.share({ kind: 'replay', start, goal, moves: this.record.moves, times });
  }
}

const moveText = (board, move) => `${tilesMoved(board, move)[0]} ${ARROWS[move]}`;

function stepWords(board, { move, best, lost }) {
  const next = moveText(board, move);
  if (!lost) return t('analysis.good', { next });
  return t('analysis.bad', { next, n: lost, better: moveText(board, best) });
}

function stepTitle(step) {
  if (step.lost === null) return '';
  return `${number(step.number)}: ${step.tile} ${ARROWS[step.move]}${step.lost ? ` (−${step.lost})` : ''}`;
}
