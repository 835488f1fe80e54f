// Keeps the focus near where it was when the focused element goes away. Without that the browser
// gives it to the body, and a viewer without a mouse starts again at the top of the page.

import {openerOf} from './menu.js';

/** The parts of the page to which the focus falls back, from the inside out. */
const parts = '[data-station], [role=tabpanel], .caption, .transport, .top, aside, main';

/**
 * Reports whether an element can have the focus. A question can have it until it is answered.
 * @param {Element} e
 */
const usable = (e) => e.isConnected && !(/** @type {HTMLButtonElement} */ (e)).disabled && e.checkVisibility() &&
  e.matches('button, input, select, textarea, a[href], summary, [tabindex]');

// A lesson's text comes after the whole stage, and any stage after the header, so a viewer without a mouse can skip them.
document.addEventListener('click', ({target}) => {
  const skip = target instanceof Element && target.closest('[data-skip]');
  if (!(skip instanceof HTMLElement)) return;
  const next = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(skip.dataset.skip ?? '')]).find((e) => e.localName === 'main' || usable(e));
  if (next?.localName === 'main') next.tabIndex = -1;
  next?.focus();
});

/** Takes note of the focus. The function that it returns gives it back after a change of the page. */
export const focused = () => {
  const had = document.activeElement;
  if (!had || had === document.body) return () => { /* nothing had it */ };
  /** @type {Element[]} */
  const around = [];
  for (let e = had.parentElement?.closest(parts); e; e = e.parentElement?.closest(parts)) around.push(e);
  const menu = had.closest('[role=menu]'), opener = menu && openerOf(menu);
  const {act, arg, place} = /** @type {HTMLElement} */ (had).dataset;
  const give = () => {
    if (usable(had) || document.querySelector('dialog[open]')) return;
    // A dialog that is closed gives the focus back to what had it before.
    const now = document.activeElement;
    if (now && now !== had && now !== document.body) return;
    if (opener && usable(opener)) {
      opener.focus({preventScroll: true});
      return;
    }
    const home = around.find((e) => e.isConnected) ?? document.querySelector('main');
    if (!home) return;
    // Another element may do the same, or the part says where to go on. Otherwise it gets the focus as a whole.
    const same = place ? `[data-place="${CSS.escape(place)}"]` : act ? `[data-act="${act}"]${arg ? `[data-arg="${CSS.escape(arg)}"]` : ''}` : '';
    const next = same && [...home.querySelectorAll(same)].find((e) => usable(e) && /** @type {HTMLElement} */ (e).tabIndex >= 0)
      || [...home.querySelectorAll('[data-goes-on=true]')].find(usable) || home;
    if (next === home && !home.hasAttribute('tabindex')) home.setAttribute('tabindex', '-1');
    /** @type {HTMLElement} */ (next).focus({preventScroll: next === home || !next.closest('.card')}); // a report card is long
  };
  // Whether an element that still has the focus can be seen takes a layout of the page. The next
  // frame makes one anyway, and until then the focus stays where it is.
  return () => {
    if (had.isConnected && had === document.activeElement) requestAnimationFrame(give);
    else give();
  };
};
