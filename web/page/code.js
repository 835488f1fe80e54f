// Draws the engine's own source for the step that the page shows, and names its counterpart in
// client-go. The build has made code.json of the source (web/build/code), which is fetched when it
// is shown for the first time. The program describes the step in data-code (wasm/picture/says/code.go).
import {folder, reason} from './site.js';

/** A function's number, and the numbers of lines that have run in it. @typedef {number[]} Call */
/** @typedef {{calls: Call[], line: number, needs?: number[], queue?: string, batch?: boolean}} Way */
/** @typedef {{call: Call, ways: Record<string, Way[]>}} Step */
/** @typedef {{file: string, name: string, first: number, lines: string[][]}} Func */
/** @typedef {{functions: Func[], steps: Record<string, Step>, clientGo: [name: string, file: string, since: number][]}} File */
/** @typedef {{pc: string, told: string, queue: string, batch: boolean, version: string, does: string, facts: number[]}} Moment */

/** What was fetched. @type {File | null} */
let file = null;
let fetching = false;

/** The pane that is open, and what it shows. @type {HTMLElement | null} */
let pane = null;
let shown = '';

/** The drawn functions by their numbers, each with its lines. @type {Map<number, {section: HTMLElement, lines: HTMLElement[]}>} */
const drawn = new Map();

/** The lines that are lit, and the one that is to be in sight. @type {Set<HTMLElement>} */
let lit = new Set();
/** @type {HTMLElement | undefined} */
let goal;

const sizes = new ResizeObserver(() => reveal(false));

/** @param {string} selector @returns {HTMLElement} */
const part = (selector) => /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (pane).querySelector(selector));

/** @param {string} name @param {string} [className] @param {string} [text] */
const element = (name, className = '', text = '') => {
  const e = document.createElement(name);
  if (className) e.className = className;
  e.textContent = text;
  return e;
};

/** The classes of pieces, by the letters before them. @type {Record<string, string>} */
const classes = {k: 'word', c: 'comment', s: 'string', n: 'number'};

/** @param {number} n the function's number */
const draw = (n) => {
  const known = drawn.get(n);
  if (known) return known;
  const f = /** @type {File} */ (file).functions[n], section = element('section', 'code-function'), head = element('header');
  head.title = `${f.name}, ${f.file}`;
  head.append(element('code', 'code-name', f.name), element('span', 'code-file', f.file));
  section.append(head);
  const lines = f.lines.map((pieces, i) => {
    const line = element('div', 'code-line');
    line.dataset.n = String(f.first + i);
    for (const piece of pieces) {
      const kind = classes[piece[0]];
      line.append(kind ? element('span', 'code-' + kind, piece.slice(1)) : piece.slice(1));
    }
    section.append(line);
    return line;
  });
  const made = {section, lines};
  drawn.set(n, made);
  return made;
};

/** @param {string} text @returns {Moment} */
const read = (text) => {
  const [pc, told, queue, batch, version, does, ...facts] = text.split(' ');
  return {pc, told, queue, batch: batch === 'batch', version, does, facts: facts.map(Number)};
};

/**
 * The ways that may have led to a fact. What all of them share has run.
 * @param {Step} step
 * @param {Moment} m
 * @param {string | number} kind
 */
const ways = (step, m, kind) => (step.ways[kind] ?? []).filter((way) =>
  (!way.queue || way.queue === m.queue) && (way.batch === undefined || way.batch === m.batch) && (way.needs ?? []).every((need) => m.facts.includes(need)));

/**
 * The lines that ran in each function that all ways go through, in the order of the calls.
 * @param {Way[]} all
 */
const shared = (all) => {
  /** @type {Map<number, number[]>} */
  const lines = new Map();
  if (!all.length) return lines;
  const maps = all.map((way) => new Map(way.calls.map(([n, ...ran]) => [n, ran])));
  for (const [n, ran] of maps[0]) {
    if (maps.every((map) => map.has(n))) lines.set(n, ran.filter((line) => maps.every((map) => map.get(n)?.includes(line))));
  }
  return lines;
};

/** @param {Moment} m @param {string} told the function of the sentence */
const peers = (m, told) => {
  const minor = Number(m.version.split('.')[1]), list = part('.code-peers ul');
  /** @type {HTMLElement[]} */
  const items = [];
  for (const name of new Set([told, m.does])) {
    const row = file?.clientGo.findLast(([start, , since]) => name.startsWith(start) && minor >= since);
    if (!row) continue;
    const beside = row[1].startsWith('apimachinery/'), repo = beside ? 'apimachinery' : 'client-go', path = row[1].replace('apimachinery/', '');
    const item = element('li'), link = /** @type {HTMLAnchorElement} */ (element('a', '', name));
    link.href = `https://github.com/kubernetes/${repo}/blob/${m.version}/${path}`;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    item.title = `${name}, k8s.io/${repo}/${path} ${m.version}`;
    item.append(link, element('span', 'code-file', `${beside ? 'apimachinery ' : ''}${path.split('/').at(-1)} ${m.version}`));
    items.push(item);
  }
  list.replaceChildren(...items);
};

/**
 * Scrolls the source, and nothing else, so that the goal is in sight: no more than needed in a
 * function that was shown before, and otherwise from as far up as has room.
 * @param {boolean} anew
 */
const reveal = (anew) => {
  if (!pane || !goal?.isConnected) return;
  const source = part('.code-source'), section = /** @type {HTMLElement} */ (goal.parentElement);
  const head = /** @type {HTMLElement} */ (section.firstElementChild).offsetHeight, room = source.clientHeight;
  const top = goal.offsetTop - head, bottom = goal.offsetTop + 2 * goal.offsetHeight; // the next line is seen as well
  if (!anew && top >= source.scrollTop && bottom <= source.scrollTop + room) return;
  const above = top - (room - head) / 3, whole = /** @type {HTMLElement[]} */ ([...section.children]).find((line) => line.offsetTop - head >= above);
  source.scrollTop = [0, section.offsetTop].find((from) => bottom - from <= room) ?? Math.min(top, whole ? whole.offsetTop - head : top);
};

/** @param {string} text */
const show = (text) => {
  const m = read(text), step = /** @type {File} */ (file).steps[m.pc], told = ways(step, m, m.told), lines = shared(told);
  if (!lines.size) lines.set(step.call[0], []);
  for (const all of [[{calls: [step.call], line: 0}], ...m.facts.map((kind) => ways(step, m, kind))]) {
    for (const [n, ran] of shared(all)) lines.get(n)?.push(...ran);
  }
  const last = [...lines.keys()].at(-1) ?? 0, line = told[0]?.line;
  const certain = told.length > 0 && told.every((way) => way.line === line && way.calls.at(-1)?.[0] === last);
  /** @type {Set<HTMLElement>} */
  const now = new Set();
  /** @type {HTMLElement | undefined} */
  let at;
  const sections = [...lines].map(([n, ran]) => {
    const f = /** @type {File} */ (file).functions[n], of = draw(n);
    for (const number of ran) now.add(of.lines[number - f.first]);
    if (n === last && certain) at = of.lines[line - f.first];
    return of.section;
  });
  for (const old of lit) {
    if (!now.has(old)) old.classList.remove('ran');
    old.removeAttribute('aria-current');
  }
  for (const fresh of now) fresh.classList.add('ran');
  at?.setAttribute('aria-current', 'true');
  lit = now;
  const source = part('.code-source');
  const anew = source.children.length !== sections.length || sections.some((section, i) => source.children[i] !== section);
  if (anew) source.replaceChildren(...sections);
  const f = /** @type {File} */ (file).functions[last];
  const where = /** @type {HTMLElement} */ (pane?.parentElement?.querySelector('.code-at'));
  where.textContent = at ? `${f.file}:${line}` : f.file;
  where.title = where.textContent;
  goal = at ?? draw(last).lines.find((line, i, all) => now.has(line) || i === all.length - 1);
  requestAnimationFrame(() => reveal(anew)); // before the next painting the browser lays the page out anyway
};

const fetchFile = async () => {
  if (fetching) return;
  fetching = true;
  try {
    const answer = await fetch(new URL('code.json', folder));
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    file = await answer.json();
  } catch (error) {
    if (pane) part('.code-reason').textContent = reason(error);
    if (pane) pane.dataset.state = 'failed';
  }
  fetching = false;
  if (file) coded();
};

/** Shows the source of the step that the page shows, if the page has room for it. Is called after each change of the page. */
export const coded = () => {
  const open = document.getElementById('code'), text = open?.dataset.code ?? '';
  const now = `${text}\n${open?.dataset.func}`;
  if (open === pane && now === shown) return;
  if (open !== pane) {
    pane = open;
    sizes.disconnect();
    if (pane) {
      part('.code-again').addEventListener('click', again);
      sizes.observe(part('.code-source'));
    }
  }
  shown = file ? now : '';
  if (!pane) return;
  if (!file) {
    if (pane.dataset.state !== 'failed') again();
    return;
  }
  pane.dataset.state = text ? 'shown' : 'start';
  if (!text) return;
  show(text);
  peers(read(text), pane.dataset.func ?? '');
};

const again = () => {
  if (pane) pane.dataset.state = 'fetching';
  fetchFile();
};
