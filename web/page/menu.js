// Makes a menu of a button with aria-haspopup and the list after it, which the page's program adds and
// removes (wasm/view/widget): where it is put, and its keys. The keys follow the ARIA Authoring
// Practices' menu button.

/** How long a pause ends what is typed, in ms. */
const pause = 700;
/** How far a menu stays away from the window's edges, in px. */
const margin = 8;

let typed = '', last = 0;

/** @returns {HTMLElement | null} the menu that is open */
const open = () => document.querySelector('[role=menu]:popover-open');

/** @param {Element} menu @returns {HTMLElement | null | undefined} */
export const openerOf = (menu) => menu.parentElement?.querySelector('[aria-haspopup=menu]');

/** @param {HTMLElement} menu @returns {HTMLElement[]} */
const entries = (menu) => [...menu.querySelectorAll('[role=menuitem]')].map((e) => /** @type {HTMLElement} */ (e));

/** Puts a menu below its button, or above it where that has more room. @param {HTMLElement} menu */
const put = (menu) => {
  const at = openerOf(menu)?.getBoundingClientRect();
  if (!at) return;
  const below = innerHeight - at.bottom - 2 * margin, above = at.top - 2 * margin;
  const up = below < Math.min(menu.scrollHeight, above), width = menu.offsetWidth;
  const set = (/** @type {string} */ name, /** @type {number} */ px) => menu.style.setProperty(name, `${Math.round(px)}px`);
  set('--most', Math.max(up ? above : below, 120));
  set('--left', Math.max(margin, Math.min(at.left + at.width / 2 < innerWidth / 2 ? at.left : at.right - width, innerWidth - width - margin)));
  set('--top', up ? at.top - margin / 2 - Math.min(menu.scrollHeight + 2, above) : at.bottom + margin / 2);
};

/** Shows a menu that was just added. @param {HTMLElement} menu */
export const shown = (menu) => {
  if (!menu.isConnected) return;
  menu.showPopover();
  put(menu);
  typed = '';
  entries(menu)[0]?.focus();
};

/** @param {HTMLElement[]} all @param {number} at @param {KeyboardEvent} e @returns {number} -1 for none */
const typing = (all, at, e) => {
  typed = e.timeStamp - last > pause ? e.key : typed + e.key;
  last = e.timeStamp;
  const text = typed.toLowerCase(), same = [...text].every((c) => c === text[0]); // the same letter goes from one to the next
  const wanted = same ? text[0] : text, from = same ? at + 1 : at;
  for (let i = 0; i < all.length; i++) {
    const k = (from + i + all.length) % all.length;
    if (all[k].textContent?.trim().toLowerCase().startsWith(wanted)) return k;
  }
  return -1;
};

/** @param {KeyboardEvent} e */
const key = (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const target = /** @type {HTMLElement} */ (e.target), menu = open();
  if (!menu || !menu.contains(target)) {
    if (!target.matches?.('[aria-haspopup=menu]') || e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
    e.preventDefault();
    e.stopPropagation(); // the page's program would take it for a step
    if (menu) entries(menu).at(e.key === 'ArrowUp' ? -1 : 0)?.focus();
    else target.click();
    return;
  }
  const all = entries(menu), at = all.indexOf(target);
  let to;
  switch (e.key) {
    case 'ArrowDown': to = (at + 1) % all.length; break;
    case 'ArrowUp': to = (at - 1 + all.length) % all.length; break;
    case 'Home': to = 0; break;
    case 'End': to = all.length - 1; break;
    case 'Tab': // goes on from the button
      openerOf(menu)?.focus();
      openerOf(menu)?.click();
      return;
    default:
      if ([...e.key].length !== 1 || e.key === ' ') return;
      to = typing(all, at, e);
  }
  if ([...e.key].length > 1) typed = '';
  e.preventDefault();
  e.stopPropagation();
  all[to]?.focus();
};

/** A click beside a menu closes it. @param {PointerEvent} e */
const press = (e) => {
  const menu = open();
  if (menu && !menu.parentElement?.contains(/** @type {Node} */ (e.target))) openerOf(menu)?.click();
};

const moved = () => {
  const menu = open();
  if (menu) put(menu);
};

/** Listens. Must be called before the page's program listens. */
export const menus = () => {
  addEventListener('keydown', key, true);
  addEventListener('pointerdown', press, true);
  addEventListener('resize', moved);
  addEventListener('scroll', (e) => { if (e.target !== open()) moved(); }, {capture: true, passive: true});
};
