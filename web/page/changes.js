// changes.html: shows what differs between the two releases that the address names, as in
// changes.html#v0.32-v0.37 or changes.html#v0.26.3-v0.26.4, and everything where it names none.
import {address, choose, differ, listen, newest} from './pair.js';
import {dress} from './beside.js';

dress((lang) => {
  for (const select of document.querySelectorAll('select')) select.ariaLabel = select.dataset[lang] ?? null;
});

/** @param {string} id */
const select = (id) => /** @type {HTMLSelectElement} */ (document.getElementById(id));
const from = {minor: select('from'), patch: select('from-patch')}, to = {minor: select('to'), patch: select('to-patch')};
const minors = [...from.minor.options].map((o) => ({name: o.value, last: Number(o.dataset.last), beta: o.dataset.beta}));

/** Shows the changes of the pair that the address names. */
const show = () => {
  const [a = '', b = ''] = location.hash.slice(1).split('-');
  const pair = [choose(minors, from, a), choose(minors, to, b)].every((known) => known);
  if (!pair) {
    choose(minors, from, minors[0].name);
    choose(minors, to, newest(minors));
  }
  let shown = 0;
  for (const article of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('article'))) {
    article.hidden = pair && !differ(article.dataset.has || '', [from, to]);
    if (!article.hidden) shown++;
  }
  const none = document.getElementById('none');
  if (none) none.hidden = shown > 0;
};
listen(minors, [from, to], () => { location.hash = address(minors, [from, to]); });
addEventListener('hashchange', show);
show();
