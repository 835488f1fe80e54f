// The speaker's window: shows what the page beside it gives (room.js), the time, and how long it
// has been since the window was opened.

const page = /** @type {any} */ (opener);
let began = Date.now();

const show = () => {
  const seconds = Math.floor((Date.now() - began) / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const texts = {
    now: new Date().toLocaleTimeString(document.documentElement.lang, {hour: '2-digit', minute: '2-digit'}),
    elapsed: `${Math.floor(seconds / 60)}:${two(seconds % 60)}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const e = document.querySelector(`[data-time=${name}]`);
    if (e && e.textContent !== text) e.textContent = text;
  }
};

addEventListener('notes', (e) => {
  const {detail: copy} = /** @type {CustomEvent<HTMLElement>} */ (e);
  const had = /** @type {HTMLElement} */ (document.activeElement), {act, arg} = had.dataset, restart = had.matches('[data-restart]');
  const scrolled = document.documentElement.scrollTop;
  copy.hidden = false;
  document.title = copy.dataset.title ?? '';
  document.body.replaceChildren(copy);
  document.documentElement.scrollTop = scrolled;
  const again = [.../** @type {NodeListOf<HTMLElement>} */ (copy.querySelectorAll('button, input'))].find((x) => restart ? x.matches('[data-restart]') : act && x.dataset.act === act && x.dataset.arg === arg);
  again?.focus({preventScroll: true});
  show();
});

addEventListener('click', (e) => {
  if (!/** @type {Element} */ (e.target).closest('[data-restart]')) return;
  began = Date.now();
  show();
});

// The page may be loaded again while this window stays open.
const meet = () => {
  try {
    page?.informerscope?.speaker?.(window);
  } catch { /* the opener shows something else by now */ }
  show();
};
meet();
setInterval(meet, 500);
