// What the documents beside the page have in common with it: the viewer's theme and language.
import {saved} from './storage.js';

const root = document.documentElement;

/** Gives the document the viewer's theme and language. Tell is called with the language, again when another one is chosen. @param {(lang: string) => void} tell */
export const dress = (tell) => {
  const theme = saved('theme');
  if (theme) root.dataset.theme = theme;
  /** @param {string} tag */
  const speak = (tag) => {
    root.lang = tag.toLowerCase().startsWith('zh') ? 'zh' : 'en';
    tell(root.lang);
  };
  document.getElementById('langs')?.addEventListener('click', (e) => {
    if (e.target instanceof HTMLButtonElement) speak(e.target.value);
  });
  speak(saved('lang') || navigator.language);
};
