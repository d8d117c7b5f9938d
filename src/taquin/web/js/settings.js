/** The dialog with what the user can choose for the whole page. */

import { app } from './app.js';
import { SCHEMES } from './colours.js';
import { openDialog } from './dialog.js';
import { choice, el, field } from './dom.js';
import { LANGUAGES, t } from './i18n.js';
import { pictureField } from './pictures.js';
import { THEMES } from './theme.js';

export function openSettings() {
  const { settings } = app.state;
  const select = (name, options) => {
    const box = choice(options, settings[name], (value) => app.configure({ [name]: value }));
    return field(t(`settings.${name}`), box);
  };
  const named = (values, words) => values.map((value) => [value, words(value)]);
  const languages = [['auto', t('language.auto')], ...Object.entries(LANGUAGES)];
  const language = choice(languages, settings.language, (value) => {
    dialog.close();
    app.configure({ language: value });
  });
  const dialog = openDialog(
    t('settings.title'),
    el('div', { class: 'form' },
      el('div', { class: 'pair' },
        field(t('settings.language'), language),
        select('theme', named(THEMES, (value) => t(`theme.${value}`))),
        select('scheme', named(SCHEMES, (value) => t(`scheme.${value}`))),
        select('motion', named(['auto', 'on', 'off'], (value) => t(`motion.${value}`))),
        select('direction', named(['tile', 'blank'], (value) => t(`arrows.${value}`))),
      ),
      pictureField(),
      keysTable(),
    ),
  );
}

function keysTable() {
  const rows = [
    ['← ↑ ↓ →  W A S D', 'keys.slide'],
    ['⇧ + ← ↑ ↓ →', 'keys.run'],
    ['⌫  Ctrl Z', 'keys.undo'],
    ['⇧ ⌫  Ctrl Y', 'keys.redo'],
    ['P', 'keys.pause'],
    ['R', 'keys.restart'],
    ['N', 'keys.new'],
    ['H', 'keys.hint'],
  ];
  return el('details', { class: 'keys' },
    el('summary', {}, t('keys.title')),
    el('dl', {}, rows.flatMap(([keys, words]) => [el('dt', {}, keys), el('dd', {}, t(words))])),
  );
}
