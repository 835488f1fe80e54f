// apiserver.html: shows an API server that serves a recording, and its clients, and has it pause, seek and cut.
// The server sends its state as lines of JSON (replay/apiserver/page.go).
import {dress} from './beside.js';
import {reason, site} from './site.js';

/** @typedef {{id: number, name: string, watches: number, sent: number, version: number, revision: number}} List */
/** @typedef {{code: number, why: string, times: number}} Refusal */
/** @typedef {{id: number, agent: string, address?: string, gone?: boolean, requests: number, lists?: List[], refused?: Refusal[]}} Client */
/**
 * @typedef {{name: string, start?: string, kubeconfig: string, writable?: boolean, recorded: string, capture: string, beside: string, late?: string[], back?: string[], simulated?: boolean, own?: string[],
 *   at: number, end: number, speed: number, paused: boolean, hidden: number, clients: Client[] | null, untold: number}} State
 */

const root = document.documentElement, server = new URL('opened/apiserver', site);
/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const seek = /** @type {HTMLInputElement} */ (get('seek')), speed = /** @type {HTMLSelectElement} */ (get('speed'));
/** @type {State | undefined} */
let state;
let held = false; // the viewer is moving the slider

/** @param {Element} e @param {string | number | undefined} text */
const write = (e, text) => {
  const now = String(text ?? '');
  if (e.textContent !== now) e.textContent = now;
};
/** A time of the recording, as 1:02.3. @param {number} ms */
const clock = (ms) => {
  const tenths = Math.floor(ms / 100), minutes = Math.floor(tenths / 600);
  return `${minutes}:${(tenths % 600 / 10).toFixed(1).padStart(4, '0')}`;
};

/**
 * Makes an element for each thing from a template, and keeps those that are there.
 * @template T
 * @param {Element} into
 * @param {string} template
 * @param {T[]} things
 * @param {(thing: T) => string} key
 * @param {(e: HTMLElement, thing: T) => void} [more]
 */
const each = (into, template, things, key, more) => {
  const had = new Map([.../** @type {HTMLCollectionOf<HTMLElement>} */ (into.children)].map((e) => [e.dataset.key, e]));
  let last = null;
  for (const thing of things) {
    let e = had.get(key(thing));
    had.delete(key(thing));
    if (!e) {
      const made = /** @type {HTMLTemplateElement} */ (get(template)).content.cloneNode(true);
      e = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (made).firstElementChild);
      e.dataset.key = key(thing);
      if (last) last.after(e); else into.prepend(e);
    }
    const values = /** @type {Record<string, any>} */ (thing), own = (/** @type {Element} */ x) => x.closest('[data-key]') === e;
    for (const x of /** @type {NodeListOf<HTMLElement>} */ (e.querySelectorAll('[data-is], [data-if], [data-unless]'))) {
      const {is, if: shown, unless} = x.dataset;
      if (!own(x)) continue;
      if (is) write(x, values[is]);
      if (shown) x.hidden = !values[shown];
      if (unless) x.hidden = Boolean(values[unless]);
    }
    more?.(e, thing);
    last = e;
  }
  for (const e of had.values()) e.remove();
};

/** Where the slider is, in milliseconds of the recording. */
const target = () => Number(seek.value) / Number(seek.max) * (state?.end ?? 0);

const show = () => {
  if (!state) return;
  const s = state, clients = s.clients ?? [], over = s.at >= s.end;
  Object.assign(root.dataset, {
    state: 'open', paused: s.paused, over, writable: Boolean(s.writable), hidden: s.hidden > 0, alone: clients.length === 0, untold: s.untold > 0,
    late: Boolean(s.late), back: Boolean(s.back), simulated: Boolean(s.simulated), own: Boolean(s.own), at: s.at,
  });
  for (const [id, text] of Object.entries({
    name: s.name, late: s.late?.join(', '), back: s.back?.join(', '), own: s.own?.join('; '), end: clock(s.end), hidden: s.hidden, untold: s.untold, recorded: s.recorded,
    export: `export KUBECONFIG=${s.kubeconfig}`, count: clients.length,
  })) write(get(id), text);
  const at = held ? target() : s.at;
  write(get('at'), clock(at));
  write(get('then'), s.start ? new Date(Date.parse(s.start) + at).toLocaleString(root.lang) : '');
  if (!held) seek.value = String(s.end > 0 ? s.at / s.end * Number(seek.max) : 0);
  seek.setAttribute('aria-valuetext', clock(at));
  if (![...speed.options].some((o) => Number(o.value) === s.speed)) speed.add(new Option(`${s.speed}×`, String(s.speed)));
  if (document.activeElement !== speed) speed.value = String(s.speed);
  /** @type {HTMLAnchorElement} */ (get('capture')).href = './' + s.capture;
  const beside = /** @type {HTMLAnchorElement} */ (get('beside'));
  beside.href = './' + s.beside;
  beside.hidden = clients.length === 0;
  /** @type {HTMLButtonElement} */ (get('cut-all')).disabled = !clients.some((c) => c.lists?.some((l) => l.watches > 0));
  each(get('clients'), 'client', clients, (c) => String(c.id), (e, c) => {
    each(/** @type {Element} */ (e.querySelector('.lists')), 'list', c.lists ?? [], (l) => String(l.id), (li, l) => {
      const name = /** @type {Element} */ (li.querySelector('.what > b')), cut = /** @type {HTMLButtonElement} */ (li.querySelector('button'));
      name.id = `list-${l.id}`;
      cut.id = cut.value = `cut-${l.id}`;
      cut.setAttribute('aria-labelledby', `${cut.id} ${name.id}`);
    });
    each(/** @type {Element} */ (e.querySelector('.refusals')), 'refusal', c.refused ?? [], (r) => `${r.code} ${r.why}`);
  });
};

/** Has the server do something, and says so. @param {string} what @param {number} [to] */
const ask = async (what, to) => {
  const of = new URL(server);
  of.searchParams.set('do', what);
  if (to !== undefined) of.searchParams.set('to', String(to));
  let problem = '';
  try {
    const answer = await fetch(of, {method: 'POST'});
    if (!answer.ok) problem = await answer.text();
  } catch (e) {
    problem = reason(e);
  }
  const text = /** @type {Element} */ (get('saidTexts').querySelector(problem ? '.failed' : `.${what}`)).cloneNode(true);
  get('said').replaceChildren(text, problem && ` ${problem}`);
};

const listen = async () => {
  const answer = await fetch(server);
  if (!answer.ok || !answer.body) throw new Error(String(answer.status));
  let text = '';
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const end = text.lastIndexOf('\n');
    if (end < 0) continue;
    state = JSON.parse(text.slice(text.lastIndexOf('\n', end - 1) + 1, end));
    text = text.slice(end + 1);
    show();
  }
  throw new Error('the answer has ended');
};
const follow = async () => {
  for (;;) {
    try {
      await listen();
    } catch (e) {
      root.dataset.state = reason(e) === '401' ? 'refused' : 'ended';
    }
    await new Promise((again) => { setTimeout(again, 2000); });
  }
};

const pause = () => ask(state?.paused ? 'resume' : 'pause');
get('pause').addEventListener('click', pause);
get('cut-all').addEventListener('click', () => ask('cut'));
get('clients').addEventListener('click', (e) => {
  const cut = /** @type {Element} */ (e.target).closest('button');
  if (cut) ask('cut', Number(cut.value.slice(4)));
});
seek.addEventListener('input', () => {
  held = true;
  show();
});
seek.addEventListener('change', async () => {
  await ask('seek', target());
  held = false;
});
for (const times of [0.1, 1, 10, 100, 1000]) speed.add(new Option(`${times}×`, String(times)));
speed.addEventListener('change', () => ask('speed', Number(speed.value)));
addEventListener('keydown', (e) => {
  if (e.key !== ' ' || /** @type {Element} */ (e.target).closest('button, a, input, select')) return;
  e.preventDefault();
  pause();
});
dress(show);
follow();
