/** A picture on the tiles, from a file of the user's. It is drawn from memory and goes nowhere. */

import { app } from './app.js';
import { button, el, field } from './dom.js';
import { t } from './i18n.js';

/** Takes a file; gives whether it is a picture that this browser can show. */
export async function usePicture(file) {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    return false;
  }
  dropPicture();
  app.set({ picture: Object.freeze({ url, ratio: image.naturalWidth / image.naturalHeight }) });
  return true;
}

export function dropPicture() {
  if (app.state.picture) URL.revokeObjectURL(app.state.picture.url);
  app.set({ picture: null });
}

/** What the settings show of it. */
export function pictureField() {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const file = el('input', {
    type: 'file', accept: 'image/*',
    on: {
      change: async () => {
        const isPicture = !file.files.length || (await usePicture(file.files[0]));
        problem.textContent = isPicture ? '' : t('picture.unreadable');
        remove.hidden = !app.state.picture;
      },
    },
  });
  const numbers = el('input', {
    type: 'checkbox', checked: app.state.settings.numbers,
    on: { change: () => app.configure({ numbers: numbers.checked }) },
  });
  const remove = button(t('picture.remove'), {
    kind: 'small', hidden: !app.state.picture,
    on: {
      click: () => {
        dropPicture();
        file.value = '';
        remove.hidden = true;
      },
    },
  });
  return el('fieldset', { class: 'form' },
    el('legend', {}, t('picture.title')),
    field(t('picture.file'), file),
    el('p', { class: 'note' }, t('picture.local')),
    problem,
    field(t('picture.numbers'), numbers, { inline: true }),
    remove,
  );
}
