/** The panel Play: the board, its clock, what can be done, and new boards. */

import { hasMotion } from './app.js';
import { GOALS, OPPOSITE, SIZES, boardText, goalName, runAlong, runTo, tilesMoved } from './board.js';
import { BoardView } from './boardview.js';
import { button, choice, el, field } from './dom.js';
import { openEntry } from './entry.js';
import { isFinished, isOpen, isSolved, isStarted } from './game.js';
import { clock, number, t } from './i18n.js';
import { directionOf, followPointer, isTaken } from './input.js';
import { newSeed, randomBoard } from './random.js';

const USUAL = [[3, 3], [4, 4], [5, 5], [3, 5]];

export function mount(element, app) {
  const game = () => app.state.game;
  const board = el('div', { tabIndex: 0, 'aria-describedby': 'play-how' });
  const view = new BoardView(board, { label: t('board.label') });
  const status = statusBar();
  const tools = toolbar(app);
  const finish = el('section', { class: 'card finish', hidden: true, 'aria-label': t('finish.title') });
  const help = el('div', { class: 'help' });
  const goOn = { icon: 'play', kind: 'primary large', on: { click: () => app.resume() } };
  const veil = el('div', { class: 'veil', hidden: true }, button(t('play.resume'), goOn));
  const fresh = newBoard(app);

  element.replaceChildren(
    el('div', { class: 'split' },
      el('div', { class: 'head' }, status.element),
      el('div', { class: 'stage' }, board, veil, el('p', { id: 'play-how', class: 'unseen' }, t('play.how'))),
      el('div', { class: 'side' }, finish, tools.element, help, fresh.element),
    ),
  );

  const off = app.on((state, before) => {
    if (!element.isConnected) return off();
    const changed = state.game !== before.game;
    const looks = ['settings', 'picture', 'marks'].some((key) => state[key] !== before[key]);
    if (changed || looks) {
      draw(before.game);
    }
    if (changed) announce(app, before.game);
  });

  function draw(before = game()) {
    const animate = hasMotion() && before.start === game().start;
    const { board: shown, paused } = game();
    const marks = paused ? {} : app.state.marks;
    view.draw(shown, { ...app.look(), marks, animate, covered: paused });
    veil.hidden = !game().paused;
    status.draw(game(), app.elapsed());
    tools.draw(game());
    fresh.draw(game());
    drawFinish(before);
    tick();
  }

  function drawFinish(before) {
    const justSolved = isSolved(game()) && !isSolved(before);
    finish.hidden = !isFinished(game()) || !isStarted(game());
    tools.element.hidden = !finish.hidden;
    if (!finish.hidden) finish.replaceChildren(...finishWords(app));
    if (justSolved && hasMotion()) view.celebrate();
  }

  let frame = null;
  /** The clock is drawn as long as it runs and is seen. */
  function tick() {
    if (frame !== null) return;
    const next = () => {
      frame = null;
      status.drawTime(app.elapsed());
      if (game().since !== null && app.state.tab === 'play' && element.isConnected) {
        frame = requestAnimationFrame(next);
      }
    };
    frame = requestAnimationFrame(next);
  }

  followPointer(view, { onMoves: (moves) => app.make(moves), isOpen: () => isOpen(game()) });
  const keys = new AbortController();
  document.addEventListener('keydown', (event) => {
    if (!element.isConnected) keys.abort();
    else if (app.state.tab === 'play') onKey(event, app);
  }, { signal: keys.signal });

  mountHint(help, app);
  draw();
  return { show: () => draw() };
}

/** The hint is a room of its own; without it the game is the same. */
async function mountHint(element, app) {
  try {
    (await import('./hint.js')).mount(element, app);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    element.remove();
  }
}

// --- keys ----------------------------------------------------------------------------------------

function onKey(event, app) {
  if (event.defaultPrevented || isTaken(event.target)) return;
  const direction = directionOf(event);
  const action = direction ? () => slideBy(direction, event.shiftKey, app) : actionOf(event, app);
  if (!action) return;
  event.preventDefault();
  action();
}

function slideBy(direction, whole, app) {
  const move = app.state.settings.direction === 'blank' ? OPPOSITE[direction] : direction;
  app.make(whole ? runAlong(app.state.game.board, move) : move);
}

function actionOf(event, app) {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === 'z') return () => (event.shiftKey ? app.redo() : app.undo());
    return key === 'y' ? () => app.redo() : null;
  }
  if (event.altKey) return null;
  const actions = {
    backspace: () => (event.shiftKey ? app.redo() : app.undo()),
    u: () => app.undo(),
    p: () => togglePause(app),
    r: () => app.restart(),
    n: () => drawBoard(app),
  };
  return actions[key];
}

const togglePause = (app) => (app.state.game.paused ? app.resume() : app.pause());

// --- how it stands -------------------------------------------------------------------------------

function statusBar() {
  const time = el('span', { class: 'value time', role: 'timer', 'aria-label': t('play.time') });
  const moves = el('span', { class: 'value' });
  const figure = (words, value) =>
    el('div', { class: 'figure' }, value, el('span', { class: 'what' }, words));
  const drawTime = (milliseconds) => {
    const text = clock(milliseconds, 1);
    if (time.textContent !== text) time.textContent = text;
  };
  return {
    element: el('div', { class: 'status' }, figure(t('play.time'), time), figure(t('play.moves'), moves)),
    drawTime,
    draw(game, milliseconds) {
      moves.textContent = number(game.moves.length);
      drawTime(milliseconds);
    },
  };
}

function announce(app, before) {
  const { game } = app.state;
  if (game.start !== before.start) return app.say(t('say.new', sizeOf(game.start)));
  if (isSolved(game) && !isSolved(before)) return app.say(finishLine(game));
  if (game.paused !== before.paused) return app.say(t(game.paused ? 'say.paused' : 'say.resumed'));
  if (game.board === before.board) return;
  const made = game.moves.startsWith(before.moves) ? game.moves.slice(before.moves.length) : '';
  if (!made) return app.say(t('say.back', { n: game.moves.length }));
  const tiles = tilesMoved(before.board, made).join(', ');
  app.say(t('say.moved', { tile: tiles, direction: t(`direction.${made[0]}`) }));
}

const sizeOf = ({ rows, cols }) => ({ rows: String(rows), cols: String(cols) });

// --- what can be done ----------------------------------------------------------------------------

function toolbar(app) {
  const act = (words, drawing, action) =>
    button(t(words), { icon: drawing, kind: 'tool', on: { click: action } });
  const undo = act('play.undo', 'undo', () => app.undo());
  const redo = act('play.redo', 'redo', () => app.redo());
  const pause = act('play.pause', 'pause', () => togglePause(app));
  const restart = act('play.restart', 'restart', () => app.restart());
  const giveUp = act('play.giveup', 'flag', () => surrender(app));
  return {
    element: el(
      'div',
      { class: 'tools', role: 'group', 'aria-label': t('play.tools') },
      undo, redo, pause, restart, giveUp,
    ),
    draw(game) {
      const open = isOpen(game);
      undo.disabled = !open || !game.moves;
      redo.disabled = !open || !game.undone;
      pause.disabled = isFinished(game) || !isStarted(game);
      pause.lastChild.textContent = t(game.paused ? 'play.resume' : 'play.pause');
      restart.disabled = !isStarted(game);
      giveUp.disabled = isFinished(game);
    },
  };
}

function surrender(app) {
  const { board, goal } = app.state.game;
  app.giveUp();
  app.open('solve', { run: true, start: board, goal });
}

// --- the end -------------------------------------------------------------------------------------

const finishLine = (game) =>
  t('finish.line', { moves: t('moves.count', { n: game.moves.length }), time: clock(game.elapsed) });

function finishWords(app) {
  const { game } = app.state;
  const solved = isSolved(game);
  const pace = game.moves.length / (game.elapsed / 1000);
  const shownPace = number(pace, { maximumFractionDigits: 2 });
  const facts = [];
  if (solved && game.elapsed) facts.push(t('finish.pace', { pace: shownPace }));
  if (game.hints) facts.push(t('finish.hints', { n: game.hints }));
  const act = (words, drawing, action) => button(words, { icon: drawing, on: { click: action } });
  const watch = act(t('finish.watch'), 'play', () => app.view({ ...game, kind: 'replay' }));
  const share = act(t('share.open'), 'share', () => app.share());
  return [
    el('h2', {}, t(solved ? 'finish.solved' : 'finish.givenup')),
    el('p', { class: 'line' }, finishLine(game)),
    facts.length ? el('p', { class: 'note' }, facts.join(' · ')) : '',
    el('div', { class: 'row-of-buttons' },
      button(t('play.new'), { icon: 'new', kind: 'primary', on: { click: () => drawBoard(app) } }),
      button(t('play.restart'), { icon: 'restart', on: { click: () => app.restart() } }),
      ...(solved ? [watch, share] : []),
    ),
  ];
}

// --- new boards ----------------------------------------------------------------------------------

/** Draws a board of the size and goal that are set, by a seed or by chance. */
export function drawBoard(app, seed = newSeed()) {
  const { rows, cols, goal } = app.state.settings;
  app.begin(randomBoard(rows, cols, goal, seed), GOALS[goal](rows, cols), { seed });
}

function newBoard(app) {
  const { settings } = app.state;
  const size = (name) =>
    choice(SIZES.map((n) => [String(n), String(n)]), String(settings[name]), (value) => {
      app.configure({ [name]: Number(value) });
      begin();
    }, { 'aria-label': t(`play.${name}`) });
  const rows = size('rows');
  const cols = size('cols');
  const goal = choice(Object.keys(GOALS).map((name) => [name, t(`goal.${name}`)]), settings.goal, (value) => {
    app.configure({ goal: value });
    begin();
  });
  const seed = el('input', {
    type: 'text', inputMode: 'numeric', pattern: '-?[0-9]{1,18}', autocomplete: 'off',
    placeholder: t('play.seed.any'), title: t('play.seed.bad'),
  });
  const begin = () => drawBoard(app, /^-?\d{1,18}$/.test(seed.value.trim()) ? seed.value.trim() : undefined);
  const usual = USUAL.map(([r, c]) =>
    button(`${r}×${c}`, {
      kind: 'chip', data: { size: `${r}×${c}` },
      on: {
        click: () => {
          app.configure({ rows: r, cols: c });
          begin();
        },
      },
    }),
  );
  const used = el('p', { class: 'note used' });
  const form = el('form', {
    class: 'card form', 'aria-label': t('play.board'),
    on: {
      submit: (event) => {
        event.preventDefault();
        begin();
      },
    },
  },
    el('h2', {}, t('play.board')),
    el('div', { class: 'chips' }, usual),
    el('div', { class: 'pair' },
      el('fieldset', { class: 'size' }, el('legend', {}, t('play.size')), rows, el('span', {}, '×'), cols),
      field(t('play.goal'), goal),
      field(t('play.seed'), seed),
      el('button', { type: 'submit', class: 'button primary' }, t('play.new')),
    ),
    used,
    button(t('enter.open'), { icon: 'edit', on: { click: () => openEntry() } }),
  );
  return {
    element: form,
    draw({ start, goal: target, seed: drawn }) {
      const { settings: now } = app.state;
      rows.value = String(now.rows);
      cols.value = String(now.cols);
      goal.value = now.goal;
      for (const chip of usual) {
        const isThis = chip.dataset.size === `${start.rows}×${start.cols}`;
        chip.setAttribute('aria-pressed', String(isThis));
      }
      const name = goalName(target);
      const words = name ? t(`goal.${name}`) : boardText(target);
      const facts = { ...sizeOf(start), goal: words, seed: String(drawn) };
      used.textContent = t(drawn === null ? 'play.used' : 'play.used.seed', facts);
    },
  };
}
