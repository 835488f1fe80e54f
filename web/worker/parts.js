// Reads what "informerscope open" has opened part by part: the program unpacks and glances, on all cores
// and without a browser's bounds, and a worker asks it for bytes only where somebody needs them. The
// page keeps none of them. The program answers so for large captures only (replay/serve/parts.go).
import {fault, reason, said, site} from '../page/site.js';
import {later} from './later.js';
import {letGo} from './start.js';

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/**
 * What the program calls a capture, and how many bytes it has, unpacked. The number says which state of the
 * capture was read: 0 before anything was. Another worker can read by a copy.
 * @typedef {{opened: string, of: number, size: number}} Place
 */

/**
 * A part: what was asked for, where it ends, whether the capture does, and why nothing can be read after it.
 * @typedef {{bytes: Bytes, to: number, ended: boolean, wrong: Error | null}} Part
 */

/** How long a part is at most, in bytes. A digest of it is a tenth as long. */
const longest = 1 << 22;

/** How many digests, and how many parts, are asked for at once. A browser has six connections to a server. */
const digestsAhead = 4, bytesAhead = 2;

const opened = new URL('opened/', site).href;

/** The place of what lies at an address, or null if the program can't have opened it. @param {string} href @returns {Place | null} */
export const placeAt = (href) => {
  const name = href.startsWith(opened) ? href.slice(opened.length) : '';
  return name && !name.includes('/') ? {opened: name, of: 0, size: 0} : null;
};

const gone = () => fault('openEnded', {}, 'the informerscope that opened this capture has ended: open the capture with it again');

/** @param {Place} place @param {'bytes' | 'digest'} kind @param {number} from @param {number} to */
const address = (place, kind, from, to) => `${opened}${kind}/${place.opened}?from=${from}&to=${to}${place.of ? '&of=' + place.of : ''}`;

/**
 * @param {Place} place takes note of what the answer says of it
 * @param {string | null} says the header "Part"
 * @param {ArrayBuffer} buffer
 * @returns {Part}
 */
const partOf = (place, says, buffer) => {
  const {of, to, size, ended, why, fault: words} = JSON.parse(decodeURIComponent(says ?? ''));
  place.of = of;
  if (size) place.size = size;
  const wrong = why ? Object.assign(new Error(why), words && {said: JSON.stringify(words)}) : null;
  return {bytes: new Uint8Array(buffer), to, ended: !!ended, wrong};
};

/** Asks for a part. The promise is null where the program has no parts. @param {Place} place @param {'bytes' | 'digest'} kind @param {number} from @param {number} to @param {AbortSignal} signal */
const ask = async (place, kind, from, to, signal) => {
  const first = !place.of;
  let answer, buffer;
  try {
    answer = await fetch(address(place, kind, from, to), {signal});
    if (first && answer.status !== 200) return null; // older programs have none, either
    if (answer.ok) buffer = await answer.arrayBuffer();
  } catch {
    throw gone();
  }
  if (!buffer) throw new Error(`${answer.status} ${answer.statusText}`);
  return partOf(place, answer.headers.get('Part'), buffer);
};

/**
 * The bytes between two offsets of the unpacked capture, at once.
 * @param {Place} place
 * @param {number} from
 * @param {number} to
 */
export const bytesAt = (place, from, to) => {
  const out = new Uint8Array(to - from);
  let at = from;
  while (at < to) {
    const request = new XMLHttpRequest();
    request.open('GET', address(place, 'bytes', at, Math.min(to, at + longest)), false);
    request.responseType = 'arraybuffer';
    try {
      request.send();
    } catch {
      throw gone();
    }
    if (request.status !== 200) throw new Error(`${request.status} ${request.statusText}`);
    const part = partOf(place, request.getResponseHeader('Part'), request.response);
    if (!part.bytes.length && part.wrong) throw part.wrong;
    if (!part.bytes.length) break;
    out.set(part.bytes, at - from);
    at = part.to;
  }
  return out.subarray(0, at - from);
};

/**
 * Reads a capture to its end.
 * @param {Place} place
 * @param {(bytes: Bytes, read: number, digest?: boolean) => void} chunk is called with part after part, or the
 *   digest of one, and how much of the unpacked capture has been read
 * @param {(why: string, said?: string) => void} end is called last, with what went wrong or ''
 * @param {number} [piece] how many bytes a part has at most
 * @param {() => void} [none] is called in the place of all others where the program has no parts
 */
export const readParts = (place, chunk, end, piece = longest, none = () => end('404')) => {
  const stop = new AbortController();
  // The first parts are small, so that something is to be seen at once.
  let next = 0, want = 1 << 16, digests = false, held = false, over = false, told = false;
  /** What was asked for, in its order. @type {{digest: boolean, part?: Part | null, error?: any}[]} */
  const asked = [];

  /** @param {any} [error] */
  const finish = (error) => {
    if (over) return;
    over = true;
    stop.abort();
    letGo(asked.splice(0).flatMap(({part}) => part ? [part.bytes.buffer] : []));
    end(error ? reason(error) : '', said(error));
  };
  const askOn = () => {
    const ahead = !place.of ? 1 : digests ? digestsAhead : bytesAhead;
    while (!stop.signal.aborted && asked.length < ahead) {
      const from = next, digest = digests;
      next += digest ? longest - from % longest : want; // the program keeps what it has unpacked in blocks
      want = Math.min(piece, want * 2);
      /** @type {typeof asked[0]} */
      const one = {digest};
      asked.push(one);
      ask(place, digest ? 'digest' : 'bytes', from, next, stop.signal)
        .then((part) => { one.part = part; }, (error) => { one.error = error; })
        .then(turn);
    }
  };
  /** Hands over what has come, and asks for more. */
  const turn = () => {
    for (let one; !held && !stop.signal.aborted && (one = asked[0]) && (one.error || one.part !== undefined);) {
      asked.shift();
      const {error, part, digest} = one;
      if (part === null) {
        over = true;
        stop.abort();
        none();
        return;
      }
      if (part && !told) console.debug('the program reads');
      told = true;
      if (part?.bytes.length) {
        if (digest) chunk(part.bytes, part.to, true);
        else chunk(part.bytes, part.to);
        letGo([part.bytes.buffer]);
      }
      if (error || !part || part.wrong || part.ended) finish(error ?? part?.wrong);
    }
    askOn();
  };
  askOn();
  return {
    /** Stops. End is called all the same. */
    cancel: () => {
      stop.abort();
      later(finish);
    },
    /** Keeps the next parts back, or lets them come. @param {boolean} on */
    hold: (on) => {
      held = on;
      if (!on) later(turn);
    },
    /** Has the next parts be digests. */
    spread: () => {
      if (!digests) console.debug('the program glances');
      digests = true;
    },
  };
};

/**
 * Reads a capture for a program that asks for one piece after the other, as pieces.js does a file.
 * @param {Place} place
 */
export const piecesAt = (place) => {
  const stop = new AbortController();
  /** @param {number} from */
  const from = (from) => {
    const part = ask(place, 'bytes', from, from + longest, stop.signal);
    part.catch(() => { /* told to whoever reads on, if anybody does */ });
    return part;
  };
  /** @type {ReturnType<typeof from> | null} */
  let coming = from(0);
  return {
    read: async () => {
      const part = await coming;
      if (!part) return null;
      if (part.wrong && !part.bytes.length) throw part.wrong;
      coming = part.ended ? null : from(part.to);
      return part.bytes.length ? part.bytes : null;
    },
    cancel: () => stop.abort(),
  };
};
