/** Light or dark, still or moving: by the settings, or else as the system asks for. */

import { app } from './app.js';

export const THEMES = ['auto', 'light', 'dark'];

export function applyTheme() {
  const root = document.documentElement;
  const apply = ({ theme, motion }) => {
    root.dataset.theme = theme;
    root.dataset.motion = motion;
  };
  apply(app.state.settings);
  app.on((state, before) => {
    if (state.settings !== before.settings) apply(state.settings);
  });
}

export function isDark() {
  const { theme } = app.state.settings;
  return theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
