/** Dialogs: modal, closed by Escape, by their button and by a click beside them. */

import { button, el } from './dom.js';
import { t } from './i18n.js';

let dialogs = 0;

const isBeside = (box, { clientX: x, clientY: y }) =>
  x < box.left || x > box.right || y < box.top || y > box.bottom;

/** Opens a dialog and gives {close(), element}; `onClose` is called however it ends. */
export function openDialog(title, content, { onClose = () => {}, wide = false } = {}) {
  const id = `dialog-${++dialogs}`;
  const element = el(
    'dialog',
    { class: wide ? 'dialog wide' : 'dialog', 'aria-labelledby': id },
    el('div', { class: 'dialog-head' },
      el('h2', { id }, title),
      button(t('close'), { icon: 'close', bare: true, kind: 'quiet', on: { click: () => element.close() } }),
    ),
    el('div', { class: 'dialog-body' }, content),
  );
  element.addEventListener('close', () => {
    element.remove();
    onClose();
  });
  element.addEventListener('pointerdown', (event) => {
    if (event.target === element && isBeside(element.getBoundingClientRect(), event)) element.close();
  });
  document.body.append(element);
  element.showModal();
  element.querySelector('.dialog-body :is(select, input, textarea, button:not(:disabled))')?.focus();
  return { element, close: () => element.close() };
}
