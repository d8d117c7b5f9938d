/** What is around the panels: name, tabs, buttons, messages, dialogs. */

import { app } from './app.js';
import { button, el, icon, svg } from './dom.js';
import { openEntry } from './entry.js';
import { t } from './i18n.js';
import { isTaken } from './input.js';
import { openSettings } from './settings.js';
import { openShare } from './sharing.js';
import { openViewer } from './viewer.js';

const TABS = ['play', 'solve', 'watch', 'compare', 'records'];

let parts = null;

/** Builds the page anew, in the language that is now in use. */
export function buildShell() {
  parts?.end();
  const panels = new Map();
  const tabs = new Map(TABS.map((name) => [name, tabButton(name)]));
  const main = el('main', {}, TABS.map((name) => panelElement(name, panels)));
  const say = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  const toast = el('div', { class: 'toast', hidden: true });
  const gone = el('p', { class: 'gone', role: 'status' });
  const nav = el(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': t('tabs'), on: { keydown: walkTabs } },
    [...tabs.values()],
  );
  const act = (words, drawing, action) =>
    button(words, { icon: drawing, bare: true, kind: 'quiet', on: { click: action } });
  const header = el(
    'header',
    { class: 'top' },
    el('h1', { class: 'name' }, logo(), el('span', {}, 'taquin')),
    nav,
    el('div', { class: 'actions' },
      act(t('enter.open'), 'edit', () => openEntry()),
      act(t('share.open'), 'share', () => app.share()),
      act(t('settings.open'), 'settings', openSettings),
    ),
  );
  document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
  document.body.replaceChildren(header, gone, main, say, toast);
  const off = app.on((state, before) => {
    if (state.server !== before.server) showServer(gone);
  });
  document.onpaste = pasteBoard;
  parts = { panels, tabs, say, toast, end: off };
  Object.assign(app, { open, say: speak, tell, share: openShare, view: openViewer });
  showServer(gone);
  open(app.state.tab);
}

function logo() {
  const tile = (x, y, name) =>
    svg('rect', { x, y, width: 11, height: 11, rx: 3, class: name });
  return svg(
    'svg', { class: 'logo', viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    svg('rect', { width: 32, height: 32, rx: 8, class: 'ground' }),
    tile(4, 4, 'home'), tile(17, 4, 'away'), tile(4, 17, 'away'),
  );
}

/** Text that is pasted where nothing else takes it is a board to look at. */
function pasteBoard(event) {
  const text = event.clipboardData.getData('text/plain');
  if (isTaken(event.target) || !text.trim()) return;
  event.preventDefault();
  openEntry(text);
}

// --- tabs ----------------------------------------------------------------------------------------

function tabButton(name) {
  return el(
    'button',
    {
      type: 'button', class: 'tab', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`,
      on: { click: () => open(name) },
    },
    t(`tab.${name}`),
  );
}

function panelElement(name, panels) {
  const element = el('section', {
    class: `panel ${name}`, role: 'tabpanel', id: `panel-${name}`,
    'aria-labelledby': `tab-${name}`, hidden: true,
  });
  panels.set(name, { element, control: null });
  return element;
}

function walkTabs(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const here = TABS.indexOf(app.state.tab);
  const there = { Home: 0, End: TABS.length - 1 }[event.key] ?? here + (step ?? 0);
  if (there === here) return;
  event.preventDefault();
  const name = TABS.at(there % TABS.length);
  open(name);
  parts.tabs.get(name).focus();
}

async function open(name, wish) {
  const { panels, tabs } = parts;
  const left = app.state.tab;
  for (const [tab, element] of tabs) {
    element.setAttribute('aria-selected', String(tab === name));
    element.tabIndex = tab === name ? 0 : -1;
    panels.get(tab).element.hidden = tab !== name;
  }
  if (left !== name) {
    app.set({ tab: name });
    // What had the focus may be hidden now.
    if (panels.get(left).element.contains(document.activeElement)) tabs.get(name).focus();
    (await panels.get(left).control)?.hide?.();
  }
  const panel = panels.get(name);
  panel.control ??= mountPanel(name, panel);
  const control = await panel.control;
  if (app.state.tab === name) control?.show?.(wish);
}

async function mountPanel(name, panel) {
  try {
    const module = await import(`./${name}.js`);
    return module.mount(panel.element, app) ?? {};
  } catch (error) {
    panel.control = null; // the next time may be luckier
    panel.element.replaceChildren(el('p', { class: 'card notice' }, t('panel.missing')));
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

// --- messages ------------------------------------------------------------------------------------

function speak(text) {
  // The same text twice would not be read twice.
  parts.say.textContent = parts.say.textContent === text ? `${text}\u00a0` : text;
}

let hiding = null;

/** A message for a few seconds; longer with a button, which must be reached first. */
function tell(text, { words, act } = {}) {
  const { toast } = parts;
  const close = () => (toast.hidden = true);
  const press = () => {
    close();
    act();
  };
  speak(text);
  clearTimeout(hiding);
  toast.replaceChildren(
    el('span', {}, text),
    words ? el('button', { type: 'button', class: 'toast-button', on: { click: press } }, words) : '',
  );
  toast.hidden = false;
  hiding = setTimeout(close, words ? 12_000 : 3500);
}

function showServer(element) {
  const isGone = app.state.server === false;
  document.documentElement.classList.toggle('alone', isGone);
  element.replaceChildren(...(isGone ? [icon('alert'), t('server.gone')] : []));
}
