// Reads one file or address for another worker, unpacked where it is gzipped. It gathers large
// pieces, because each piece that wakes Go costs far more than its copying.
//
// It does so in a worker that ends with the reading, for the sake of memory: a stream hands out each
// 64 KB in an array of its own (start.js says what becomes of arrays).
import {reason} from '../page/site.js';
import {keeper} from './keep.js';
import {letGo, starter} from './start.js';

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/**
 * What is sent: a piece, with how many bytes of the source have been read, or the end, with what
 * went wrong or ''.
 * @typedef {{bytes: Bytes, read: number, zipped: boolean, keep?: true, blob?: Blob, done?: undefined}
 *   | {done: true, why: string}} Piece
 */

/**
 * What to read. Piece is how large a piece may be, 4 MB where nothing is said. Keep says that the
 * other side keeps what can't be read again: it doesn't give the arrays of these pieces back.
 * @typedef {{blob?: Blob, url?: string, piece?: number, keep?: boolean}} What
 */

/** @typedef {{read(): Promise<{value?: Bytes, done: boolean}>}} Input */

/** Arrays that have been read. @type {ArrayBuffer[]} */
const spent = [];

// How many bytes are inflated at a time. The stream unpacks all that it is given in one go, whether
// or not anybody reads. A file comes in pieces of up to 2 MB, which unpack to 60 MB and more.
const sip = 1 << 14;

/**
 * Puts back the first bytes of a stream, cuts it small and counts it.
 * @param {Bytes} head
 * @param {Input} rest
 * @param {(n: number) => void} count
 * @returns {ReadableStream<Bytes>}
 */
const cut = (head, rest, count) => {
  let left = head;
  return new ReadableStream({
    async pull(out) {
      while (!left.length) {
        const {value} = await rest.read();
        if (!value) {
          out.close();
          return;
        }
        count(value.length);
        left = value;
      }
      out.enqueue(left.subarray(0, sip));
      left = left.subarray(sip);
    },
  }, {highWaterMark: 0});
};

/**
 * Puts back the first bytes of a stream, and counts it.
 * @param {Bytes} head
 * @param {Input} rest
 * @param {(n: number) => void} count
 * @returns {Input}
 */
const whole = (head, rest, count) => {
  let left = head;
  return {
    async read() {
      if (left.length) {
        const value = left;
        left = new Uint8Array(0);
        return {value, done: false};
      }
      const next = await rest.read();
      if (next.value) count(next.value.length);
      return next;
    },
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
 * @param {(piece: Piece, give: ArrayBuffer[]) => void} send
 */
const read = async (stream, what, send) => {
  const largest = what.piece || 1 << 22;
  const raw = stream.getReader();
  const head = await firstBytes(raw, 2);
  let count = head.length;
  const zipped = head[0] === 0x1f && head[1] === 0x8b;
  const keep = what.keep && (zipped || !what.blob) ? keeper() : null;
  /** @param {number} n */
  const more = (n) => { count += n; };
  const input = zipped
    ? cut(head, raw, more).pipeThrough(new DecompressionStream('gzip')).getReader()
    : whole(head, raw, more);
  // The first pieces are small, so that something is to be seen at once.
  let want = 1 << 16, filled = 0;
  /** @type {Bytes | null} */
  let into = null;
  const hand = () => {
    if (into && filled) {
      const bytes = into.subarray(0, filled);
      send({bytes, ...keep?.(bytes), read: count, zipped}, [into.buffer]);
      into = null;
    }
    letGo(spent.splice(0));
    filled = 0;
  };
  const next = async () => {
    // An input that is still being written pauses. What has come of it is to be seen meanwhile.
    const pause = filled ? setTimeout(hand, patience) : 0;
    const {value} = await input.read();
    clearTimeout(pause);
    return value;
  };
  try {
    for (let value = await next(); value; value = await next()) {
      for (let at = 0; at < value.length;) {
        into ??= await buffer(keep ? want : largest);
        const n = Math.min(value.length - at, want - filled);
        into.set(value.subarray(at, at + n), filled);
        filled += n;
        at += n;
        if (filled < want) continue;
        hand();
        want = Math.min(largest, want * 2);
      }
      if (value.byteOffset + value.length === value.buffer.byteLength) spent.push(value.buffer);
    }
  } finally {
    hand(); // of an archive that is cut, this is what came out before the cut
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
    let why = '';
    try {
      await read(await open(data), data, (piece, give) => port.postMessage(piece, give));
    } catch (error) {
      why = reason(error);
    }
    port.postMessage({done: true, why});
  };
});
