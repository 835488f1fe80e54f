// Draws what differs for a program between two releases of client-go, in the dialog that the program
// makes for it (wasm/view/dialog/dialog.go). The build has made a file of it for each language
// (web/build/changes), which is fetched when it is first shown.
import {folder, reason} from './site.js';
import {address, choose, differ, listen, newest} from './pair.js';

/** @typedef {{name: string, since: string, has: string, refs?: {name: string, url: string}[], says: string, do: string, why?: string, script?: string, before?: string, was?: string, is?: string, link?: string}} Gate */
/** @typedef {{words: Record<string, string>, minors: import('./pair.js').Minor[], gates: Gate[]}} List */

/** What was fetched, by language. @type {Map<string, List>} */
const lists = new Map();

/** The dialog's body, while it is open. @type {HTMLElement | null} */
let body = null;
/** The language that is shown there, or is being fetched. */
let shown = '';
/** Ends the fetching when the dialog is closed. @type {AbortController | undefined} */
let fetching;

/** @param {string} selector @returns {HTMLElement} */
const part = (selector) => /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (body).querySelector(selector));

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name @param {string} [className] @param {...(string | Node)} content
 */
const element = (name, className = '', ...content) => {
  const e = document.createElement(name);
  if (className) e.className = className;
  e.append(...content);
  return e;
};

/** @param {string} text @param {string} address */
const link = (text, address) => Object.assign(element('a', '', text), {href: address});

/** @param {List} list @param {Gate} gate */
const draw = ({words}, gate) => {
  const article = element('article', '', element('h3', '', element('code', '', gate.name), element('span', 'since', gate.since)),
    element('p', '', gate.says), element('p', 'do', gate.do));
  article.dataset.gate = gate.name;
  if (gate.why) article.append(element('p', 'quiet', gate.why));
  const refs = (gate.refs ?? []).map((ref) => Object.assign(link(ref.name, ref.url), {target: '_blank', rel: 'noopener noreferrer'}));
  if (refs.length) article.append(element('p', 'refs', ...refs));
  if (!gate.script) return article;
  const seen = (/** @type {string} */ title, /** @type {string | undefined} */ text) => element('div', '', element('h4', '', title), element('pre', '', text || '–'));
  article.append(element('div', 'shown', element('pre', 'script', gate.script), seen(gate.before ?? '', gate.was), seen(words.change, gate.is)));
  const both = link(words.open, gate.link ?? '');
  both.className = 'button';
  article.append(element('p', '', both));
  return article;
};

/** @param {List} list @param {string} name @param {string} wanted @param {string} otherwise */
const choice = (list, name, wanted, otherwise) => {
  const minor = element('select', '', ...list.minors.map((of) => new Option(of.called || of.name, of.name))), patch = element('select');
  patch.ariaLabel = list.words[`${name}Patch`];
  if (!choose(list.minors, {minor, patch}, wanted)) choose(list.minors, {minor, patch}, otherwise);
  return {minor, patch, label: element('span', '', element('label', '', list.words[name] + ' ', minor), ' ', patch)};
};

/** Shows a list, at first of the pair that the program names. @param {List} list */
const show = (list) => {
  const [first = '', last = ''] = (body?.dataset.pair ?? '').split('-'), {minors} = list;
  const from = choice(list, 'from', first, minors[0].name), to = choice(list, 'to', last, newest(minors));
  const none = element('p', 'none', list.words.none);
  const articles = list.gates.map((gate) => ({gate, article: draw(list, gate)}));
  const page = /** @type {HTMLAnchorElement | null} */ (document.getElementById('changes-page'));
  const chosen = () => {
    for (const {gate, article} of articles) article.hidden = !differ(gate.has, [from, to]);
    none.hidden = articles.some(({article}) => !article.hidden);
    if (page) page.hash = address(minors, [from, to]);
  };
  listen(minors, [from, to], chosen);
  chosen();
  const status = element('div', '', none);
  status.setAttribute('role', 'status');
  part('.changes-shown').replaceChildren(element('p', 'pair', from.label, to.label), status, ...articles.map(({article}) => article));
};

const fetchList = async () => {
  if (!body) return;
  const lang = shown, mine = fetching = new AbortController();
  body.dataset.state = 'fetching';
  try {
    const answer = await fetch(new URL(`changes/${lang}.json`, folder), {signal: mine.signal});
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    lists.set(lang, await answer.json());
  } catch (error) {
    if (fetching !== mine) return; // nobody waits for it any more
    part('code').textContent = reason(error);
    body.dataset.state = 'failed';
    return;
  }
  if (fetching === mine) begin();
};

/** Shows the list in the page's language, if it is there, and fetches it otherwise. */
const begin = () => {
  const list = lists.get(shown);
  if (!body) return;
  if (!list) {
    fetchList();
    return;
  }
  show(list);
  body.dataset.state = 'shown';
};

/** Draws the changes, if their dialog is open. Is called after each change of the page. */
export const released = () => {
  const open = document.getElementById('changes'), lang = open?.dataset.file ?? '';
  if (open === body && lang === shown) return;
  fetching?.abort();
  fetching = undefined;
  if (open && open !== body) /** @type {HTMLElement} */ (open.querySelector('button')).addEventListener('click', () => { fetchList(); });
  body = open;
  shown = lang;
  begin();
};
