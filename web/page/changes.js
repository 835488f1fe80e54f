// changes.html: shows what differs between the two releases that the address names, as in
// changes.html#v0.32-v0.37, and everything where it names none.
const root = document.documentElement;

/** @param {string} name */
const saved = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // the browser may forbid storage
  }
};
const theme = saved('theme');
if (theme) root.dataset.theme = theme;
/** @param {string} tag */
const speak = (tag) => { root.lang = tag.toLowerCase().startsWith('zh') ? 'zh' : 'en'; };
speak(saved('lang') || navigator.language);
document.getElementById('langs')?.addEventListener('click', (e) => {
  if (e.target instanceof HTMLButtonElement) speak(e.target.value);
});

const from = /** @type {HTMLSelectElement} */ (document.getElementById('from'));
const to = /** @type {HTMLSelectElement} */ (document.getElementById('to'));
const minors = [...from.options].map((o) => o.value);

/** Shows the changes of the pair that the address names. */
const show = () => {
  const [a, b] = location.hash.slice(1).split('-').map((name) => minors.findIndex((m) => name === m || name.startsWith(m + '.')));
  const pair = a >= 0 && b >= 0;
  from.selectedIndex = pair ? a : 0;
  to.selectedIndex = pair ? b : minors.length - 1;
  let shown = 0;
  for (const article of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('article'))) {
    const has = article.dataset.has || '';
    article.hidden = pair && has[a] === has[b];
    if (!article.hidden) shown++;
  }
  const none = document.getElementById('none');
  if (none) none.hidden = shown > 0;
};
for (const select of [from, to]) select.addEventListener('change', () => { location.hash = from.value + '-' + to.value; });
addEventListener('hashchange', show);
show();

export {}; // a module: its names are its own
