// Draws what is too dense for elements: the timeline. The numbers of each drawing are kept, so it
// is drawn again when its size or the theme changes.
import {Reader} from './varint.js';

/** What to draw on, and its size in CSS pixels. @typedef {{c: CanvasRenderingContext2D, w: number, h: number}} Surface */

/** The numbers of each drawing. @type {Map<HTMLCanvasElement, number[]>} */
const kept = new Map();

/** The colours of the palette in this theme. @type {Map<string, string>} */
const colours = new Map();

// Only the style of an element has a colour of one theme: the property itself holds both.
/** @param {string} name */
const colour = (name) => {
  let found = colours.get(name);
  if (found === undefined) {
    const probe = /** @type {HTMLElement} */ (document.getElementById('flying'));
    probe.style.color = `var(${name})`;
    found = getComputedStyle(probe).color;
    colours.set(name, found);
  }
  return found;
};

/**
 * The size of each canvas, from its observer. To ask for it while the page changes would make the
 * browser lay everything out at once.
 * @type {WeakMap<Element, DOMRectReadOnly>}
 */
const measured = new WeakMap();

/**
 * Clears a canvas. The answer is null where nothing of it can be seen.
 * @param {HTMLCanvasElement} canvas
 * @param {DOMRectReadOnly} size
 * @returns {Surface | null}
 */
const prepare = (canvas, {width: w, height: h}) => {
  const ratio = devicePixelRatio || 1, c = canvas.getContext('2d');
  if (!w || !h || !c) return null;
  const dx = Math.round(w * ratio), dy = Math.round(h * ratio);
  if (canvas.width !== dx || canvas.height !== dy) {
    canvas.width = dx;
    canvas.height = dy;
  }
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, w, h);
  return {c, w, h};
};

/** How much room the marks, which are elements, have above the rows, in CSS pixels. */
const band = 14;

/**
 * Draws the timeline. Its numbers: columns, the greatest depth of the queue, the furthest that a
 * listener is behind, listeners, event types, plotted expressions (0 or 1). Then, for each column:
 * the queue's highest depth and its last one, how far each listener is behind at most and at last,
 * how many events of each type, hits of the search, hits of breakpoints, and of what is plotted the
 * highest value and the last one, from 0 to 1000.
 * @param {Surface} surface
 * @param {number[]} d
 */
const timeline = ({c, w, h}, d) => {
  const [cols, maxQueue, maxBehind, listeners, types, plots] = d, columns = 6;
  const step = w / Math.max(cols, 1), before = 2 * (1 + listeners), found = before + types, each = found + 2 + 2 * plots;
  const lags = listeners ? 1 : 0, rows = 2 + lags + plots; // nobody is behind where no handler was recorded or described
  const row = (h - band - 3) / rows, base = [1, 2, 3, 4].slice(0, rows).map((n) => band + n * row);
  if (!cols) return;
  /** @param {number} col @param {number} k */
  const value = (col, k) => d[columns + col * each + k];

  c.strokeStyle = colour('--line');
  c.lineWidth = 1;
  for (const y of base) {
    c.beginPath();
    c.moveTo(0, y + .5);
    c.lineTo(w, y + .5);
    c.stroke();
  }

  // A column holds more than one moment. The line is at what there was last, and a bar behind it
  // reaches up to the highest.
  /** @param {number} k @param {number} max @param {number} bottom @param {string} stroke @param {boolean} fill */
  const line = (k, max, bottom, stroke, fill) => {
    /** @param {number} v */
    const y = (v) => bottom - (v / max) * (row - 6);
    c.fillStyle = c.strokeStyle = stroke;
    c.globalAlpha = .5;
    for (let i = 0; i < cols; i++) {
      const most = value(i, k), last = value(i, k + 1);
      if (most > last) c.fillRect(i * step, y(most), Math.max(step, 1), y(last) - y(most));
    }
    c.globalAlpha = 1;
    c.beginPath();
    c.moveTo(0, y(cols ? value(0, k + 1) : 0));
    for (let i = 0; i < cols; i++) {
      c.lineTo(i * step, y(value(i, k + 1)));
      c.lineTo((i + 1) * step, y(value(i, k + 1)));
    }
    c.lineWidth = 1.5;
    c.stroke();
    if (!fill) return;
    c.lineTo(w, bottom);
    c.lineTo(0, bottom);
    c.globalAlpha = .18;
    c.fill();
    c.globalAlpha = 1;
  };
  if (plots) line(found + 2, 1000, base[rows - 1], colour('--focus'), true);
  line(0, maxQueue || 1, base[0], colour('--U'), true);
  for (let l = 0; l < listeners; l++) line(2 + 2 * l, maxBehind || 1, base[1], colour('--lane' + l % 8), false);

  // The height of a column is the root of its sum, so that few events are seen beside many. Its
  // parts are as large as their shares.
  /** @param {number} col */
  const sum = (col) => {
    let n = 0;
    for (let k = 0; k < types; k++) n += value(col, before + k);
    return n;
  };
  let most = 1;
  for (let i = 0; i < cols; i++) most = Math.max(most, sum(i));
  const fills = ['--A', '--U', '--D', '--B', '--error', '--R'].map(colour);
  for (let i = 0; i < cols; i++) {
    const all = sum(i);
    let y = base[1 + lags], left = Math.sqrt(all / most) * (row - 5), rest = all;
    for (let k = 0; k < types; k++) {
      const v = value(i, before + k);
      if (!v) continue;
      const tall = Math.max(1.5, left * v / rest);
      c.fillStyle = fills[k];
      c.fillRect(i * step, y - tall, Math.max(step - .6, 1), tall);
      y -= tall;
      left = Math.max(left - tall, 0);
      rest -= v;
    }
  }

  // A hit of the search is a bar through all rows with a head above them. A breakpoint's has its
  // head below.
  /** @param {number} k @param {string} fill @param {number} head */
  const ticks = (k, fill, head) => {
    c.fillStyle = fill;
    for (let i = 0; i < cols; i++) {
      if (!value(i, k)) continue;
      c.globalAlpha = .16;
      c.fillRect(i * step, band - 4, Math.max(step, 1.5), h - band + 4);
      c.globalAlpha = 1;
      c.fillRect(i * step, head, Math.max(step, 2), 4);
    }
  };
  ticks(found, colour('--accent'), band - 5);
  ticks(found + 1, colour('--error'), h - 4);
};

/** @param {HTMLCanvasElement} canvas */
const paint = (canvas) => {
  const d = kept.get(canvas), size = measured.get(canvas);
  const surface = d && size && prepare(canvas, size);
  if (surface) timeline(surface, d);
};

/** @param {HTMLCanvasElement} canvas */
const paintOrForget = (canvas) => {
  if (canvas.isConnected) {
    paint(canvas);
    return;
  }
  kept.delete(canvas);
  sizes.unobserve(canvas);
};

const sizes = new ResizeObserver((all) => {
  for (const e of all) {
    measured.set(e.target, e.contentRect);
    paintOrForget(/** @type {HTMLCanvasElement} */ (e.target));
  }
});

/**
 * Draws a canvas, once its size is known.
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8Array} bytes
 */
export const draw = (canvas, bytes) => {
  const known = kept.has(canvas), numbers = [];
  for (const input = new Reader(bytes); input.more();) numbers.push(input.number());
  kept.set(canvas, numbers);
  if (known) paint(canvas);
  else sizes.observe(canvas);
};

const repaint = () => {
  colours.clear();
  for (const canvas of kept.keys()) paintOrForget(canvas);
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
new MutationObserver(repaint).observe(document.documentElement, {attributes: true, attributeFilter: ['data-theme']});
