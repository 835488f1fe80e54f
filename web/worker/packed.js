// Gives bytes of a gzipped file to the engine's worker, which reads objects again later. It keeps
// none of them, but the places at which unpacking can begin again, and the span between two places
// that was read last: whoever looks at an object often looks at its neighbours.
import {Gunzip} from './gzip.js';
import {Inflate, cut, slack, windowSize} from './inflate.js';
import {readNow} from './kept.js';

/** @typedef {import('./inflate.js').Bytes} Bytes */
/** @typedef {import('./places.js').Place} Place */

/** How much of the file is read beyond a span: unpacking looks ahead. */
const beyond = 1 << 10;

/**
 * Returns the store for a file, before anything was unpacked.
 * @param {Blob} [file] none if its parts come with what is unpacked
 */
export const packedBytes = (file) => {
  /** @type {Place[]} */
  const places = [];
  /** @type {Blob[]} */
  const parts = [];
  let length = 0;
  /** @type {ReturnType<typeof openSpan> | null} */
  let last = null;

  const blob = () => file ?? new Blob(parts);
  /** The number of the last place at or before a byte, -1 for the file's beginning. @param {number} at */
  const before = (at) => {
    let a = 0, b = places.length;
    while (a < b) {
      const middle = a + b >> 1;
      if (places[middle].at <= at) a = middle + 1;
      else b = middle;
    }
    return a - 1;
  };
  /** Opens the span that begins at a place. @param {number} i */
  const openSpan = (i) => {
    const place = i < 0 ? null : places[i], next = places[i + 1];
    const start = place?.at ?? 0, end = next?.at ?? length, whole = blob();
    const from = place ? Math.floor(place.mark.bit / 8) : 0;
    const to = next ? Math.min(whole.size, Math.ceil(next.mark.bit / 8) + beyond) : whole.size;
    const bytes = new Uint8Array(windowSize + end - start + slack), z = new Gunzip();
    if (place) {
      const tail = new Inflate();
      tail.feed(place.window, true);
      tail.out = bytes;
      tail.run(windowSize);
      z.resume(place.mark);
    }
    z.feed(readNow(whole.slice(from, to)), to === whole.size);
    let at = windowSize;
    return {
      i, end,
      /** The bytes from one place of all that was unpacked to another. @param {number} a @param {number} b */
      bytes: (a, b) => {
        const until = windowSize + b - start;
        if (at < until) at = z.take(bytes, at, until);
        if (at < until) throw cut();
        return bytes.subarray(windowSize + a - start, until);
      },
    };
  };

  return {
    blob,
    /**
     * Says that so many more bytes were unpacked.
     * @param {number} n
     * @param {Blob} [part] of the file, from which they were
     */
    append: (n, part) => {
      length += n;
      if (part) parts.push(part);
    },
    /** Says that unpacking can begin at a place. @param {Place} place */
    add: (place) => {
      places.push(place);
      last = null; // the last span ends there
    },
    /** The bytes between two places of what was unpacked. @param {number} from @param {number} to */
    slice: (from, to) => {
      const out = new Uint8Array(Math.max(0, Math.min(to, length) - from)), all = from + out.length;
      for (let at = from; at < all;) {
        const i = before(at);
        if (last?.i !== i || last.end < Math.min(all, places[i + 1]?.at ?? length)) last = openSpan(i);
        const upTo = Math.min(all, last.end);
        out.set(last.bytes(at, upTo), at - from);
        at = upTo;
      }
      return out;
    },
  };
};
