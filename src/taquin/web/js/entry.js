/** The dialog for any board: pasted as text in any format, or put together by hand. */

import * as api from './api.js';
import { app } from './app.js';
import { GOALS, blankOf, boardText, exchange, goalOf, placeOf, reaches, readBoard } from './board.js';
import { BoardView } from './boardview.js';
import { openDialog } from './dialog.js';
import { button, choice, el, field } from './dom.js';
import { said, t } from './i18n.js';

const LARGEST = 20; // rows or columns that can be played with

/** Opens it with a text, or with the board of the game. */
export function openEntry(given) {
  const dialog = openDialog(t('enter.title'), entry(given, () => dialog.close()), { wide: true });
}

function entry(given, close) {
  let board = app.state.game.board;
  let latest = null;

  const text = el('textarea', {
    rows: 5, spellcheck: false, value: given ?? boardText(board), 'aria-describedby': 'entry-formats',
    on: { input: () => examine(text.value), focus: () => text.select() },
  });
  const goals = Object.keys(GOALS).map((name) => [name, t(`goal.${name}`)]);
  const goal = choice(goals, app.state.settings.goal, () => examine(text.value));
  const verdict = el('div', { class: 'verdict', role: 'status' });
  const hand = el('div', {});
  const view = new BoardView(hand, { label: t('enter.board') });
  const play = button(t('enter.play'), { kind: 'primary', on: { click: begin } });
  const solve = button(t('enter.solve'), { on: { click: () => begin('solve') } });

  editByHand(view, {
    onBoard(changed) {
      show(changed);
      text.value = boardText(changed);
      examine(text.value);
    },
  });

  function show(shown) {
    board = shown;
    view.draw(board, { ...app.look(goalOf(goal.value, board)), picture: null, numbers: true });
  }

  /** Asks what a text means; only the latest answer counts. */
  async function examine(words) {
    latest?.abort();
    latest = new AbortController();
    const { signal } = latest;
    try {
      judge(await api.check(words, goal.value, { signal }), words);
    } catch (error) {
      if (error.name === 'AbortError') return;
      judge(error.gone ? checkAlone(words) : { valid: false, error: error.message }, words);
    }
  }

  function judge(answer, words) {
    const read = answer.valid ? readBoard(answer.board) : null;
    const fits = read && read.rows <= LARGEST && read.cols <= LARGEST && Math.min(read.rows, read.cols) > 1;
    if (fits) show(read);
    play.disabled = solve.disabled = !fits || !answer.solvable;
    const kind = !answer.valid ? 'bad' : answer.solvable ? 'good' : 'warn';
    verdict.dataset.kind = words.trim() ? kind : 'empty';
    verdict.replaceChildren(
      el('p', {}, words.trim() ? sentence(answer, fits, read) : t('enter.empty')),
      answer.valid && !answer.solvable && answer.fix ? fixButton(answer.fix) : '',
    );
  }

  function sentence(answer, fits, read) {
    if (!answer.valid) return t('enter.invalid', { reason: said(answer) });
    if (!fits) return t('enter.large', { most: String(LARGEST) });
    const verdict = t(answer.solvable ? 'enter.solvable' : 'enter.unsolvable');
    if (answer.inversions === undefined) return verdict;
    return t('sentences', { first: verdict, second: why(answer, read, goalOf(goal.value, read)) });
  }

  function fixButton(fix) {
    const [a, b] = fix.tiles.map(String);
    return button(t('enter.fix', { a, b }), {
      icon: 'check', kind: 'primary',
      on: {
        click: () => {
          text.value = fix.board;
          examine(fix.board);
          text.focus();
        },
      },
    });
  }

  function checkAlone(words) {
    const read = readBoard(words);
    if (!read) return { valid: false, error: t('enter.alone') };
    const target = goalOf(goal.value, read);
    const solvable = reaches(read, target);
    const tiles = read.tiles.filter(Boolean).slice(0, 2);
    const fix = solvable ? null : { tiles, board: boardText(exchange(read, ...tiles)) };
    return { valid: true, board: boardText(read), solvable, fix };
  }

  function begin(where) {
    close();
    const target = goalOf(goal.value, board);
    app.begin(board, target);
    if (where === 'solve') app.open('solve', { run: true, start: board, goal: target });
    else app.open('play');
  }

  show(board);
  examine(text.value);
  return el('div', { class: 'entry' },
    el('div', { class: 'form' },
      field(t('enter.text'), text),
      el('p', { class: 'note', id: 'entry-formats' }, t('enter.formats')),
      field(t('play.goal'), goal),
      verdict,
      el('div', { class: 'row-of-buttons' }, play, solve),
    ),
    el('div', { class: 'hand' },
      el('div', { class: 'stage' }, hand),
      el('p', { class: 'note' }, t('enter.hand')),
    ),
  );
}

/** Why a board of several rows can or can't be solved, by the numbers that the server counted. */
function why({ inversions, solvable }, board, goal) {
  const rowOfBlank = (it) => placeOf(it, blankOf(it))[0];
  const values = {
    cols: String(board.cols),
    inversions,
    rows: Math.abs(rowOfBlank(board) - rowOfBlank(goal)),
    parity: t(solvable ? 'parity.even' : 'parity.odd'),
  };
  return t(board.cols % 2 ? 'why.odd' : 'why.even', values);
}

/**
 * Cells can be chosen by pointer or keys: two chosen ones change places, and a number typed on one
 * brings that tile there.
 */
function editByHand(view, { onBoard }) {
  const grid = view.element;
  let chosen = null;
  let typed = null;
  grid.classList.add('editable');

  const at = () => (grid.contains(document.activeElement) ? Number(document.activeElement.dataset.cell) : 0);

  function choose(cell) {
    if (chosen === null || chosen === cell) chosen = chosen === cell ? null : cell;
    else {
      const { tiles } = view.board;
      onBoard(exchange(view.board, tiles[chosen], tiles[cell]));
      chosen = null;
    }
    mark();
    focus(cell);
  }

  function mark() {
    view.cells.forEach((cell, i) => {
      cell.setAttribute('aria-selected', String(i === chosen));
      cell.tabIndex = i === (chosen ?? 0) ? 0 : -1;
    });
  }

  function focus(cell) {
    view.cells.forEach((one, i) => (one.tabIndex = i === cell ? 0 : -1));
    view.cells[cell].focus();
  }

  function type(digit, cell) {
    if (typed?.cell !== cell) typed = { cell, digits: '', base: view.board };
    const digits = typed.digits + digit;
    const tile = Number(digits);
    typed.digits = tile < view.board.tiles.length ? digits : digit;
    const wanted = Number(typed.digits);
    if (wanted < typed.base.tiles.length) onBoard(exchange(typed.base, typed.base.tiles[cell], wanted));
  }

  grid.addEventListener('click', (event) => {
    const cell = view.cellAt(event.clientX, event.clientY);
    typed = null;
    if (cell >= 0) choose(cell);
  });
  grid.addEventListener('focusin', () => {
    if (typed?.cell !== at()) typed = null;
  });
  grid.addEventListener('keydown', (event) => {
    const cell = at();
    const { cols, tiles } = view.board;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols };
    if (event.key in steps) {
      const to = cell + steps[event.key];
      const sameRow = Math.floor(to / cols) === Math.floor(cell / cols);
      if (to >= 0 && to < tiles.length && (Math.abs(steps[event.key]) === cols || sameRow)) focus(to);
    } else if (event.key === 'Enter' || event.key === ' ') choose(cell);
    else if (/^\d$/.test(event.key)) type(event.key, cell);
    else return;
    event.preventDefault();
  });

  const draw = view.draw.bind(view);
  view.draw = (...given) => {
    const before = view.shape;
    draw(...given);
    if (view.shape !== before) {
      chosen = typed = null;
      mark();
    }
  };
}
