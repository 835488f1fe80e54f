// Draws the wires between the stations, in the gaps between these. The state of each wire is the
// data attribute of the stage that has its name (style/wire.css).

/** @typedef {'left' | 'right' | 'top' | 'bottom'} Side */
/** @typedef {[x: number, y: number]} Point */

/** From a station and its side to another. @type {Record<string, [string, Side, string, Side]>} */
const routes = {
  watch: ['server', 'bottom', 'reflector', 'top'],
  enqueue: ['reflector', 'right', 'queue', 'left'],
  pop: ['queue', 'bottom', 'loop', 'top'],
  store: ['loop', 'right', 'store', 'left'],
  distribute: ['loop', 'right', 'processor', 'left'],
  work: ['processor', 'bottom', 'work', 'top'],
  writeback: ['work', 'left', 'server', 'left'],
};

/**
 * The routes where the stations stand below one another. The process loop writes the store and
 * then distributes, so the wire to the processor goes round the store.
 * @type {typeof routes}
 */
const stacked = {
  ...routes,
  enqueue: ['reflector', 'bottom', 'queue', 'top'],
  store: ['loop', 'bottom', 'store', 'top'],
  distribute: ['loop', 'right', 'processor', 'right'],
};

/** The routes where the workqueue stands beside the processor, as on a low stage. @type {typeof routes} */
const low = {...routes, work: ['processor', 'left', 'work', 'right']};

/**
 * The sides by which a wire goes from one station to another, wherever they stand.
 * @param {DOMRect} a
 * @param {DOMRect} b
 * @returns {[Side, Side]}
 */
const sides = (a, b) => {
  if (b.left >= a.right) return ['right', 'left'];
  if (b.right <= a.left && b.top < a.bottom) return ['left', 'right'];
  return ['bottom', 'top'];
};

/**
 * The point of a side that is nearest to the middle of another station, away from the corners.
 * @param {DOMRect} r
 * @param {Side} side
 * @param {DOMRect} other
 * @returns {Point}
 */
const point = (r, side, other) => {
  /** @param {number} lo @param {number} hi @param {number} v */
  const within = (lo, hi, v) => Math.min(Math.max(v, lo + 26), hi - 26);
  const x = within(r.left, r.right, (other.left + other.right) / 2);
  const y = within(r.top, r.bottom, (other.top + other.bottom) / 2);
  switch (side) {
    case 'left': return [r.left, y];
    case 'right': return [r.right, y];
    case 'top': return [x, r.top];
    default: return [x, r.bottom];
  }
};

/**
 * The path of a wire that leaves a station at a side.
 * @param {Point} from
 * @param {Side} side
 * @param {Point} to
 * @param {Side} enters
 */
const curve = ([x0, y0], side, [x1, y1], enters) => {
  if (side === 'left' && enters === 'right') return `M${x0} ${y1} H${x1 + 2}`;
  if (side === 'left') { // round the outside of the stage
    const x = Math.min(x0, x1) - 9;
    return `M${x0} ${y0} H${x + 6} Q${x} ${y0} ${x} ${y0 - 6} V${y1 + 6} Q${x} ${y1} ${x + 6} ${y1} H${x1 - 2}`;
  }
  if (side === enters) { // and round the other side of it, downwards
    const x = Math.max(x0, x1) + 9;
    return `M${x0} ${y0} H${x - 6} Q${x} ${y0} ${x} ${y0 + 6} V${y1 - 6} Q${x} ${y1} ${x - 6} ${y1} H${x1 + 2}`;
  }
  if (side === 'bottom') {
    if (Math.abs(x1 - x0) < 4) return `M${x0} ${y0} V${y1 - 2}`;
    return `M${x0} ${y0} V${(y0 + y1) / 2} H${x1} V${y1 - 2}`;
  }
  if (Math.abs(y1 - y0) < 4) return `M${x0} ${y1} H${x1 - 2}`;
  return `M${x0} ${y0} H${(x0 + x1) / 2} V${y1} H${x1 - 2}`;
};

/** @param {string} name @param {string} classes */
const element = (name, classes) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  e.setAttribute('class', classes);
  return e;
};

/** Draws the wires of a stage. Not every browser gives a marker the colour of its line, so a head is a path. @param {Element} svg */
const drawIn = (svg) => {
  const origin = svg.getBoundingClientRect();
  const stage = /** @type {Element} */ (svg.parentElement);
  /** @param {string} name */
  const boxOf = (name) => stage.querySelector(`[data-station=${name}]:not(.mapped)`)?.getBoundingClientRect();
  const work = boxOf('work'), processor = boxOf('processor');
  const beside = work && processor && work.right <= processor.left;
  const ways = getComputedStyle(/** @type {Element} */ (stage.querySelector('.taught') ?? stage)).display !== 'grid' ? stacked : beside ? low : routes;
  const free = stage.hasAttribute('data-taught') && ways !== stacked;
  for (const [name, [from, usualLeaves, to, usualEnters]] of Object.entries(ways)) {
    let wire = svg.querySelector('.wire-' + name);
    if (!wire) {
      wire = element('g', 'wire wire-' + name);
      wire.append(element('path', 'wire-line'), element('path', 'wire-head'));
      svg.append(wire);
    }
    const [line, head] = /** @type {SVGPathElement[]} */ ([...wire.children]);
    const a = boxOf(from), b = boxOf(to);
    if (!a?.width || !b?.width) { // one of them isn't shown
      line.setAttribute('d', '');
      head.setAttribute('d', '');
      continue;
    }
    const [leaves, enters] = free && name !== 'writeback' ? sides(a, b) : [usualLeaves, usualEnters];
    const p = point(a, leaves, ways === low && name === 'work' ? new DOMRect(b.x, b.bottom, b.width, 0) : b); // below the wire to the processor
    const q = point(b, enters, leaves === enters ? b : new DOMRect(p[0], p[1], 0, 0));
    line.setAttribute('d', curve([p[0] - origin.x, p[1] - origin.y], leaves, [q[0] - origin.x, q[1] - origin.y], enters));
    const length = line.getTotalLength(), end = line.getPointAtLength(length), before = line.getPointAtLength(length - 1);
    head.setAttribute('d', 'M-8 -5.5L3 0L-8 5.5z');
    head.setAttribute('transform', `translate(${end.x} ${end.y}) rotate(${Math.atan2(end.y - before.y, end.x - before.x) * 180 / Math.PI})`);
  }
};

/** What is observed. To observe an element once more would report its size once more. @type {WeakSet<Element>} */
const observed = new WeakSet();

/** Draws the wires now, and again whenever a station changes its size. A second stage comes when the first one gives way. */
export const wires = () => {
  for (const svg of document.querySelectorAll('.wires')) drawIn(svg);
  for (const e of document.querySelectorAll('[data-station], .stage')) {
    if (!observed.has(e)) sizes.observe(e);
    observed.add(e);
  }
};

const sizes = new ResizeObserver(wires);

/** The wires of a new stage are drawn with its first frame, since laying it out is a task of its own. */
let asked = false;

/** Draws the wires of a stage that has come, such as the one behind a card: nothing has observed its stations before. */
export const wired = () => {
  if (asked || document.getElementById('wires')?.childElementCount !== 0) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    wires();
  });
};
