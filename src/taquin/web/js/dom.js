/** Elements made in one expression. */

/**
 * An element with properties and children.
 *
 * `class`, `data`, `on` and `style` (custom properties, which a strict content policy allows) are
 * special; names with a dash and `role` become attributes; the rest are properties.
 *
 *     el('button', {class: 'quiet', on: {click: undo}, 'aria-label': t('undo')}, icon('undo'))
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name === 'class') element.className = value;
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'on') listen(element, value);
    else if (name === 'style') setStyle(element, value);
    else if (name.includes('-') || !(name in element)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

function listen(element, handlers) {
  for (const [event, handler] of Object.entries(handlers)) element.addEventListener(event, handler);
}

/** Set styles and custom properties through the object model. */
export function setStyle(element, styles) {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value);
}

const SVG = 'http://www.w3.org/2000/svg';

/** The same for drawings: every property is an attribute. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

const ICONS = {
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15l12-7.5z',
  restart: 'M4 4v6h6M4.5 10a8 8 0 1 1-.4 5',
  new: 'M12 5v14M5 12h14',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v8h14v-8',
  settings: 'M4 7h9M19 7h1M4 17h1M11 17h9M16 4v6M8 14v6',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9V15h7v-1.1A6 6 0 0 0 12 3z',
  flag: 'M5 21V4h13l-3 4 3 4H5',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  first: 'M6 5v14M18 5l-8 7 8 7z',
  last: 'M18 5v14M6 5l8 7-8 7z',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6 6 18',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.5 9.5h.01',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 13l4 4 10-11',
  help: 'M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .9-1 1.7M12 17h.01',
  alert: 'M12 4 3 20h18zM12 10v4M12 17h.01',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
};

/** A small drawing in the colour of the text, invisible to screen readers. */
export function icon(name) {
  return svg(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: ICONS[name] }),
  );
}

/** A button with an icon, a word or both; without a word, the label is read aloud and shown. */
export function button(label, { icon: drawing, bare = false, kind = '', ...properties } = {}) {
  const attributes = bare ? { 'aria-label': label, title: label } : {};
  return el(
    'button',
    { type: 'button', class: `button ${kind}`.trim(), ...attributes, ...properties },
    drawing ? icon(drawing) : null,
    bare ? null : el('span', {}, label),
  );
}

/** A choice among values: `options` are pairs of a value and its words. */
export function choice(options, value, onChange, properties = {}) {
  const items = options.map(([key, words]) => el('option', { value: key }, words));
  const box = el('select', { ...properties, on: { change: () => onChange(box.value) } }, items);
  box.value = value;
  return box;
}

/** A label above (or, with `inline`, beside) the control that it names. */
export function field(words, control, { inline = false } = {}) {
  return el('label', { class: inline ? 'field inline' : 'field' }, el('span', {}, words), control);
}
