/**
 * The panel Records: bests, averages and the history of each size and goal; every game as a film, with
 * what each of its moves cost.
 */

import * as api from './api.js';
import { keepDrawn, legend, lineChart } from './charts.js';
import { button, choice, el, field } from './dom.js';
import { GameView } from './gameview.js';
import { clock, has, language, number, t } from './i18n.js';
import { problemText, secondsText } from './panelparts.js';

/** So many games are listed, and so many more on demand. */
const PAGE = 20;
const MOST = 1000;

const AVERAGES = ['mo3', 'ao5', 'ao12'];

export function mount(element, app) {
  const panel = new RecordsPanel(element, app);
  return { show: () => panel.refresh(), hide: () => panel.game?.pause() };
}

class RecordsPanel {
  constructor(element, app) {
    this.app = app;
    this.series = [];
    this.games = [];
    this.chosen = null;
    this.now = null;
    this.measure = 'seconds';
    this.count = PAGE;
    this.game = null;
    this.build(element);
  }

  /** Asks for the series, and for the games of the one that is shown. */
  async refresh() {
    const asked = (this.asked = {});
    let failure = null;
    try {
      const { series } = await api.records.list({ hints: this.hintsBox.checked, count: 0 });
      const now = this.pick(series);
      const games = now ? (await api.records.list({ size: now.size, goal: now.goal, count: this.count })).games : [];
      if (this.asked !== asked) return;
      Object.assign(this, { series, now, games });
    } catch (error) {
      failure = problemText(error);
    }
    this.words.textContent = failure ?? (this.series.length ? '' : t('records.none'));
    this.words.dataset.kind = failure === null ? 'plain' : 'bad';
    this.draw();
  }

  /** The series that was chosen, or else that of the game being played. */
  pick(series) {
    const { start } = this.app.state.game;
    const own = `${start.rows}x${start.cols}`;
    return series.find((it) => keyOf(it) === this.chosen) ?? series.find((it) => it.size === own) ?? series[0] ?? null;
  }

  choose(key) {
    this.chosen = key;
    this.count = PAGE;
    this.refresh();
  }

  // --- one game

  async open(id) {
    let record;
    try {
      record = await api.records.get(id);
    } catch (error) {
      this.app.tell(problemText(error));
      return;
    }
    this.overview.hidden = true;
    this.detail.hidden = false;
    this.game = new GameView(this.detail, this.app, record, () => this.close(id));
  }

  close(id) {
    this.game?.close();
    this.game = null;
    this.detail.replaceChildren();
    this.detail.hidden = true;
    this.overview.hidden = false;
    this.chart.redraw();
    this.list.querySelector(`[data-id="${CSS.escape(id)}"]`)?.focus();
  }

  // --- what is seen

  build(element) {
    this.words = el('p', { class: 'verdict' });
    this.seriesPlace = el('div', { class: 'pair' });
    this.hintsBox = el('input', { type: 'checkbox', on: { change: () => this.refresh() } });
    const hintsField = el('label', { class: 'check' }, this.hintsBox, el('span', {}, t('records.counthints')));
    this.facts = el('p', { class: 'note' });
    this.bests = el('table', { class: 'figures-table bests' });
    this.chartPlace = el('div', { class: 'chart-place' });
    this.legendPlace = el('div');
    this.list = el('table', { class: 'figures-table games' });
    this.more = button(t('records.more'), {
      kind: 'quiet',
      on: {
        click: () => {
          this.count = Math.min(this.count + 5 * PAGE, MOST);
          this.refresh();
        },
      },
    });
    const bests = [this.seriesPlace, hintsField, this.facts, scrolling(t('records.bests'), this.bests)];
    const history = [el('h3', {}, t('records.history')), this.measureBox(), this.chartPlace, this.legendPlace];
    const games = [el('h3', {}, t('records.games')), scrolling(t('records.games'), this.list), this.more];
    this.cards = el(
      'div',
      { class: 'records-cards' },
      el('div', { class: 'card' }, bests),
      el('figure', { class: 'card' }, history),
      el('div', { class: 'card wide' }, games),
    );
    this.overview = el('div', { class: 'records-overview' }, el('h2', {}, t('records.title')), this.words, this.cards);
    this.detail = el('div', { class: 'records-detail', hidden: true });
    element.append(this.overview, this.detail);
    this.chart = keepDrawn(this.chartPlace, (width) => this.paint(width));
  }

  measureBox() {
    const measures = ['seconds', 'moves'].map((name) => [name, t(`records.${name}`)]);
    const box = choice(measures, this.measure, (measure) => {
      this.measure = measure;
      this.draw();
    });
    return el('div', { class: 'pair' }, field(t('records.measure'), box));
  }

  draw() {
    this.cards.hidden = !this.now;
    if (!this.now) return;
    const names = this.series.map((it) => [keyOf(it), seriesName(it)]);
    const box = choice(names, keyOf(this.now), (key) => this.choose(key));
    this.seriesPlace.replaceChildren(field(t('records.series'), box));
    this.facts.textContent = factsOf(this.now);
    this.bests.replaceChildren(...bestRows(this.now));
    this.legendPlace.replaceChildren(
      legend(
        this.measure === 'seconds'
          ? [[1, t('records.single')], [2, t('records.ao5')], [3, t('records.ao12')]]
          : [[1, t('records.moves')], [2, t('records.optimum')]],
      ),
    );
    this.drawList();
    this.chart.redraw();
  }

  drawList() {
    const columns = ['when', 'seconds', 'moves', 'speed', 'optimum', 'help'];
    this.list.replaceChildren(
      el('thead', {}, el('tr', {}, columns.map((key) => el('th', { scope: 'col' }, t(`records.column.${key}`))))),
      el('tbody', {}, this.games.map((game) => this.row(game))),
    );
    this.more.hidden = this.now.games <= this.games.length || this.count === MOST;
  }

  row(game) {
    const link = el(
      'button',
      { type: 'button', class: 'link', data: { id: game.id }, on: { click: () => this.open(game.id) } },
      momentText(game.finished_at),
    );
    const cells = [
      game.given_up ? t('records.dnf') : clock(1000 * game.seconds),
      number(game.moves),
      game.moves_per_second ? number(game.moves_per_second, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) : '–',
      game.optimum === null ? '–' : number(game.optimum),
      game.hints ? t('records.hints', { n: game.hints }) : '–',
    ];
    return el('tr', {}, el('th', { scope: 'row' }, link), cells.map((text) => el('td', {}, text)));
  }

  paint(width) {
    if (!this.now) return null;
    const latest = this.now.progress.slice(-MOST);
    const first = this.now.progress.length - latest.length + 1;
    const line = (key, tone, dots = false) => ({
      name: key,
      tone,
      dots,
      points: latest.map((point, i) => [first + i, figureOf(point[key]), pointWords(point), dots && point.best]),
    });
    const isTime = this.measure === 'seconds';
    const series = isTime
      ? [line('ao12', 3), line('ao5', 2), line('seconds', 1, true)]
      : [line('optimum', 2), line('moves', 1, true)];
    const label = t(isTime ? 'chart.seconds' : 'chart.moves');
    const format = (value) => number(value, { maximumFractionDigits: 1 });
    return lineChart({
      title: t('records.picture', { n: latest.length }),
      width,
      height: 240,
      x: { label: t('records.number'), from: first, whole: true, format: number },
      y: { label, format, from: 0, whole: !isTime },
      series,
    });
  }
}

const keyOf = ({ size, goal }) => `${size} ${goal}`;

/** A figure of the statistics, or null where it is none (`DNF`). */
const figureOf = (value) => (typeof value === 'number' ? value : null);

function seriesName({ size, goal, games }) {
  const name = has(`goal.${goal}`) ? t(`goal.${goal}`) : goal;
  return `${size.replace('x', '×')} · ${name} (${number(games)})`;
}

function factsOf({ games, solved, with_hints: hinted, moves_per_second: speed, optimum }) {
  const facts = [t('records.played', { n: games }), t('records.solved', { n: solved })];
  if (hinted) facts.push(t('records.hinted', { n: hinted }));
  if (speed.best) facts.push(t('records.fastest', { speed: number(speed.best, { maximumFractionDigits: 2 }) }));
  if (optimum.known) {
    const excess = number(optimum.mean_excess, { maximumFractionDigits: 1 });
    facts.push(t('records.excess', { n: optimum.known, optimal: optimum.optimal, excess }));
  }
  return facts.join(' · ');
}

/** One row for each kind of result; the best there ever was, and that of the latest games. */
function bestRows({ seconds, moves }) {
  const time = (value) => clock(1000 * value);
  const count = (value) => number(value, { maximumFractionDigits: 1 });
  const columns = ['what', 'best.time', 'current.time', 'best.moves', 'current.moves'];
  const row = (name) => {
    const texts = [[seconds, time], [moves, count]].flatMap(([figures, format]) => {
      const figure = figures[name];
      // A single and the mean of all have no latest.
      const { best, current } = AVERAGES.includes(name) ? (figure ?? {}) : { best: figure };
      return [figureText(best, format), figureText(current, format)];
    });
    return el('tr', {}, el('th', { scope: 'row' }, t(`records.${name}`)), texts.map((text) => el('td', {}, text)));
  };
  return [
    el('thead', {}, el('tr', {}, columns.map((key) => el('th', { scope: 'col' }, t(`records.${key}`))))),
    el('tbody', {}, ['single', ...AVERAGES, 'mean'].map(row)),
  ];
}

function figureText(value, format) {
  if (value === null || value === undefined) return '–';
  return value === 'DNF' ? t('records.dnf') : format(value);
}

function pointWords(point) {
  const when = momentText(point.finished_at);
  const time = figureOf(point.seconds) === null ? t('records.dnf') : secondsText(point.seconds);
  return `${when}: ${time}`;
}

export function momentText(text) {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));
}

function scrolling(label, table) {
  return el('div', { class: 'scroll-x', tabIndex: 0, role: 'region', 'aria-label': label }, table);
}
