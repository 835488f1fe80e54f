// Reads a file in large pieces, unpacked where it is gzipped, for a program that asks for one
// piece after the other.
import {zipped} from './gzip.js';
import {readNow} from './kept.js';
import {letGo, start} from './start.js';

/** @typedef {Exclude<import('./reader.js').Message, {place: object}>} Piece */

/**
 * Reads what is not gzipped. To start a worker that reads ahead would take longer than the first pieces.
 * @param {Blob} blob
 */
const plain = (blob) => {
  // The first pieces are small, so that something is to be seen at once.
  let at = 0, size = 1 << 16;
  /** @type {ArrayBuffer[]} */
  let last = [];
  const cancel = () => {
    letGo(last);
    last = [];
  };
  const read = async () => {
    cancel();
    if (at >= blob.size) return null;
    const bytes = readNow(blob.slice(at, at + size));
    at += bytes.length;
    size = Math.min(size * 2, 1 << 22);
    last = [bytes.buffer];
    return bytes;
  };
  return {read, cancel};
};

/**
 * Reads what is gzipped. Meanwhile reader.js unpacks ahead, in a worker of its own.
 * @param {Blob} blob
 * @param {(bytes: number) => void} taken
 */
const unpacked = (blob, taken) => {
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
  reader.send({blob});

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
  return unpacked(blob, taken);
};
