// The page in a frame of another page (embed.html): shows a picture until it is started, and talks
// with the page around it. web/embed.md says how.
import {follows} from './stay.js';

const root = document.documentElement;
const parameters = new URLSearchParams(location.search);
const set = (/** @type {string} */ name, /** @type {string[]} */ known) => {
  const value = parameters.get(name);
  if (value && known.includes(value)) root.dataset[name] = value;
};
set('theme', ['dark', 'light']);
set('motion', ['none']);
/** What the document itself says, in each language. */
const words = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('body [lang]'))];
/** Shows the words in the language of a tag, or else in the document's first language. Returns that language. @param {string} tag */
const speak = (tag) => {
  const lang = tag.split('-')[0].toLowerCase();
  const spoken = words.some((e) => e.lang === lang) ? lang : words[0].lang;
  for (const e of words) e.hidden = e.lang !== spoken;
  return spoken;
};
root.lang = speak(parameters.get('lang') || navigator.language);
new MutationObserver(() => { speak(root.lang); }).observe(root, {attributeFilter: ['lang']}); // the program changes it

/** How long a trace from another page can be, in bytes, and its title, in characters. */
const most = 1e9, mostTitle = 200;

/** @typedef {{blob: Blob, title: string, step: number, when: string}} Offer */

/** The offers that the program has not taken yet. @type {Offer[]} */
const waiting = [];
/** @type {((offer: Offer) => void) | null} */
let taker = null;

/**
 * Has the program take what is offered.
 * @param {(blob: Blob, title: string, size: number, step: number, when: string) => void} take
 */
export const listen = (take) => {
  taker = ({blob, title, step, when}) => take(blob, title, blob.size, step, when);
  waiting.splice(0).forEach(taker);
};

let started = false;
/** Fetches the program, and the styles of the page. */
const start = async () => {
  if (started) return;
  started = true;
  /** @type {HTMLButtonElement} */ (document.getElementById('start')).disabled = true;
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[disabled]'))) link.disabled = false;
  try {
    await import('./boot.js');
  } catch {
    root.dataset.broken = 'true';
  }
};
document.getElementById('start')?.addEventListener('click', start);
if (follows()) start();

// Only the page around this one is told anything: its origin is known from its
// first message, and nothing is said before that.
const around = window.parent;
let origin = '';
/** @param {Record<string, unknown>} message */
const say = (message) => {
  // A page without an origin, such as a file, can't be named as the one that may listen.
  if (origin) around.postMessage({informerscope: message}, origin === 'null' ? '*' : origin);
};

/** @param {any} id */
const isID = (id) => id === undefined || typeof id === 'number' || typeof id === 'string' && id.length <= 64;

/**
 * A message that is one of ours, or null.
 * @param {any} data
 * @returns {any}
 */
const read = (data) => {
  const m = typeof data === 'object' && data && typeof data.informerscope === 'object' ? data.informerscope : null;
  if (!m || !isID(m.id)) return null;
  if (m.type === 'ping') return m;
  const one = m.buffer instanceof ArrayBuffer !== m.stream instanceof ReadableStream;
  const right = m.type === 'open' && one && typeof m.title === 'string' && m.title.length <= mostTitle
    && (m.step === undefined || Number.isSafeInteger(m.step) && m.step >= 0)
    && (m.when === undefined || typeof m.when === 'string' && m.when.length <= 100);
  return right ? m : null;
};

/** The bytes of an offer. @param {any} m @returns {Promise<Blob>} */
const blobOf = async ({buffer, stream}) => {
  if (buffer) {
    if (buffer.byteLength > most) throw new RangeError('too long');
    return new Blob([buffer]);
  }
  let size = 0;
  const counted = stream.pipeThrough(new TransformStream({
    transform: (chunk, to) => {
      size += chunk.byteLength;
      if (!(size <= most)) throw new RangeError('too long');
      to.enqueue(chunk);
    },
  }));
  return new Response(counted).blob();
};

// An origin that the viewer has let in stays let in as long as this page is open.
const known = new Set([location.origin]);
const ask = /** @type {HTMLDialogElement} */ (document.getElementById('ask'));
/** @type {((yes: boolean) => void) | null} */
let answer = null;

/** Asks the viewer whether a trace may be shown. @param {string} from @param {string} title @returns {Promise<boolean>} */
const allowed = (from, title) => {
  if (known.has(from)) return Promise.resolve(true);
  for (const e of ask.querySelectorAll('.ask-origin')) e.textContent = from;
  for (const e of ask.querySelectorAll('.ask-title')) e.textContent = title;
  ask.showModal();
  return new Promise((resolve) => { answer = resolve; }).then((yes) => {
    answer = null;
    ask.close();
    if (yes && from !== 'null') known.add(from);
    return yes;
  });
};

// The program behind the question must not hear what is done in it.
for (const type of ['click', 'keydown', 'cancel']) {
  addEventListener(type, (e) => {
    if (!answer || !(e.target instanceof Element) || !ask.contains(e.target)) return;
    e.stopImmediatePropagation();
    if (type === 'cancel') {
      e.preventDefault();
      answer(false);
    } else if (type === 'click') {
      const button = e.target.closest('button');
      if (button) answer(button.value === 'yes');
    }
  }, true);
}

/** @param {any} m @param {string} from */
const open = async (m, from) => {
  const {id, title} = m;
  if (answer) {
    say({type: 'refused', id, why: 'busy'});
    return;
  }
  if (!await allowed(from, title)) {
    say({type: 'refused', id, why: 'viewer'});
    return;
  }
  try {
    const offer = {blob: await blobOf(m), title, step: m.step ?? 0, when: m.when ?? ''};
    if (taker) taker(offer);
    else waiting.push(offer);
    start();
  } catch {
    say({type: 'refused', id, why: 'stream'});
  }
};

addEventListener('message', (e) => {
  if (e.source !== around || around === window) return;
  const m = read(e.data);
  if (!m) return;
  const first = !origin;
  origin = e.origin;
  if (m.type === 'ping') say({type: 'pong', id: m.id, version: 1, started});
  else open(m, e.origin);
  if (first) tellSize();
});

const tellSize = () => say({type: 'size', width: innerWidth, height: root.scrollHeight});
new ResizeObserver(tellSize).observe(document.body);

// The program says how it is in attributes of the root element.
/** @type {Record<string, string | undefined>} */
let told = {};
new MutationObserver(() => {
  const {ready, loading, step, lesson, stop, answered} = root.dataset;
  const isReady = ready === 'true' && loading === 'false' && step !== undefined ? document.querySelector('.source-name')?.textContent ?? '' : undefined;
  const was = told;
  told = {isReady, step, answered};
  if (isReady !== undefined && isReady !== was.isReady) say({type: 'ready', title: isReady});
  if (step !== undefined && step !== was.step) say({type: 'step', step: Number(step)});
  if (answered && answered !== was.answered) say({type: 'answered', lesson, stop: Number(stop), right: answered === 'right'});
}).observe(root, {attributes: true});
