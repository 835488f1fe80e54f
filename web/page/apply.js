// Carries out the operations that the page's program writes (wasm/dom/tree): one buffer for each
// change of the page. Their numbers stand in wasm/dom/tree/ops.go.
import {chained} from './chain.js';
import {coded} from './code.js';
import {looped} from './loop.js';
import {released} from './releases.js';
import {draw} from './draw.js';
import {focused} from './focus.js';
import {shown} from './menu.js';
import {after, before, light} from './motion.js';
import {places} from './places.js';
import {changed} from './room.js';
import {Reader} from './varint.js';
import {wired} from './wires.js';

/** The elements by their numbers. Only the program knows the kind of each. @type {any[]} */
const nodes = [null, document.documentElement];
const text = new TextDecoder();

/** @type {string[]} */
let strings = [];
let input = new Reader(new Uint8Array(0));

const number = () => input.number();
const string = () => strings[input.number()];
const node = () => nodes[input.number()];

/** @param {HTMLElement} element */
const leave = (element) => {
  const place = element.getAttribute('data-place');
  if (place && places.get(place) === element) places.delete(place);
};

/** @param {HTMLDialogElement} dialog */
const show = (dialog) => {
  if (dialog.open) return;
  if (dialog.isConnected) dialog.showModal();
  else queueMicrotask(() => dialog.showModal()); // once it is inserted
};

/**
 * Selects a line of a text, and brings it into sight. A browser scrolls to the cursor when the field gets the focus.
 * @param {HTMLTextAreaElement} field
 * @param {number} line from 1
 */
const toLine = (field, line) => {
  const lines = field.value.split('\n'), from = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
  field.blur();
  field.setSelectionRange(from, from);
  field.focus();
  field.setSelectionRange(from, from + lines[line - 1].length);
};

/**
 * Brings a lesson's stop into sight from its beginning on. Where a question at its end has no room, the
 * script above the text gives way.
 * @param {HTMLElement} stop
 */
const toStop = (stop) => {
  const view = /** @type {HTMLElement} */ (stop.parentElement), top = stop.offsetTop - view.offsetTop;
  /** @type {HTMLElement | null} */
  const text = stop.querySelector(':scope > p');
  /** @type {HTMLElement | null} */
  const question = stop.querySelector(':scope > :is(.lesson-question, .lesson-exercise)');
  const down = text && question ? Math.min(text.offsetTop - 8, question.offsetTop + question.offsetHeight + 8 - view.clientHeight) : 0;
  view.scrollTop = top + Math.max(0, down);
  rebroken.disconnect();
  rebroken.observe(view);
};

/** The width of a lesson's text, by which its lines are broken. */
let width = 0;

/** Brings the stop into sight again when its lines are broken anew, as where a phone is turned. */
const rebroken = new ResizeObserver(([{target}]) => {
  if (target.clientWidth === width) return;
  width = target.clientWidth;
  /** @type {HTMLElement | null} */
  const stop = target.querySelector(':scope > [data-now]');
  if (stop) toStop(stop);
});

const operations = [
  () => { throw new Error('the buffer of operations is damaged'); },
  /* 1 string */ () => { strings.push(text.decode(input.take())); },
  /* 2 forget */ () => { strings = []; },
  /* 3 create */ () => {
    const id = number(), tag = string();
    nodes[id] = tag.startsWith('svg:')
      ? document.createElementNS('http://www.w3.org/2000/svg', tag.slice(4))
      : document.createElement(tag);
  },
  /* 4 text */ () => { const n = node(); n.textContent = string(); },
  /* 5 attr */ () => {
    const n = node(), name = string(), value = string();
    if (name === 'data-modal') {
      show(n);
      return;
    }
    if (name === 'data-place') {
      leave(n);
      places.set(value, n);
    }
    n.setAttribute(name, value);
    if (name === 'data-focus') {
      queueMicrotask(() => {
        n.focus();
        if (n.type === 'number' || n.dataset.whole !== undefined) n.select();
      });
    }
    if (name === 'popover') queueMicrotask(() => shown(n));
    if (name === 'data-cursor') queueMicrotask(() => toLine(n, parseInt(value, 10)));
    if (name === 'data-follow') queueMicrotask(() => toStop(n));
    if (name === 'data-near') queueMicrotask(() => n.scrollIntoView({block: 'nearest'}));
    if (name === 'data-end') queueMicrotask(() => { n.scrollTop = n.scrollHeight; });
  },
  /* 6 no attr */ () => {
    const n = node(), name = string();
    if (name === 'data-modal') {
      n.close();
      return;
    }
    if (name === 'data-place') leave(n);
    n.removeAttribute(name);
  },
  /* 7 prop */ () => {
    const n = node(), name = string(), value = string();
    n[name] = name === 'checked' ? value === 'true' : value;
  },
  /* 8 style */ () => { const n = node(), name = string(); n.style.setProperty(name, string()); },
  /* 9 insert */ () => {
    const parent = node(), n = node(), sibling = number();
    if (parent === nodes[2]) { // it may have the first view, which looks the same: first.js
      parent.replaceChildren(n);
      delete document.documentElement.dataset.first;
    } else parent.insertBefore(n, sibling ? nodes[sibling] : null);
  },
  /* 10 remove */ () => { node().remove(); },
  /* 11 free */ () => {
    const id = number();
    leave(nodes[id]);
    nodes[id] = null;
  },
  /* 12 canvas */ () => { const n = node(); draw(n, input.take()); },
  /* 13 motion */ () => {
    const millis = number(), forward = number() === 1, moves = [];
    for (let n = number(); n > 0; n--) {
      moves.push({letter: string(), key: string(), label: string(), from: string(), to: string(), how: string()});
    }
    before(millis, forward, moves);
  },
  /* 14 lit */ () => {
    const lit = [];
    for (let n = number(); n > 0; n--) lit.push(string());
    light(lit);
  },
  /* 15 no style */ () => { const n = node(); n.style.removeProperty(string()); },
];

/** @param {Uint8Array} buffer */
export const apply = (buffer) => {
  input = new Reader(buffer);
  nodes[2] ??= document.getElementById('app');
  const keepFocus = focused();
  while (input.more()) operations[input.number()]();
  keepFocus();
  after();
  wired();
  chained();
  coded();
  looped();
  released();
  changed();
};
