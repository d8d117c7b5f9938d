/**
 * The page in the reader's language. Each language's words are in one file, strings/NAME.js; all have
 * the same keys.
 */

export const LANGUAGES = { en: 'English', de: 'Deutsch', 'zh-Hant': '繁體中文' };

let words = {};
let name = 'en';
let plural = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');
let comma = '.';

/** The language that a setting means; 'auto' is the first of the browser's that there is. */
export function languageFor(setting) {
  if (Object.hasOwn(LANGUAGES, setting)) return setting;
  for (const wanted of navigator.languages ?? []) {
    if (/^zh\b/i.test(wanted)) return 'zh-Hant';
    const base = wanted.split('-')[0].toLowerCase();
    if (Object.hasOwn(LANGUAGES, base)) return base;
  }
  return 'en';
}

export async function useLanguage(setting) {
  name = languageFor(setting);
  words = (await import(`../strings/${name}.js`)).default;
  plural = new Intl.PluralRules(name);
  numbers = new Intl.NumberFormat(name);
  comma = numbers.formatToParts(0.5).find((part) => part.type === 'decimal').value;
  document.documentElement.lang = name;
}

export const language = () => name;

/**
 * The words under a key. `{name}` in them is replaced; numbers are written as the language does. Words
 * that depend on a number are {one, other}, chosen by the value `n`.
 *
 *     t('moves.count', {n: 3})  →  '3 moves'
 */
export function t(key, values = {}) {
  let text = words[key];
  if (text === undefined) return key;
  if (typeof text === 'object') text = text[plural.select(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (hole, value) => {
    const filling = values[value];
    if (filling === undefined) return hole;
    return typeof filling === 'number' ? numbers.format(filling) : filling;
  });
}

export const has = (key) => Object.hasOwn(words, key);

/** What the server says is wrong, {error, code, values}: in the reader's language if it has a code. */
export function said({ error, code, values }) {
  return has(`said.${code}`) ? t(`said.${code}`, values) : error;
}

/** A number as the language writes it. */
export function number(value, options) {
  return options ? new Intl.NumberFormat(name, options).format(value) : numbers.format(value);
}

/** Milliseconds as on a stop watch: 1:02.35, or with the comma of the language. */
export function clock(milliseconds, digits = 2) {
  const unit = 10 ** (3 - digits);
  const shown = Math.floor(milliseconds / unit) * unit;
  const minutes = Math.floor(shown / 60000);
  const point = ((shown % 60000) / 1000).toFixed(digits).padStart(digits ? digits + 3 : 2, '0');
  const seconds = point.replace('.', comma);
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`;
}
