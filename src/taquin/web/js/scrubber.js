/**
 * A way through moves: play, pause, step, speed, a slider, and the complete list of steps, of which
 * only those in view are drawn.
 *
 *     const scrubber = new Scrubber(element, {start, moves, times, onShow});
 *
 * `onShow(board, number, {animate})` is called with each board to show; 0 is the first. `times` are
 * milliseconds; with them it plays at the player's own pace. `load({start, moves, times, keep})` takes
 * other moves, at the start or (with `keep`) at the same number. `show(number)` goes there.
 */

import { slide, tilesMoved } from './board.js';
import { button, choice, el, icon, setStyle } from './dom.js';
import { clock, number, t } from './i18n.js';

const STEP = 420; // milliseconds for a move where times are unknown
const LONGEST = 3000; // nobody wants to watch somebody think
const ROW = 32; // pixels of a step in the list
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const STRIDE = 128; // every so many boards one is kept, from which the others are soon reached
const ARROWS = { U: '↑', D: '↓', L: '←', R: '→' };

let lists = 0;

export class Scrubber {
  constructor(element, { start, moves = '', times, onShow = () => {}, speed = 1 }) {
    this.element = element;
    this.onShow = onShow;
    this.speed = speed;
    this.timer = null;
    this.prefix = `steps-${++lists}`;
    this.build();
    this.load({ start, moves, times });
  }

  load({ start, moves, times, keep = false }) {
    this.pause();
    this.start = start;
    this.moves = moves;
    this.times = times?.length === moves.length ? times : null;
    this.tilesMoved = tilesMoved(start, moves);
    this.boards = new Map([[0, start]]);
    this.slider.max = moves.length;
    this.slider.disabled = !moves.length;
    this.list.style.setProperty('--steps', moves.length + 1);
    this.show(keep ? Math.min(this.at ?? 0, moves.length) : 0, { animate: false });
  }

  get length() {
    return this.moves.length;
  }
  get playing() {
    return this.timer !== null;
  }

  /** The board after so many moves. */
  boardAt(count) {
    let kept = Math.floor(count / STRIDE) * STRIDE;
    while (!this.boards.has(kept)) kept -= STRIDE;
    let board = this.boards.get(kept);
    for (; kept + STRIDE <= count; kept += STRIDE) {
      board = slide(board, this.moves.slice(kept, kept + STRIDE));
      this.boards.set(kept + STRIDE, board);
    }
    return slide(board, this.moves.slice(kept, count));
  }

  show(count, { animate = Math.abs(count - (this.at ?? 0)) === 1 } = {}) {
    this.at = Math.max(0, Math.min(count, this.length));
    this.slider.value = this.at;
    this.slider.setAttribute('aria-valuetext', this.stepWords(this.at));
    this.place.textContent = t('scrubber.place', { at: this.at, length: this.length });
    this.drawSteps(true);
    this.enable();
    const most = this.playing ? this.wait(this.at) * 0.9 : 160;
    this.onShow(this.boardAt(this.at), this.at, { animate: animate && Math.min(160, most) });
  }

  // --- time

  play() {
    if (!this.length) return;
    if (this.at === this.length) this.show(0, { animate: false });
    this.tick();
    this.enable();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.enable();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  tick() {
    this.timer = setTimeout(() => {
      this.show(this.at + 1, { animate: true });
      if (this.at < this.length) this.tick();
      else this.pause();
    }, this.wait(this.at + 1));
  }

  /** Milliseconds before a move. */
  wait(count) {
    const own = this.times ? this.times[count - 1] - (this.times[count - 2] ?? -STEP) : STEP;
    return Math.min(own || 0, LONGEST) / this.speed;
  }

  /** Stops for good. */
  destroy() {
    this.pause();
    this.element.replaceChildren();
  }

  // --- what is seen

  build() {
    const act = (words, drawing, action) =>
      button(t(words), { icon: drawing, bare: true, kind: 'quiet', on: { click: action } });
    const stop = (change) => () => {
      this.pause();
      this.show(change());
    };
    this.first = act('scrubber.first', 'first', stop(() => 0));
    this.back = act('scrubber.back', 'back', stop(() => this.at - 1));
    this.toggler = act('scrubber.play', 'play', () => this.toggle());
    this.next = act('scrubber.next', 'next', stop(() => this.at + 1));
    this.last = act('scrubber.last', 'last', stop(() => this.length));
    this.toggler.classList.add('round');
    const speeds = SPEEDS.map((speed) => [String(speed), `${number(speed)}×`]);
    const pace = choice(speeds, String(this.speed), (value) => (this.speed = Number(value)), {
      'aria-label': t('scrubber.speed'),
    });
    this.slider = el('input', {
      type: 'range', min: 0, step: 1, class: 'slider', 'aria-label': t('scrubber.slider'),
      on: { input: stop(() => Number(this.slider.value)) },
    });
    this.place = el('output', { class: 'place' });
    this.list = el('div', {
      class: 'steps', role: 'listbox', tabIndex: 0, 'aria-label': t('scrubber.steps'),
      on: { scroll: () => this.drawSteps(), keydown: (event) => this.key(event) },
    });
    setStyle(this.list, { '--row-height': `${ROW}px` });
    this.rows = el('div', { class: 'rows', role: 'presentation' });
    this.list.append(this.rows);
    this.element.classList.add('scrubber');
    this.element.replaceChildren(
      el('div', { class: 'bar' },
        this.first, this.back, this.toggler, this.next, this.last, pace, this.place,
      ),
      this.slider,
      this.list,
    );
  }

  enable() {
    if (this.at === undefined) return;
    this.first.disabled = this.back.disabled = this.at === 0;
    this.next.disabled = this.last.disabled = this.at === this.length;
    this.toggler.disabled = !this.length;
    const words = t(this.playing ? 'scrubber.pause' : 'scrubber.play');
    if (this.toggler.title !== words) {
      this.toggler.title = words;
      this.toggler.setAttribute('aria-label', words);
      this.toggler.replaceChildren(icon(this.playing ? 'pause' : 'play'));
    }
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
    const jumps = {
      ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: this.at - page,
      Home: 0, End: this.length,
    };
    if (event.key === ' ') this.toggle();
    else if (event.key in jumps) {
      this.pause();
      this.show(jumps[event.key]);
    } else return;
    event.preventDefault();
  }

  /** Draws the steps in view, and brings the one shown into view when it changed. */
  drawSteps(follow = false) {
    const height = this.list.clientHeight || 8 * ROW;
    if (follow) {
      const top = this.at * ROW;
      if (top < this.list.scrollTop) this.list.scrollTop = top;
      else if (top + ROW > this.list.scrollTop + height) this.list.scrollTop = top + ROW - height;
    }
    const from = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 4);
    const to = Math.min(this.length, Math.ceil((this.list.scrollTop + height) / ROW) + 4);
    const rows = [];
    for (let count = from; count <= to; count++) rows.push(this.row(count));
    this.rows.style.setProperty('--above', from);
    this.rows.replaceChildren(...rows);
    this.list.setAttribute('aria-activedescendant', `${this.prefix}-${this.at}`);
  }

  row(count) {
    const parts = [el('span', { class: 'count' }, number(count))];
    if (count === 0) parts.push(el('span', {}, t('scrubber.start')));
    else {
      const move = this.moves[count - 1];
      parts.push(el('span', {}, t('scrubber.tile', { tile: String(this.tilesMoved[count - 1]) })));
      parts.push(el('span', { 'aria-label': t(`direction.${move}`), role: 'img' }, ARROWS[move]));
      if (this.times) parts.push(el('span', { class: 'time' }, clock(this.times[count - 1])));
    }
    return el(
      'div',
      {
        class: 'step', role: 'option', id: `${this.prefix}-${count}`,
        'aria-selected': String(count === this.at),
        'aria-posinset': count + 1, 'aria-setsize': this.length + 1,
        on: {
          click: () => {
            this.pause();
            this.show(count);
          },
        },
      },
      parts,
    );
  }

  stepWords(count) {
    if (!count) return t('scrubber.start');
    const tile = String(this.tilesMoved[count - 1]);
    const direction = t(`direction.${this.moves[count - 1]}`);
    return t('scrubber.step', { n: count, length: this.length, tile, direction });
  }
}
