/**
 * Hints in the panel Play: the next moves of the best answer known from wherever the player is.
 *
 * A hint is given when it is asked for, or for every board while "keep showing" is on. The tiles to
 * move next are marked on the board: `app.state.marks`, by tile.
 */

import { tilesMoved } from './board.js';
import { button, el } from './dom.js';
import { isFinished } from './game.js';
import { number, t } from './i18n.js';
import { problemText } from './panelparts.js';
import { isTaken } from './input.js';
import { Planner, journey } from './planner.js';

/** How many moves a hint shows. */
const AHEAD = 6;
const ARROWS = { U: '↑', D: '↓', L: '←', R: '→' };

export function mount(element, app) {
  const panel = new HintPanel(element, app);
  return { show: (wish) => wish?.ask && panel.ask() };
}

class HintPanel {
  constructor(element, app) {
    this.element = element;
    this.app = app;
    /** Follows the player from the first hint of a game on. */
    this.planner = null;
    this.asked = false;
    this.said = '';
    this.ended = new AbortController();
    this.build();
    const forget = app.on((state, before) => {
      if (element.isConnected) this.heed(state, before);
      else {
        this.close();
        this.ended.abort();
        forget();
      }
    });
    document.addEventListener('keydown', (event) => this.key(event), { signal: this.ended.signal });
    this.draw();
  }

  get keeps() {
    return this.keepBox.checked;
  }

  heed({ game, server }, before) {
    if (game === before.game) {
      if (server !== before.server) this.draw();
      return;
    }
    const isSame = game.start === before.game?.start && game.goal === before.game?.goal;
    if (!isSame || isFinished(game)) this.close();
    if (game.board !== before.game?.board) {
      this.asked = false;
      this.planner?.follow(journey(before.game.moves, game.moves));
      if (this.keeps && !isFinished(game)) this.ask();
    }
    this.draw();
  }

  key(event) {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTaken(event.target);
    if (isPlain && event.key.toLowerCase() === 'h' && this.app.state.tab === 'play') this.ask();
  }

  /** The player wants a hint for this board. */
  ask() {
    const { game, server } = this.app.state;
    if (isFinished(game) || server === false) return;
    this.asked = true;
    this.said = '';
    this.planner ??= new Planner(game.board, game.goal, () => this.draw());
    if (this.planner.problem) this.planner.begin();
    this.app.countHint();
    this.draw();
  }

  close() {
    this.planner?.close();
    this.planner = null;
    this.asked = false;
  }

  // --- what is seen

  build() {
    this.button = button(t('hint.ask'), { icon: 'hint', on: { click: () => this.ask() } });
    this.keepBox = el('input', {
      type: 'checkbox',
      on: { change: () => this.keepChanged() },
    });
    this.next = el('p', { class: 'hint-moves' });
    this.words = el('p', { class: 'hint-words note' });
    this.element.classList.add('hint');
    this.element.append(
      el(
        'div',
        { class: 'row-of-buttons' },
        this.button,
        el('label', { class: 'check' }, this.keepBox, el('span', {}, t('hint.keep'))),
      ),
      this.next,
      this.words,
    );
  }

  keepChanged() {
    if (this.keeps) this.ask();
    else this.asked = false;
    this.draw();
  }

  draw() {
    const { game, server } = this.app.state;
    const hint = this.asked && this.planner ? this.planner.hint(AHEAD) : null;
    const tiles = hint ? tilesMoved(game.board, hint.moves) : [];
    this.button.disabled = !game || isFinished(game) || server === false;
    this.mark(hint, tiles);
    this.next.replaceChildren(...(hint ? steps(hint.moves, tiles) : []));
    this.words.textContent = this.asked ? this.text(hint) : '';
    this.next.hidden = !hint?.moves;
    this.words.hidden = this.words.textContent === '';
    this.say(hint, tiles);
  }

  mark(hint, tiles) {
    const marks = {};
    if (hint?.moves) {
      const [move] = hint.moves;
      marks[tiles[0]] = { kind: 'next', text: ARROWS[move], label: t(`direction.${move}`) };
    }
    const now = JSON.stringify(marks);
    if (now === this.marked) return;
    this.marked = now;
    this.app.set({ marks });
  }

  text(hint) {
    if (this.planner?.problem && !hint) return problemText(this.planner.problem);
    if (!hint) return t('hint.thinking');
    if (hint.left === 0) return t('hint.there');
    if (hint.isOptimal) return t('hint.optimal', { n: hint.left });
    const key = hint.planning ? 'hint.sofar' : 'hint.known';
    return t(key, { n: hint.left, bound: hint.lowerBound });
  }

  /** Tells screen readers once for each board, as soon as there is something to tell. */
  say(hint, tiles) {
    if (!hint?.moves || this.said === this.app.state.game.moves + hint.moves[0]) return;
    this.said = this.app.state.game.moves + hint.moves[0];
    const direction = t(`direction.${hint.moves[0]}`);
    const first = t('hint.say', { tile: String(tiles[0]), direction });
    this.app.say(t('sentences', { first, second: this.text(hint) }));
  }
}

function steps(moves, tiles) {
  return [...moves].map((move, i) =>
    el(
      'span',
      { class: i ? 'hint-step' : 'hint-step first' },
      el('span', {}, number(tiles[i], { useGrouping: false })),
      el('span', { role: 'img', 'aria-label': t(`direction.${move}`) }, ARROWS[move]),
    ),
  );
}
