// Reads a file in large pieces, unpacked where it is gzipped, for a program that asks for one
// piece after the other.
import {zipped} from './gzip.js';
import {readNow} from './kept.js';
import {letGo, start} from './start.js';

/** @typedef {Exclude<import('./reader.js').Message, {place: object}>} Piece */

/**
 * Has reader.js read ahead, in a worker of its own.
 * @param {Blob} blob
 * @param {boolean} asIs is true for what must not be unpacked
 * @param {(bytes: number) => void} taken
 */
const byWorker = (blob, asIs, taken) => {
  const reader = start('reader');
  /** @type {Piece[]} */
  const come = [];
  /** @type {(() => void) | null} */
  let wake = null;
  /** @type {ArrayBuffer | null} */
  let last = null;
  /** @type {Piece | null} */
  let over = null;
  /** @param {Piece} piece */
  const arrive = (piece) => {
    come.push(piece);
    wake?.();
  };
  reader.listen(arrive, (why) => arrive({done: true, why}));
  reader.send({blob, asIs});

  const read = async () => {
    if (last) {
      reader.send(last, [last]);
      last = null;
    }
    while (!over && !come.length) await new Promise((/** @type {(_: void) => void} */ f) => { wake = f; });
    const piece = over || /** @type {Piece} */ (come.shift());
    if (piece.done) {
      over = piece;
      reader.end();
      if (piece.why) throw Object.assign(new Error(piece.why), {said: piece.said});
      return null;
    }
    if (piece.zipped) taken(piece.read);
    last = piece.bytes.buffer;
    return piece.bytes;
  };
  const cancel = () => {
    over = {done: true, why: ''};
    reader.end();
  };
  return {read, cancel};
};

/** Where the worker begins in what is not gzipped. Until the worker has started, what stands before is read. */
const ahead = 1 << 23;

/**
 * Reads what is not gzipped. The beginning is all that is needed to tell a format, and starting a worker takes far longer.
 * @param {Blob} blob
 */
const plain = (blob) => {
  const first = Math.min(ahead, blob.size);
  // The first pieces are small, so that something is to be seen at once.
  let at = 0, size = 1 << 16;
  /** @type {ArrayBuffer[]} */
  const last = [];
  /** @type {ReturnType<typeof byWorker> | null} */
  let rest = null;
  const read = async () => {
    letGo(last.splice(0));
    if (at && first < blob.size) rest ??= byWorker(blob.slice(first), true, () => { /* the program counts it */ });
    if (at >= first) return rest?.read() ?? null;
    const bytes = readNow(blob.slice(at, Math.min(at + size, first)));
    at += bytes.length;
    size *= 2;
    last.push(bytes.buffer);
    return bytes;
  };
  const cancel = () => {
    letGo(last.splice(0));
    rest?.cancel();
  };
  return {read, cancel};
};

/**
 * Opens a file. Read promises the next piece, or null at the end; a piece is good until the next
 * one is asked for.
 * @param {Blob} blob
 * @param {(bytes: number) => void} taken is called with the number of bytes of a gzipped file that have been read
 */
export const open = (blob, taken) => {
  try {
    if (!zipped(readNow(blob.slice(0, 2)))) return plain(blob);
  } catch {
    // reading says what is wrong
  }
  return byWorker(blob, false, taken);
};
