// Reads one file or address for another worker, unpacked where it is gzipped. It gathers large
// pieces, because each piece that wakes Go costs far more than its copying.
//
// It does so in a worker that ends with the reading, for the sake of memory: a stream hands out each
// 64 KB in an array of its own (start.js says what becomes of arrays).
import {reason, said} from '../page/site.js';
import {Gunzip, zipped} from './gzip.js';
import {slack, windowSize} from './inflate.js';
import {keeper} from './keep.js';
import {unreadable} from './kept.js';
import {places} from './places.js';
import {letGo, starter} from './start.js';

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/**
 * What is sent: a piece, with how many bytes of the source have been read; a place of a gzipped file at
 * which unpacking can begin again; or the end, with what went wrong or ''. Part is what was read of an
 * address for the piece, where that is gzipped.
 * @typedef {{bytes: Bytes, read: number, zipped: boolean, keep?: boolean, blob?: Blob, part?: Blob, place?: undefined, done?: undefined}
 *   | {place: import('./places.js').Place, done?: undefined}
 *   | {done: true, why: string, said?: string}} Message
 */

/**
 * What to read. Piece is how large a piece may be, 4 MB where nothing is said. Keep says that the
 * other side gives bytes back later: it keeps pieces of an address, so their arrays don't come back,
 * and the places of a gzipped file. AsIs says that nothing is to be unpacked.
 * @typedef {{blob?: Blob, url?: string, piece?: number, keep?: boolean, asIs?: boolean}} What
 */

/** @typedef {{read(): Promise<{value?: Bytes, done: boolean}>}} Input */

/**
 * What comes of an input: its bytes, or what they are unpacked to.
 * @typedef {object} Source
 * @property {() => Promise<boolean>} more waits for more, and returns false if nothing comes any more
 * @property {(into: Bytes, at: number, end: number) => number} take writes what has come, and returns where it
 *   ended: before end if that is all
 */

/** Arrays that have been read. @type {ArrayBuffer[]} */
const spent = [];
const nothing = new Uint8Array(0);
/** Returns what is left of a value that was read. @param {Bytes} value */
const spend = (value) => {
  if (value.length && value.byteOffset + value.length === value.buffer.byteLength) spent.push(value.buffer);
  return nothing;
};

/**
 * Puts back the first bytes of an input, and counts it.
 * @param {Bytes} head
 * @param {Input} rest
 * @param {(value: Bytes) => void} count
 * @returns {Input}
 */
const counted = (head, rest, count) => {
  let left = head;
  return {
    async read() {
      const next = left.length ? {value: left, done: false} : await rest.read();
      left = nothing;
      if (next.value) count(next.value);
      return next;
    },
  };
};

/** @param {Input} input @returns {Source} */
const plain = (input) => {
  let left = /** @type {Bytes} */ (nothing);
  return {
    async more() {
      left = (await input.read()).value ?? nothing;
      return left.length > 0;
    },
    take(into, at, end) {
      const value = left.subarray(0, end - at);
      into.set(value, at);
      left = value.length < left.length ? left.subarray(value.length) : spend(value);
      return at + value.length;
    },
  };
};

/** @param {Input} input @param {Gunzip} file @returns {Source} */
const unpacked = (input, file) => {
  let over = false;
  return {
    async more() {
      file.check();
      if (over) return false;
      const {value} = await input.read();
      over = !value;
      file.feed(value ?? nothing, over);
      if (value) spend(value);
      return true;
    },
    take: (into, at, end) => file.take(into, at, end),
  };
};

/** @param {Input} input @param {number} n */
const firstBytes = async (input, n) => {
  let head = new Uint8Array(0);
  while (head.length < n) {
    const {value} = await input.read();
    if (!value) break;
    const both = new Uint8Array(head.length + value.length);
    both.set(head);
    both.set(value, head.length);
    head = both;
  }
  return head;
};

/** How long an input may pause until what has come of it is handed over, in milliseconds. */
const patience = 100;

// So many pieces may be on their way, so a slow reader is waited for. The
// arrays of pieces that are not kept come back, and are filled again.
let credit = 2;
/** @type {(() => void) | null} */
let wake = null;
/** @type {ArrayBuffer[]} */
const empty = [];

/** @param {number} size */
const buffer = async (size) => {
  while (!credit) await new Promise((/** @type {(_: void) => void} */ f) => { wake = f; });
  credit--;
  const old = empty.pop();
  return old && old.byteLength >= size ? new Uint8Array(old) : new Uint8Array(size);
};

/**
 * Reads a stream to its end.
 * @param {ReadableStream<Bytes>} stream
 * @param {What} what
 * @param {(message: Message, give?: ArrayBuffer[]) => void} send
 */
const read = async (stream, what, send) => {
  const largest = what.piece || 1 << 22;
  const raw = stream.getReader();
  const head = await firstBytes(raw, 2);
  const file = zipped(head) && !what.asIs ? new Gunzip() : null;
  const keep = what.keep && !file && !what.blob ? keeper() : null;
  const marks = what.keep && file ? places((place) => send({place})) : null;
  let count = 0;
  /** What was read of an address since the last piece. @type {Bytes[]} */
  let part = [];
  const input = counted(head, raw, (value) => {
    count += value.length;
    if (marks && !what.blob) part.push(value.slice());
  });
  const source = file ? unpacked(input, file) : plain(input);
  // What is unpacked repeats what was before it, so that stands at the beginning of each array.
  const before = file ? windowSize : 0, window = new Uint8Array(before);
  // The first pieces are small, so that something is to be seen at once.
  let want = 1 << 16, at = before, all = 0;
  /** @type {Bytes | null} */
  let into = null;
  const hand = () => {
    if (into && at > before) {
      all += at - before;
      window.set(into.subarray(at - before, at));
      if (file) marks?.reach(all, () => file.mark(), window);
      const bytes = into.subarray(before, at), from = part.length ? {part: new Blob(part)} : null;
      send({bytes, ...keep?.(bytes), ...from, keep: !!keep || !!marks, read: count, zipped: !!file}, [into.buffer]);
      part = [];
      into = null;
    }
    letGo(spent.splice(0));
    at = before;
  };
  const more = async () => {
    // An input that is still being written pauses. What has come of it is to be seen meanwhile.
    const pause = at > before ? setTimeout(hand, patience) : 0;
    try {
      return await source.more();
    } finally {
      clearTimeout(pause);
    }
  };
  try {
    while (await more()) {
      for (;;) {
        if (!into) {
          into = await buffer(before + (keep ? want : largest) + (file ? slack : 0));
          into.set(window);
        }
        at = source.take(into, at, before + want);
        if (at < before + want) break;
        hand();
        want = Math.min(largest, want * 2);
      }
    }
  } finally {
    hand(); // of an archive that is cut, this is what came out before the cut
    await marks?.told();
  }
};

/** @param {What} what @returns {Promise<ReadableStream<Bytes>>} */
const open = async ({blob, url}) => {
  if (blob) return blob.stream();
  const r = await fetch(/** @type {string} */ (url));
  if (!r.ok || !r.body) throw new Error(`${r.status} ${r.statusText}`);
  return r.body;
};

// The first message says what to read. Each later one says that a piece was taken, and gives back
// its array if there is one.
starter.then((port) => {
  port.onmessage = async ({data}) => {
    port.onmessage = (e) => {
      if (e.data) empty.push(e.data);
      credit++;
      wake?.();
    };
    /** @type {Message} */
    let end = {done: true, why: ''};
    try {
      await read(await open(data), data, (message, give = []) => port.postMessage(message, give));
    } catch (error) {
      const why = unreadable(error);
      end = {done: true, why: reason(why), said: said(why)};
    }
    port.postMessage(end);
  };
});
