/**
 * Leads through a growing number of moments: play, pause, step, speed and a slider. It looks and is
 * handled like the scrubber, which is for moves.
 *
 *     const timeline = new Timeline(element, {speeds: [1, 5], words: (at) => …, onShow: (at) => …});
 *     timeline.grow(120);
 */

import { button, choice, el, icon } from './dom.js';
import { number, t } from './i18n.js';

export class Timeline {
  /** speeds: moments per second; words(at) names a moment for screen readers. */
  constructor(element, { speeds, speed = speeds[0], words, onShow }) {
    this.element = element;
    this.speeds = speeds;
    this.speed = speed;
    this.words = words;
    this.onShow = onShow;
    this.at = 0;
    this.length = 0;
    /** Whether more moments are to come. */
    this.growing = false;
    /** Whether the newest is shown, whenever there is a newer one. */
    this.following = false;
    this.timer = null;
    this.build();
  }

  get playing() {
    return this.timer !== null;
  }

  reset() {
    this.pause();
    this.following = false;
    this.length = 0;
    this.growing = true;
    this.show(0);
  }

  grow(length, growing = true) {
    this.length = length;
    this.growing = growing;
    if (this.following) this.show(length);
    else this.draw();
  }

  show(at, byHand = false) {
    if (byHand) this.following = false;
    this.at = Math.max(0, Math.min(at, this.length));
    this.draw();
    this.onShow(this.at, byHand);
  }

  play() {
    if (this.at === this.length && !this.growing) this.show(0);
    this.following = false;
    this.timer = setInterval(() => this.tick(), 1000 / this.speed);
    this.draw();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.draw();
  }

  tick() {
    if (this.at < this.length) this.show(this.at + 1);
    else if (!this.growing) this.pause();
  }

  // --- what is seen

  build() {
    const act = (words, drawing, action) =>
      button(t(words), { icon: drawing, bare: true, kind: 'quiet', on: { click: action } });
    const stop = (change) => () => {
      // A pause draws the slider anew, so it is asked before.
      const to = change();
      this.pause();
      this.show(to, true);
    };
    this.first = act('scrubber.first', 'first', stop(() => 0));
    this.back = act('scrubber.back', 'back', stop(() => this.at - 1));
    this.toggler = act('scrubber.play', 'play', () => (this.playing ? this.pause() : this.play()));
    this.next = act('scrubber.next', 'next', stop(() => this.at + 1));
    this.last = act('scrubber.last', 'last', () => {
      stop(() => this.length)();
      this.following = this.growing;
    });
    this.toggler.classList.add('round');
    const pace = choice(
      this.speeds.map((speed) => [String(speed), t('timeline.speed', { n: speed })]),
      String(this.speed),
      (value) => this.setSpeed(Number(value)),
      { 'aria-label': t('scrubber.speed') },
    );
    this.slider = el('input', {
      type: 'range', min: 0, step: 1, class: 'slider', 'aria-label': t('timeline.slider'),
      on: { input: stop(() => Number(this.slider.value)) },
    });
    this.place = el('output', { class: 'place' });
    this.element.classList.add('scrubber', 'timeline');
    this.element.replaceChildren(
      el('div', { class: 'bar' }, this.first, this.back, this.toggler, this.next, this.last, pace, this.place),
      this.slider,
    );
  }

  setSpeed(speed) {
    this.speed = speed;
    if (!this.playing) return;
    this.pause();
    this.play();
  }

  draw() {
    this.slider.max = this.length;
    this.slider.value = this.at;
    this.slider.setAttribute('aria-valuetext', this.words(this.at));
    this.place.textContent = `${number(this.at)} / ${number(this.length)}${this.growing ? '…' : ''}`;
    this.slider.disabled = this.toggler.disabled = this.length === 0;
    this.first.disabled = this.back.disabled = this.at === 0;
    this.next.disabled = this.at === this.length;
    this.last.disabled = this.at === this.length && !this.growing;
    const words = t(this.playing ? 'scrubber.pause' : 'scrubber.play');
    if (this.toggler.title === words) return;
    this.toggler.title = words;
    this.toggler.setAttribute('aria-label', words);
    this.toggler.replaceChildren(icon(this.playing ? 'pause' : 'play'));
  }
}
