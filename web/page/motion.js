// Shows things on their way from where they were to where they are. Before a change, places are
// measured. After it, a ghost above the stage travels for each thing that moved, and rows that
// gave way slide. Until the ghosts have arrived, rows, numbers and sentences are drawn as they were.
// Only one change is ever under way: the next one ends it at once.
import {followMoves, followed} from './follow.js';
import {find, places} from './places.js';

/** @typedef {{letter: string, key: string, label: string, from: string, to: string, how: string}} Move */

/**
 * A move under way: its goal, where it starts, whether its goal was there before the change, and
 * whether it starts from a tile.
 * @typedef {{m: Move, to: string, from: DOMRect | null, known: boolean, tile: boolean}} Start
 */

/**
 * What was drawn before a change: all of the stage, its texts, and the sentences beside it with their copies.
 * @typedef {{all: Set<Element>, texts: Map<HTMLElement, {text: string, width: number, looks: string}>, said: Map<HTMLElement, HTMLElement>}} Drawn
 */

/** @typedef {{millis: number, forward: boolean, starts: Start[], rows: Map<Element, DOMRect>, drawn: Drawn}} Job */

const easing = 'cubic-bezier(.2, .7, .2, 1)';
const still = document.documentElement.dataset.motion === 'none' ? {matches: true} : matchMedia('(prefers-reduced-motion: reduce)');
const maxGhosts = 40, maxRows = 80;
/** How long a flight takes, in milliseconds, from which on what has changed waits for it. */
const readable = 90;

/** What ends each movement under way. @type {(() => void)[]} */
let running = [];
/** @type {HTMLElement[]} */
let lit = [];
/** @type {Job | null} */
let job = null;

/**
 * Where an element is. What is scrolled out of its list counts as at the end of the list.
 * @param {Element | undefined} e
 */
const measure = (e) => {
  if (!e?.isConnected) return null;
  const r = e.getBoundingClientRect();
  if (!r.width) return null;
  const list = e.closest('[data-clip]');
  if (!list) return r;
  const c = list.getBoundingClientRect();
  const x = Math.min(Math.max(r.x, c.x), c.right), y = Math.min(Math.max(r.y, c.y - 8), c.bottom - 8);
  return new DOMRect(x, y, r.width, r.height);
};

/** What holds a thing and says something else while it does. */
const boxes = '.handler, .worker, .loop-hand:not(:has(.chip))';

/** @param {Element} e */
const looks = (e) => e.getAttribute('class') ?? '';

/** What is drawn now. @returns {Drawn} */
const drawn = () => {
  const texts = new Map(), said = new Map(), all = /** @type {Set<HTMLElement>} */ (new Set(document.querySelectorAll('main .station *')));
  for (const e of all) {
    if ((!e.firstElementChild || e.matches(boxes)) && e.textContent && !e.parentElement?.closest(`.chip, ${boxes}`)) texts.set(e, {text: e.textContent, width: e.offsetWidth, looks: looks(e)});
  }
  for (const e of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.explain > :is(.explain-head, .by, .said, .why)'))) {
    const copy = /** @type {HTMLElement} */ (e.cloneNode(true));
    copy.inert = true;
    copy.classList.add('was');
    Object.assign(copy.style, {left: `${e.offsetLeft}px`, top: `${e.offsetTop}px`, width: `${e.offsetWidth}px`});
    said.set(e, copy);
  }
  return {all, texts, said};
};

/**
 * Draws what has changed as it was, until what it returns is called.
 * @param {Drawn} drawn
 * @param {Map<Element, DOMRect>} rows those that were there
 */
const hold = ({all, texts, said}, rows) => {
  /** @type {Map<HTMLElement, string>} */
  const held = new Map();
  /** @type {Element[]} */
  const late = [];
  for (const [e, was] of texts) {
    if (!e.isConnected || e.textContent === was.text) continue;
    held.set(e, looks(e));
    if (!e.matches(boxes)) e.setAttribute('class', was.looks);
    e.dataset.was = was.text;
    e.style.minWidth = e.style.maxWidth = `${was.width}px`;
  }
  /** @type {Set<string> | undefined} */
  let gone;
  /** @param {Element} e */
  const same = (e) => `${looks(e)} ${e.textContent}`;
  for (const e of document.querySelectorAll('main .station *')) { // what is new, and doesn't take the place of the same
    if (all.has(e) || !e.parentElement || !all.has(e.parentElement) && !e.parentElement.matches('.station') || e.matches('.arriving')) continue;
    gone ??= new Set([...all].filter((was) => !was.isConnected).map(same));
    if (!gone.has(same(e))) late.push(e);
  }
  for (const list of document.querySelectorAll('main [data-flip]')) {
    for (const row of /** @type {Iterable<HTMLElement>} */ (list.children)) if (!rows.has(row)) late.push(row);
  }
  for (const [e, copy] of said) {
    if (!e.isConnected || e.textContent === copy.textContent) continue;
    e.after(copy);
    late.push(e);
  }
  for (const e of late) e.classList.add('late');
  for (const e of lit) e.classList.remove('lit');
  return () => {
    for (const [e, is] of held) {
      if (looks(e) === texts.get(e)?.looks) e.setAttribute('class', is);
      delete e.dataset.was;
      e.style.minWidth = e.style.maxWidth = '';
    }
    for (const e of late) e.classList.remove('late');
    for (const e of lit) e.classList.add('lit');
    for (const copy of said.values()) copy.remove();
  };
};

/**
 * Measures, before a change of the page, what will move.
 * @param {number} millis how long each movement takes; 0 where nothing travels
 * @param {boolean} forward
 * @param {Move[]} moves
 */
export const before = (millis, forward, moves) => {
  for (const stop of running.splice(0)) stop();
  job = null;
  if (!millis || document.hidden || still.matches) return;
  job = {millis, forward, starts: [], rows: new Map(), drawn: drawn()};
  followMoves(moves.map(({from, to}) => forward ? {from, to} : {from: to, to: from}));
  for (const m of moves.slice(0, maxGhosts)) {
    const [from, to] = forward ? [m.from, m.to] : [m.to, m.from];
    const source = find(from);
    job.starts.push({m, to, from: measure(source), known: places.has(to), tile: source?.classList.contains('tile') ?? false});
  }
  let n = 0;
  for (const list of document.querySelectorAll('[data-flip]')) {
    for (const row of list.children) {
      if (n++ < maxRows) job.rows.set(row, row.getBoundingClientRect());
    }
  }
};

/**
 * Lights up places, and no others.
 * @param {string[]} names
 */
export const light = (names) => {
  for (const e of lit) e.classList.remove('lit');
  lit = [];
  for (const name of names) {
    const e = places.get(name);
    if (!e) continue;
    e.classList.add('lit');
    lit.push(e);
  }
};

/** @param {Move} m */
const ghost = (m) => {
  const g = document.createElement('div');
  /** @param {string} name @param {string} text */
  const part = (name, text) => {
    const s = document.createElement('span');
    s.className = name;
    s.textContent = text;
    g.append(s);
  };
  if (m.how === 'key' || m.how === 'touch') {
    g.className = 'ghost ghost-key';
    part('k', m.key);
    return g;
  }
  g.className = 'ghost chip chip-' + m.letter;
  part('l', m.letter);
  if (m.label) part('v', m.label);
  return g;
};

/**
 * A tile that falls out of the cache.
 * @param {Move} m
 * @param {DOMRect} size
 */
const falling = (m, size) => {
  const g = document.createElement('div');
  g.className = 'ghost ghost-tile';
  g.textContent = m.key.slice(m.key.indexOf('/') + 1);
  g.style.width = `${size.width}px`;
  g.style.height = `${size.height}px`;
  return g;
};

/** @param {number} x @param {number} y */
const at = (x, y) => `translate(${x}px, ${y}px)`;

/**
 * The way of a ghost that falls off before the queue.
 * @param {number} x0
 * @param {number} y0
 * @param {DOMRect} from
 * @param {DOMRect} size
 */
const fall = (x0, y0, from, size) => {
  const queue = measure(places.get('queue')) ?? from;
  return [
    {transform: at(x0, y0), opacity: 1},
    {transform: at(queue.x - size.width / 2, y0 - 6), opacity: 1, offset: .5},
    {transform: at(queue.x - size.width - 12, y0 + 70) + ' rotate(-14deg)', opacity: 0},
  ];
};

/**
 * The way of a ghost that falls from where it is.
 * @param {number} x0
 * @param {number} y0
 */
const drop = (x0, y0) => [
  {transform: at(x0, y0), opacity: 1},
  {transform: at(x0, y0 - 8), opacity: 1, offset: .25},
  {transform: at(x0 + 14, y0 + 80) + ' rotate(10deg)', opacity: 0},
];

/**
 * The way of a ghost that touches its goal and returns.
 * @param {number} x0
 * @param {number} y0
 * @param {DOMRect} end
 * @param {DOMRect} size
 */
const touch = (x0, y0, end, size) => {
  const goal = at(end.x + Math.min(end.width - size.width, 0) / 2, end.y + (end.height - size.height) / 2);
  return [
    {transform: at(x0, y0), opacity: 1},
    {transform: goal, opacity: 1, offset: .45},
    {transform: goal + ' scale(1.08)', opacity: 1, offset: .55},
    {transform: at(x0, y0), opacity: .2},
  ];
};

/** The texts of the stage that are read while things move: where they stand now. */
const readNow = () => [...document.querySelectorAll('main .station :is(h2, .set h3, .ring-n, .lane-title, .lane-says)')].map((e) => {
  const text = document.createRange();
  text.selectNodeContents(e);
  return text.getBoundingClientRect();
});

/**
 * Reports whether a ghost at a place lies on a text.
 * @param {number} x
 * @param {number} y
 * @param {DOMRect} size
 * @param {DOMRect} text
 */
const liesOn = (x, y, {width, height}, text) => Math.min(x + width, text.right) > Math.max(x, text.left) && Math.min(y + height, text.bottom) > Math.max(y, text.top) + 2;

/**
 * The way of a ghost to its goal: in a low arc, or round the texts on which it would lie.
 * @param {number} x0
 * @param {number} y0
 * @param {DOMRect} end
 * @param {DOMRect} size
 * @param {boolean} merges
 * @param {DOMRect[]} texts
 */
const arc = (x0, y0, end, size, merges, texts) => {
  const x1 = end.x + Math.min(end.width - size.width, 0) / 2, y1 = end.y + (end.height - size.height) / 2;
  const dx = x1 - x0, dy = y1 - y0, lift = Math.min(26, Math.hypot(dx, dy) / 8);
  const inTheWay = texts.filter((t) => !liesOn(x0, y0, size, t) && !liesOn(x1, y1, size, t));
  const beside = x1 + size.width + 72;
  /** @type {[number, number][][]} */
  const ways = [
    [[x0 + dx / 2, y0 + dy / 2 - lift]], [[x1, y0]], [[x0, y1]], [[beside, y0 + dy / 2], [beside, y1]],
    ...[.5 * dy, 19, -19, 24, -24, 32, -32, 42, -42].map((down) => /** @type {[number, number][]} */ ([[x0, y0 + down], [x1, (Math.abs(dy) < 8 ? y1 : y0) + down]])),
  ];
  /** @param {[number, number][]} way */
  const covered = (way) => {
    const all = [[x0, y0], ...way, [x1, y1]];
    return inTheWay.filter((t) => all.some(([x, y], i) => i > 0 && [.1, .2, .3, .4, .5, .6, .7, .8, .9, 1].some((part) =>
      liesOn(all[i - 1][0] + (x - all[i - 1][0]) * part, all[i - 1][1] + (y - all[i - 1][1]) * part, size, t)))).length;
  };
  let best = ways[0], least = covered(best);
  for (const way of ways) {
    if (!least) break;
    const n = covered(way);
    if (n < least) [best, least] = [way, n];
  }
  return [
    {transform: at(x0, y0), opacity: 1},
    ...best.map(([x, y]) => ({transform: at(x, y) + (best === ways[0] ? ' scale(1.06)' : ''), opacity: 1})),
    merges ? {transform: at(x1, y1) + ' scale(.7)', opacity: .2} : {transform: at(x1, y1), opacity: 1},
  ];
};

/** @param {string} place */
const stationOf = (place) => /** @type {HTMLElement | null | undefined} */ (find(place)?.closest('[data-station]'))?.dataset.station;

/**
 * The way of a ghost along the connection, beside the words that stand on it and below it.
 * @param {number} x0
 * @param {number} y0
 * @param {DOMRect} end
 * @param {DOMRect} size
 * @param {DOMRect} wire
 */
const alongWire = (x0, y0, end, size, wire) => {
  const x1 = end.x + Math.min(end.width - size.width, 0) / 2, y1 = end.y + (end.height - size.height) / 2, x = wire.right - size.width - 18;
  return [{transform: at(x0, y0)}, {transform: at(x, y0 + (y1 - y0) * .2)}, {transform: at(x, y0 + (y1 - y0) * .85)}, {transform: at(x1, y1)}];
};

/**
 * Sends a ghost on its way.
 * @param {Job} job
 * @param {HTMLElement} layer
 * @param {Start} start
 * @param {number} i which of all starts it is
 * @param {DOMRect[]} texts what no ghost may lie on
 * @param {() => void} arrived what is done when it ends
 * @returns {boolean} whether there is a way
 */
const fly = ({millis, forward, starts}, layer, {m, from: was, to, known, tile: fromTile}, i, texts, arrived) => {
  const bounces = m.how === 'bounce', drops = m.how === 'drop', touches = m.how === 'touch';
  const end = (bounces || drops) && forward ? null : measure(find(to));
  const from = was ?? (drops ? end : null); // what has fallen comes up again
  if (!from || !end && !bounces && !drops) return false;
  const g = drops && fromTile ? falling(m, from) : ghost(m);
  layer.append(g);
  const size = g.getBoundingClientRect();
  const x0 = from.x + Math.min(from.width - size.width, 0) / 2, y0 = from.y + (from.height - size.height) / 2;
  const delay = m.how === 'sheaf' ? Math.min(i * 14, millis / 2) : 0;
  const duration = millis + (bounces || drops || touches ? 120 : 0);
  const crosses = stationOf(m.from) === 'server' && stationOf(m.to) === 'reflector' ? document.querySelector('main .wire-state:not(.loop-map *)') : null;
  const frames = drops ? drop(x0, y0)
    : touches && end ? touch(x0, y0, end, size)
      : !end ? fall(x0, y0, from, size)
        : crosses ? alongWire(x0, y0, end, size, crosses.getBoundingClientRect()) : arc(x0, y0, end, size, m.how === 'merge', texts);
  if (drops && !forward) frames.reverse();
  const flight = g.animate(frames, {duration, delay, easing, fill: 'both'});

  // The thing itself is on its way, so it isn't at its goal yet.
  const goal = places.get(to), tile = goal?.classList.contains('tile');
  const hides = end && m.how !== 'merge' && m.how !== 'key' && !touches && starts.length < maxGhosts
    && (goal?.classList.contains('chip') || tile && !known);
  if (hides) goal?.classList.add('arriving');
  // A tile that was there turns over from the old version to the new one.
  const turn = tile && known && forward
    ? goal?.animate([{transform: 'none'}, {transform: 'rotateX(90deg)', offset: 1 / 1.4}, {transform: 'none'}],
      {duration: duration * 1.4, easing: 'ease-in-out'})
    : undefined;

  const stop = () => {
    flight.cancel();
    turn?.cancel();
    g.remove();
    if (hides) goal?.classList.remove('arriving');
  };
  const ended = () => {
    stop();
    running = running.filter((r) => r !== stop);
  };
  if (turn) turn.onfinish = ended;
  flight.onfinish = () => {
    if (turn) g.remove();
    else ended();
    arrived();
  };
  running.push(stop);
  return true;
};

/** Shows, after a change of the page, what moved. */
export const after = () => {
  followed(!!job?.starts.length);
  if (!job) return;
  const now = job, layer = document.getElementById('flying');
  job = null;
  let flying = 0;
  const arrived = () => { if (!--flying) release?.(); };
  const stage = document.querySelector('main')?.getBoundingClientRect();
  if (layer && stage) layer.style.clipPath = `inset(${stage.top}px ${innerWidth - stage.right}px ${innerHeight - stage.bottom}px ${stage.left}px)`; // what is read beside it is never covered
  const texts = now.starts.length ? readNow() : [];
  if (layer) now.starts.forEach((start, i) => { if (fly(now, layer, start, i, texts, arrived)) flying++; });
  const release = flying && now.millis >= readable ? hold(now.drawn, now.rows) : undefined;
  if (release) running.push(release);
  for (const [row, was] of now.rows) {
    if (!row.isConnected) continue;
    const is = row.getBoundingClientRect();
    const dx = was.x - is.x, dy = was.y - is.y;
    if (Math.abs(dx) + Math.abs(dy) < 1) continue;
    const slide = row.animate([{transform: at(dx, dy)}, {transform: 'none'}], {duration: now.millis, easing});
    running.push(() => slide.cancel());
  }
};
