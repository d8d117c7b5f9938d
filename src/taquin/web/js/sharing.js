/** The dialog with the link to what is shown, and with pictures and films of it. */

import * as api from './api.js';
import { app } from './app.js';
import { boardText, goalText } from './board.js';
import { openDialog } from './dialog.js';
import { button, choice, el, field } from './dom.js';
import { isSolved } from './game.js';
import { t } from './i18n.js';
import { linkTo } from './share.js';
import { isDark } from './theme.js';

/** What there is to share of the game: a replay once it is solved, else the position. */
function ofGame() {
  const { start, goal, moves, times } = app.state.game;
  const kind = isSolved(app.state.game) && moves ? 'replay' : 'position';
  return { kind, start, goal, moves, times };
}

export function openShare(subject = ofGame()) {
  openDialog(
    t('share.title'),
    el('div', { class: 'form' }, linkPart(subject), el('hr', {}), exportPart(subject)),
  );
}

function linkPart(subject) {
  const film = subject.kind === 'solution' ? 'solution' : 'replay';
  const kinds = subject.moves ? ['position', film] : ['position'];
  const box = el('input', { type: 'text', readOnly: true, on: { focus: () => box.select() } });
  const note = el('p', { class: 'note' });
  const copy = button(t('share.copy'), {
    icon: 'copy', kind: 'primary',
    on: {
      click: async () => {
        await copyText(box);
        app.tell(t('share.copied'));
        note.textContent = t('share.copied');
      },
    },
  });
  const show = (kind) => {
    const link = linkTo({ ...subject, kind });
    box.value = link ?? '';
    copy.disabled = !link;
    note.textContent = link ? t(`share.note.${kind}`) : t('share.long');
  };
  show(subject.kind);
  return el('div', { class: 'form' },
    kinds.length > 1
      ? field(t('share.what'), choice(kinds.map((kind) => [kind, t(`share.${kind}`)]), subject.kind, show))
      : null,
    field(t('share.link'), box),
    note,
    el('div', { class: 'row-of-buttons' }, copy),
  );
}

async function copyText(box) {
  try {
    await navigator.clipboard.writeText(box.value);
  } catch {
    box.select(); // not allowed here: the old way
    document.execCommand('copy');
  }
}

function exportPart(subject) {
  const message = el('p', { class: 'note', role: 'status' });
  const known = app.state.server?.exports ?? ['svg', 'png', 'gif'];
  const buttons = known.filter((format) => format !== 'cast').map((format) =>
    button(format.toUpperCase(), { icon: 'download', on: { click: () => save(format) } }),
  );
  async function save(format) {
    buttons.forEach((one) => (one.disabled = true));
    message.textContent = t('share.making');
    try {
      download(await api.exportFile(bodyOf(subject), format, looks()), `taquin.${format}`);
      message.textContent = '';
    } catch (error) {
      message.textContent = error.gone ? t('server.needed') : error.message;
    } finally {
      buttons.forEach((one) => (one.disabled = false));
    }
  }
  return el('div', { class: 'form' },
    el('h3', {}, t('share.export')),
    el('p', { class: 'note' }, t(subject.moves ? 'share.film' : 'share.picture')),
    el('div', { class: 'row-of-buttons' }, buttons),
    message,
  );
}

const looks = () => ({ scheme: app.state.settings.scheme, dark: isDark() });

function bodyOf({ kind, start, goal, moves, times }) {
  const isTimed = kind !== 'solution' && moves && times?.length === moves.length;
  return {
    board: boardText(start),
    goal: goalText(goal),
    moves: moves || undefined,
    times: isTimed ? times.map((time) => time / 1000) : undefined,
  };
}

/** Hands a file to the user. */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
