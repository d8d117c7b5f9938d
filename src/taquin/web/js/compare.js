/**
 * The panel Compare: algorithms with heuristics on the same boards, as a table and charts that fill
 * while the runs go on.
 */

import * as api from './api.js';
import { barChart, keepDrawn } from './charts.js';
import { button, choice, el, field } from './dom.js';
import { number, t } from './i18n.js';
import {
  algorithms, bytesText, download, heuristics, isInformed, nameOf, plainNumber, problemText,
  secondsText,
} from './panelparts.js';
import { boardFor, scrambleChoices, sizeChoices } from './scramble.js';

const COUNTS = ['1', '3', '5', '10', '20'];
const SECONDS = ['1', '5', '10', '30'];
const CHOSEN = { algorithms: ['bfs', 'greedy', 'astar', 'idastar'], heuristics: ['manhattan', 'linear-conflict'] };

/** The figures that are drawn; by powers of ten, where they differ by as much. */
const CHARTS = [
  { key: 'expanded', log: true, format: plainNumber },
  { key: 'seconds', log: true, format: secondsText },
  { key: 'memory', log: true, format: bytesText },
  { key: 'length', log: false, format: plainNumber },
];

export function mount(element, app) {
  new ComparePanel(element, app);
}

class ComparePanel {
  constructor(element, app) {
    this.app = app;
    this.boards = [];
    this.plan = [];
    this.results = [];
    this.comparison = null;
    this.job = null;
    this.problem = null;
    this.build(element);
    const off = app.on((state, before) => {
      if (!element.isConnected) {
        this.job?.controller.abort();
        off();
      } else if (state.server !== before.server) this.draw();
    });
    this.draw();
  }

  // --- the runs

  async run() {
    this.takeBoards();
    this.plan = pairs(this.chosen('algorithms'), this.chosen('heuristics'));
    this.results = [];
    this.comparison = null;
    this.problem = null;
    if (this.plan.length === 0) {
      this.problem = t('compare.none');
      this.draw();
      return;
    }
    const controller = new AbortController();
    const mine = { controller, stop: null, stopping: false };
    this.job = mine;
    this.draw();
    try {
      const job = await api.compare(this.boards, this.options(), {
        onItem: (result) => this.take(result),
        onResult: (comparison) => (this.comparison = comparison),
        signal: controller.signal,
      });
      mine.stop = job.stop;
      if (mine.stopping) job.stop().catch(() => {});
      await job.done;
    } catch (error) {
      this.problem = problemText(error);
    }
    this.job = null;
    this.draw();
    this.app.say(this.verdict());
  }

  options() {
    const heuristicNames = this.chosen('heuristics');
    return {
      goal: this.goal,
      algorithms: this.chosen('algorithms'),
      heuristics: heuristicNames.length ? heuristicNames : undefined,
      limit: { seconds: Number(this.secondsBox.value) },
    };
  }

  takeBoards() {
    const size = this.sizeBox.value;
    const count = size === 'current' ? 1 : Number(this.countBox.value);
    const drawn = Array.from({ length: count }, () => boardFor(size, this.scrambleBox.value, this.app.state.game));
    this.goal = drawn[0].goal;
    this.boards = drawn.map(({ board }) => board);
  }

  take(result) {
    this.results.push(result);
    this.draw();
  }

  stop() {
    this.job.stopping = true;
    this.job.stop?.().catch(() => {});
    this.draw();
  }

  chosen(what) {
    return [...this.boxes[what].querySelectorAll('input:checked')].map((box) => box.value);
  }

  // --- what is seen

  build(element) {
    this.boxes = {
      algorithms: checks(t('compare.algorithms'), algorithms(), CHOSEN.algorithms),
      heuristics: checks(t('compare.heuristics'), heuristics(), CHOSEN.heuristics),
    };
    this.words = el('p', { class: 'verdict' });
    this.table = el('table', { class: 'figures-table' });
    this.startButton = button(t('compare.start'), {
      kind: 'primary', on: { click: () => (this.job ? this.stop() : this.run()) },
    });
    this.downloads = el(
      'div',
      { class: 'row-of-buttons' },
      button(t('compare.csv'), { icon: 'download', kind: 'quiet', on: { click: () => this.saveCsv() } }),
      button(t('compare.json'), { icon: 'download', kind: 'quiet', on: { click: () => this.saveJson() } }),
    );
    this.outcome = el(
      'div',
      { class: 'card', hidden: true },
      el('h3', {}, t('compare.table')),
      el('div', { class: 'scroll-x', tabIndex: 0, role: 'region', 'aria-label': t('compare.table') }, this.table),
      this.downloads,
    );
    this.charts = CHARTS.map((chart) => this.chartCard(chart));
    this.chartCards = el('div', { class: 'charts', hidden: true }, this.charts.map((chart) => chart.card));
    element.append(
      el(
        'div',
        { class: 'compare-grid' },
        el('div', { class: 'card' }, this.controls(), this.words),
        this.outcome,
        this.chartCards,
      ),
    );
  }

  chartCard({ key, log, format }) {
    const place = el('div', { class: 'chart-place' });
    const title = t(`compare.chart.${key}`);
    const paint = (width) => {
      const bars = this.rows().map((row) => ({
        name: row.name,
        value: row[key],
        text: row[key] === null ? '–' : format(row[key]),
        tone: row.tone,
      }));
      return barChart({ title, bars, width, log });
    };
    const note = log ? el('p', { class: 'note' }, t('compare.log')) : null;
    const card = el('figure', { class: 'card' }, el('h3', {}, title), place, note);
    return { card, redraw: keepDrawn(place, paint).redraw };
  }

  controls() {
    this.sizeBox = choice(sizeChoices(), '3x3', (size) => {
      this.countBox.disabled = this.scrambleBox.disabled = size === 'current';
    });
    this.countBox = choice(COUNTS.map((count) => [count, number(Number(count))]), '3', () => {});
    this.scrambleBox = choice(scrambleChoices(), 'random', () => {});
    this.secondsBox = choice(SECONDS.map((seconds) => [seconds, secondsText(Number(seconds))]), '5', () => {});
    return [
      el('h2', {}, t('compare.title')),
      el('p', { class: 'note' }, t('compare.intro')),
      el(
        'div',
        { class: 'pair' },
        field(t('compare.size'), this.sizeBox),
        field(t('compare.count'), this.countBox),
        field(t('boards.scramble'), this.scrambleBox),
        field(t('compare.seconds'), this.secondsBox),
      ),
      this.boxes.algorithms,
      this.boxes.heuristics,
      this.startButton,
    ];
  }

  draw() {
    const runs = this.job !== null;
    const word = runs ? (this.job.stopping ? 'solve.stopping' : 'solve.stop') : 'compare.start';
    this.startButton.querySelector('span').textContent = t(word);
    this.startButton.classList.toggle('danger', runs);
    this.startButton.disabled = runs ? this.job.stopping : this.app.state.server === false;
    this.words.textContent = this.verdict();
    this.words.dataset.kind = this.problem === null ? 'plain' : 'bad';
    this.words.hidden = this.words.textContent === '';
    const rows = this.rows();
    this.outcome.hidden = rows.length === 0;
    this.chartCards.hidden = this.results.length === 0;
    this.downloads.hidden = this.comparison === null;
    this.drawTable(rows);
    for (const chart of this.charts) chart.redraw();
  }

  drawTable(rows) {
    const head = ['name', 'solved', 'length', 'optimal', 'expanded', 'seconds', 'memory'];
    const cells = (row) => [
      `${number(row.solved)} / ${number(this.boards.length)}`,
      row.length === null ? '–' : plainNumber(row.length),
      row.known ? `${number(row.optimal)} / ${number(row.known)}` : '–',
      row.runs ? plainNumber(row.expanded) : '–',
      row.runs ? secondsText(row.seconds) : '–',
      row.runs ? bytesText(row.memory) : '–',
    ];
    this.table.replaceChildren(
      el('caption', { class: 'unseen' }, t('compare.table')),
      el('thead', {}, el('tr', {}, head.map((key) => el('th', { scope: 'col' }, t(`compare.column.${key}`))))),
      el(
        'tbody',
        {},
        rows.map((row) =>
          el(
            'tr',
            { class: row.runs < this.boards.length && this.job ? 'unfinished' : '' },
            el('th', { scope: 'row', class: `tone-${row.tone}` }, row.name),
            cells(row).map((text) => el('td', {}, text)),
          ),
        ),
      ),
    );
  }

  verdict() {
    if (this.problem !== null) return this.problem;
    const all = this.plan.length * this.boards.length;
    if (this.job) return t('compare.running', { done: this.results.length, all });
    return all ? t('compare.done', { n: this.results.length }) : '';
  }

  // --- the figures

  /** One row for each algorithm and heuristic: means over the boards that were run so far. */
  rows() {
    const optima = optimaOf(this.results);
    const names = [...new Set(this.plan.map(([algorithm]) => algorithm))];
    return this.plan.map(([algorithm, heuristic]) => {
      const mine = this.results.filter((it) => it.algorithm === algorithm && (it.heuristic ?? null) === heuristic);
      const solved = mine.filter((it) => it.length !== null);
      const known = solved.filter((it) => optima.has(it.board));
      return {
        name: heuristic === null ? nameOf(algorithm) : `${nameOf(algorithm)} · ${nameOf(heuristic)}`,
        tone: (names.indexOf(algorithm) % 6) + 1,
        runs: mine.length,
        solved: solved.length,
        known: known.length,
        optimal: known.filter((it) => it.length === optima.get(it.board)).length,
        length: mean(solved.map((it) => it.length)),
        expanded: mean(mine.map((it) => it.stats.expanded)),
        seconds: mean(mine.map((it) => it.stats.seconds)),
        memory: mean(mine.map((it) => it.stats.peak_memory)),
      };
    });
  }

  saveCsv() {
    download('taquin-comparison.csv', 'text/csv', this.comparison.csv);
  }

  saveJson() {
    const { results } = this.comparison;
    download('taquin-comparison.json', 'application/json', JSON.stringify({ results }, null, 1));
  }
}

function checks(title, names, chosen) {
  const boxes = names.map(([name, words]) =>
    el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', value: name, checked: chosen.includes(name) }),
      el('span', {}, words),
    ),
  );
  return el('fieldset', { class: 'checks' }, el('legend', {}, title), boxes);
}

/** Blind algorithms run once, the others with each heuristic. */
function pairs(chosenAlgorithms, chosenHeuristics) {
  return chosenAlgorithms.flatMap((algorithm) =>
    isInformed(algorithm) ? chosenHeuristics.map((heuristic) => [algorithm, heuristic]) : [[algorithm, null]],
  );
}

const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);

/** The optimum of each board for which some run has proven one. */
function optimaOf(results) {
  return new Map(results.filter((it) => it.proof === 'optimal').map((it) => [it.board, it.length]));
}
