/** A solution or a replay that came by a link or from the records: board, scrubber, what to do next. */

import { app, hasMotion } from './app.js';
import { BoardView } from './boardview.js';
import { openDialog } from './dialog.js';
import { button, el } from './dom.js';
import { clock, t } from './i18n.js';
import { Scrubber } from './scrubber.js';

/** Shows {kind, start, goal, moves, times}. */
export function openViewer({ kind = 'replay', start, goal, moves, times }) {
  const board = el('div', {});
  const view = new BoardView(board, { label: t('board.label') });
  const controls = el('div', {});
  const facts = [t('moves.count', { n: moves.length })];
  if (times?.length) facts.push(clock(times.at(-1)));
  const play = () => {
    dialog.close();
    app.begin(start, goal);
    app.open('play');
  };
  const dialog = openDialog(
    t(`view.${kind}`),
    el('div', { class: 'viewer' },
      el('div', { class: 'stage' }, board),
      el('div', { class: 'side' },
        el('p', { class: 'facts' }, facts.join(' · ')),
        controls,
        el('div', { class: 'row-of-buttons' },
          button(t('view.play'), { kind: 'primary', on: { click: play } }),
          button(t('share.open'), {
            icon: 'share', on: { click: () => app.share({ kind, start, goal, moves, times }) },
          }),
        ),
      ),
    ),
    { wide: true, onClose: () => scrubber.destroy() },
  );
  const onShow = (shown, _, { animate }) =>
    view.draw(shown, { ...app.look(goal), animate: hasMotion() && animate });
  const scrubber = new Scrubber(controls, { start, moves, times, onShow });
}
