// Moves what is under way along the track of the loop, and draws its trail. Where it goes, and how long that takes, is
// said by the attributes of the element .traveller (wasm/view/loop); the track is the border of .loop-track.

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** How many pieces the trail has: each is a little wider than the one behind it. */
const pieces = 22;

/** The leg that is drawn, by its number and where it goes. */
let leg = '';
let begun = 0; // when, as the browser's clock has it
let part = 0; // how much of the leg is over, from 0 to 1
let tail = 0; // where the trail begins, as a part of the track
/** @type {number} */
let frame = 0;

/**
 * The track as it was measured: a frame measures nothing, since only a change of the page or of its size moves a part.
 * @type {ReturnType<typeof measure> | undefined}
 */
let measured;

/** How the trail is drawn: its track and its colour. A frame changes the dashes alone. */
let drawn = '';

/** @param {string} name */
const svg = (name) => document.createElementNS('http://www.w3.org/2000/svg', name);

/**
 * The path round the track, from the middle of its left side, clockwise, where the stops are on it, and the colour of
 * what is under way. That stops before the watcher's eye, and covers nothing of it, and beside the viewer's code.
 * @param {HTMLElement} stage
 */
const measure = (stage) => {
  const box = stage.getBoundingClientRect();
  const track = /** @type {HTMLElement} */ (stage.querySelector('.loop-track'));
  const r = track.getBoundingClientRect(), style = getComputedStyle(track);
  const thick = parseFloat(style.borderTopWidth), radius = Math.min(parseFloat(style.borderTopLeftRadius), r.height / 2, r.width / 2) - thick / 2;
  const x0 = r.left - box.left + thick / 2, y0 = r.top - box.top + thick / 2, x1 = r.right - box.left - thick / 2, y1 = r.bottom - box.top - thick / 2;
  const line = /** @type {SVGPathElement} */ (svg('path'));
  const arc = `A${radius} ${radius} 0 0 1 `;
  const d = `M${x0} ${(y0 + y1) / 2}V${y0 + radius}${arc}${x0 + radius} ${y0}H${x1 - radius}${arc}${x1} ${y0 + radius}V${y1 - radius}${arc}${x1 - radius} ${y1}H${x0 + radius}${arc}${x0} ${y1 - radius}Z`;
  line.setAttribute('d', d);
  const all = line.getTotalLength();
  const side = (y1 - y0) / 2 - radius, corner = Math.PI / 2 * radius, top = side + corner;
  /** @param {string} name */
  const middle = (name) => {
    const b = [...stage.querySelectorAll(`.place-${name}, .part-${name}`)].find((e) => e.checkVisibility())?.getBoundingClientRect(); // on the map, or where it stands
    return b ? (b.left + b.right) / 2 - box.left : (x0 + x1) / 2;
  };
  const code = stage.querySelector('.part-code')?.getBoundingClientRect();
  const half = all / 2, eye = top + middle('watcher') - x0 - radius;
  const bay = stage.querySelector('.eye')?.getBoundingClientRect().width, chip = stage.querySelector('.traveller')?.getBoundingClientRect().width ?? 0;
  const edge = code?.width && code.top < r.bottom && code.left < r.right ? code.right - box.left + chip / 2 + 12 : middle('code');
  const back = x1 - radius - edge, round = radius * Math.asin(Math.min(.7, -back / radius)); // beside the code, on the line or before the corner ends
  /** @type {Record<string, number>} */
  const at = {
    cluster: 0, eye, watcher: bay && chip ? eye - (bay + chip) / 2 - 8 : eye, queue: top + middle('queue') - x0 - radius,
    cache: half, code: half + side + corner + (back > 0 ? back : -round), round: all,
  };
  const colour = getComputedStyle(stage.querySelector('.traveller > *') ?? stage).getPropertyValue('--c');
  return {line, all, at, d, thick, colour};
};

/** @param {number} x */
const ease = (x) => x < .5 ? 2 * x * x : 1 - (2 - 2 * x) ** 2 / 2;

/**
 * Draws the traveller and the trail behind it.
 * @param {HTMLElement} stage
 * @param {HTMLElement} who
 * @param {number} now
 */
const draw = (stage, who, now) => {
  const {leg: n = '0', from = '', to = '', ms = '0', done = '0', paused} = who.dataset;
  const {line, all, at, d, thick, colour} = measured ??= measure(stage);
  const begins = at[from] ?? 0, ends = to === 'cluster' ? at.round : at[to] ?? 0;
  const long = Number(ms);
  const id = `${n} ${long > 0}`;
  if (id !== leg) {
    const goesOn = Math.abs(tail) < all && from !== 'cluster' && n !== '1';
    leg = id;
    begun = now - Number(done);
    if (!goesOn || from === 'cluster') tail = 0;
    if (from === 'watcher' && who.querySelector('.chip-R')) tail = 0;
    part = 0;
  }
  if (!long || still.matches) part = 1;
  else if (paused !== undefined) begun = now - part * long;
  else part = Math.min(1, Math.max(0, (now - begun) / long));
  const slow = from === 'cluster' && long > 900; // the wire: it takes as long as the machine says
  const head = begins + (ends - begins) * (slow ? part : ease(part));
  const point = line.getPointAtLength(Math.min(head, all));
  who.style.transform = `translate(${point.x}px, ${point.y}px) translate(-50%, -50%)`;
  who.style.visibility = 'visible';
  trail(stage, d, thick, tail, head, colour);
  if (long && part < 1 && paused === undefined) frame = requestAnimationFrame((t) => again(t));
};

/** @param {number} now */
const again = (now) => {
  frame = 0;
  const stage = /** @type {HTMLElement | null} */ (document.querySelector('.loop-stage'));
  const who = /** @type {HTMLElement | null} */ (stage?.querySelector('.traveller'));
  if (stage && who && who.dataset.leg !== '0') draw(stage, who, now);
};

/**
 * Draws the trail: narrow at its end, and as wide as the track at its head.
 * @param {HTMLElement} stage
 * @param {string} d
 * @param {number} thick
 * @param {number} from
 * @param {number} to
 * @param {string} colour
 */
const trail = (stage, d, thick, from, to, colour) => {
  const layer = /** @type {SVGElement} */ (stage.querySelector('.loop-trail'));
  if (!layer.childElementCount) drawn = '';
  while (layer.childElementCount < pieces) layer.append(svg('path'));
  layer.style.opacity = '1';
  layer.style.transition = 'none';
  const parts = /** @type {SVGPathElement[]} */ (/** @type {unknown} */ ([...layer.children]));
  if (drawn !== d + colour) {
    drawn = d + colour;
    parts.forEach((p, i) => {
      p.setAttribute('d', d);
      p.style.stroke = `color-mix(in srgb, ${colour} ${Math.round(30 + 70 * i / pieces)}%, var(--track))`;
      p.setAttribute('stroke-width', String(2 + (thick - 2) * i / pieces));
      p.setAttribute('stroke-linecap', i === pieces - 1 ? 'round' : 'butt');
    });
  }
  const length = Math.max(0, to - from) / pieces;
  parts.forEach((p, i) => {
    p.setAttribute('stroke-dasharray', `${length + 1} 99999`);
    p.setAttribute('stroke-dashoffset', String(-(from + i * length)));
  });
};

/**
 * Draws the wire where it is cut: its two ends have sprung apart, and fray.
 * @param {HTMLElement} stage
 */
const cut = (stage) => {
  const layer = /** @type {SVGElement} */ (stage.querySelector('.loop-cut'));
  const {line, at, d} = measured ??= measure(stage);
  if (!layer.childElementCount) layer.append(svg('path'), svg('path'), svg('g'), svg('g'));
  const [near, far, ...frays] = layer.children;
  const gap = Math.max(at.eye * .13, 26), a = at.eye * .615 - gap / 2, b = a + gap;
  near.setAttribute('d', d);
  near.setAttribute('stroke-dasharray', `${a} 99999`);
  far.setAttribute('d', d);
  far.setAttribute('stroke-dasharray', `0 ${b} ${at.eye - b} 99999`);
  [a, b].forEach((where, i) => {
    const p = line.getPointAtLength(where), q = line.getPointAtLength(where + (i ? -1 : 1));
    const g = frays[i];
    if (!g.childElementCount) {
      for (const way of ['M-2 0C8 -2 14 -8 16 -18', 'M-2 0C10 -1 18 -5 22 -11', 'M-2 0C10 1 18 3 24 2', 'M-2 0C8 2 12 8 14 16']) {
        const fray = svg('path');
        fray.setAttribute('d', way);
        g.append(fray);
      }
    }
    g.setAttribute('transform', `translate(${p.x} ${p.y}) rotate(${Math.atan2(q.y - p.y, q.x - p.x) * 180 / Math.PI})`);
  });
};

/** The stage whose size is watched. @type {Element | null} */
let watched = null;

/** Draws, after a change of the page, what is under way in the loop. */
export const looped = () => {
  const stage = /** @type {HTMLElement | null} */ (document.querySelector('.loop-stage')), fresh = stage !== watched;
  if (stage && fresh) {
    sizes.disconnect();
    sizes.observe(stage);
  }
  watched = stage;
  measured = undefined;
  const who = /** @type {HTMLElement | null} */ (stage?.querySelector('.traveller'));
  if (!stage || !who) {
    leg = '';
    return;
  }
  if (stage.dataset.line === 'cut') cut(stage);
  if (who.dataset.leg === '0') { // nothing is under way: what was drawn fades
    who.style.visibility = 'hidden';
    who.style.transform = '';
    const layer = /** @type {SVGElement} */ (stage.querySelector('.loop-trail'));
    layer.style.transition = '';
    layer.style.opacity = '0';
    leg = '';
    return;
  }
  if (frame) return;
  if (fresh) frame = requestAnimationFrame(again); // the page is laid out for the first time, which is a task of its own
  else draw(stage, who, performance.now());
};

/** Draws it again when the stage has another size. A trail that fades lies where the track was. */
const sizes = new ResizeObserver(() => {
  document.querySelector('.loop-trail')?.replaceChildren();
  looped();
});
