// Reads a file in large pieces, unpacked where it is gzipped, for a program that asks for one
// piece after the other. Meanwhile reader.js reads ahead, in a worker of its own.
import {start} from './start.js';

/** @typedef {Exclude<import('./reader.js').Message, {place: object}>} Piece */

/**
 * Opens a file. Read promises the next piece, or null at the end; a piece is good until the next
 * one is asked for.
 * @param {Blob} blob
 * @param {(bytes: number) => void} taken is called with the number of bytes of a gzipped file that have been read
 */
export const open = (blob, taken) => {
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
