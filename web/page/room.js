// What the page does for a room: it fills the screen, and keeps a second window for the speaker.
// That window has no program of its own. It shows a copy of the page's element "speaker", and what
// is pressed or typed there is pressed or typed here.
import {folder} from './site.js';

/** Tells the program what has happened. @type {(act: string, value: string) => void} */
let tell = () => { /* the program has not started */ };

/** @type {(Window & typeof globalThis) | null} */
let notes = null;

/** Whether the page itself has asked for the whole screen. */
let filled = false;

/** @param {boolean} on */
export const fullScreen = (on) => {
  filled = on && navigator.userActivation?.isActive; // a press in the speaker's window doesn't count as one here
  const change = filled ? document.documentElement.requestFullscreen?.() : document.fullscreenElement && document.exitFullscreen();
  change?.catch(() => { /* the browser may refuse it */ });
};

/** Brings the speaker's window up to date. */
const copy = () => {
  if (!notes || notes.closed) return;
  const from = document.getElementById('speaker'), root = notes.document.documentElement;
  root.lang = document.documentElement.lang;
  root.dataset.theme = document.documentElement.dataset.theme ?? '';
  if (from) notes.dispatchEvent(new notes.CustomEvent('notes', {detail: notes.document.importNode(from, true)}));
};

/** The element of the page that stands for one of the speaker's window. @param {Element} e */
const here = (e) => {
  const {act, arg} = /** @type {HTMLElement} */ (e).dataset;
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#speaker [data-act]'))].find((x) => x.dataset.act === act && x.dataset.arg === arg);
};

let asked = false;

/** Is called after each change of the page. */
export const changed = () => {
  if (!notes || asked) return;
  asked = true;
  setTimeout(() => {
    asked = false;
    copy();
  }, 50);
};

/**
 * Takes in the speaker's window: one that was opened, or one that is there after a reload.
 * @param {Window & typeof globalThis} opened
 */
const speaker = (opened) => {
  if (notes === opened && opened.document.body.dataset.heard) return;
  notes = opened;
  const {document: there} = opened;
  there.body.dataset.heard = 'true';
  there.addEventListener('click', (e) => {
    const pressed = /** @type {Element} */ (e.target).closest('button[data-act]');
    if (pressed) here(pressed)?.click();
  });
  there.addEventListener('change', (e) => {
    const field = /** @type {HTMLInputElement} */ (e.target), own = /** @type {HTMLInputElement | undefined} */ (here(field));
    if (!own) return;
    own.value = field.value;
    own.dispatchEvent(new Event('change', {bubbles: true}));
  });
  there.addEventListener('keydown', (e) => {
    const field = /** @type {Element} */ (e.target);
    if (field.closest('input') || (e.key === ' ' || e.key === 'Enter') && field.closest('button')) return;
    const {key, shiftKey, ctrlKey, metaKey, altKey} = e;
    if (!document.body.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey, ctrlKey, metaKey, altKey, bubbles: true, cancelable: true}))) e.preventDefault();
  });
  opened.addEventListener('pagehide', () => {
    notes = null;
    tell('noting', 'false');
  });
  tell('noting', 'true');
};

/** Opens the speaker's window, or shows the one that is open. */
export const openNotes = () => {
  if (notes && !notes.closed) {
    notes.focus();
    return;
  }
  window.open(new URL('page/notes.html', folder), 'informerscope-notes', 'popup,width=760,height=820');
};

/** @param {typeof tell} hear */
export const room = (hear) => {
  tell = hear;
  /** @type {any} */ (globalThis.informerscope).speaker = speaker; // which the speaker's window calls
  document.addEventListener('fullscreenchange', () => {
    if (document.fullscreenElement || !filled) return;
    filled = false;
    tell('left', '');
  });
};
