// Draws the chain that the viewer has asked for over the stage: a number at each place where one of
// its members is, and a line through them. The stage's data-chain names the places.
import {find} from './places.js';

/** What is drawn: the places, and the step that they are of. */
let drawn = '';

const space = 'http://www.w3.org/2000/svg';

/** @param {string} name @param {Record<string, string | number>} attributes */
const shape = (name, attributes) => {
  const e = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
  return e;
};

const draw = () => {
  const svg = document.getElementById('chain-line');
  if (!svg) return;
  svg.replaceChildren();
  const origin = svg.getBoundingClientRect();
  /** @type {Map<Element, {x: number, y: number, n: string[]}>} */
  const at = new Map();
  for (const line of (svg.parentElement?.dataset.chain ?? '').split('\n')) {
    const cut = line.indexOf(' '), element = cut > 0 && find(line.slice(cut + 1));
    if (!element) continue;
    const known = at.get(element);
    if (known) known.n.push(line.slice(0, cut));
    else {
      const r = element.getBoundingClientRect();
      at.set(element, {x: r.right - origin.left, y: r.top - origin.top - 3, n: [line.slice(0, cut)]});
    }
  }
  const all = [...at.values()];
  if (all.length > 1) svg.append(shape('polyline', {points: all.map(({x, y}) => `${x},${y}`).join(' ')}));
  for (const {x, y, n} of all) {
    const text = n.length > 1 ? `${n[0]}…` : n[0], width = 10 + 7 * text.length;
    const label = shape('text', {x, y: y + 4});
    label.textContent = text;
    svg.append(shape('rect', {x: x - width / 2, y: y - 9, width, height: 18, rx: 9}), label);
  }
};

/** Draws again once the page has changed, if the chain or the step has. */
export const chained = () => {
  const stage = document.querySelector('main');
  const now = stage?.dataset.chain ? stage.dataset.chain + document.documentElement.dataset.step : '';
  if (now === drawn) return;
  drawn = now;
  requestAnimationFrame(draw); // before the next painting the browser lays the page out anyway
};

addEventListener('resize', () => { if (drawn) requestAnimationFrame(draw); });
