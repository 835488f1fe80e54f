// Unpacks gzip files (RFC 1952): members one after the other, each a deflate stream between a header
// and a trailer. Unpacking can begin at any place that was marked before.
import {crc32} from './crc32.js';
import {Inflate, cut, damaged, windowSize} from './inflate.js';

/** @typedef {import('./inflate.js').Bytes} Bytes */

/**
 * A place in a file, with what is needed to go on from there.
 * @typedef {import('./inflate.js').Mark & {part: 'header' | 'stream' | 'trailer', reach: number}} Mark
 */

/** How long a header may be: it can have a file's name, and whatever else. */
const longest = 1 << 20;

/** Whether bytes begin as a gzip file does. @param {Uint8Array} head */
export const zipped = (head) => head[0] === 0x1f && head[1] === 0x8b;

/** One file. */
export class Gunzip {
  #inflate = new Inflate();
  /** @type {Mark['part']} */
  #part = 'header';
  #members = 0;
  // Of the member: its checksum, its length as far as it was unpacked, and whether that was from its beginning.
  #crc = 0;
  #size = 0;
  #whole = true;
  /** What went wrong, told after all that was good. @type {unknown} */
  #error = null;

  /** Adds input. @param {Bytes} bytes @param {boolean} final whether no more comes */
  feed(bytes, final) {
    this.#inflate.feed(bytes, final);
  }

  /**
   * Unpacks what has come into an array, which has the last windowSize bytes before at.
   * @param {Bytes} into
   * @param {number} at
   * @param {number} end the array has room for some more bytes
   * @returns where it ended: before end if more input is needed, or if there is none
   */
  take(into, at, end) {
    this.check();
    const z = this.#inflate;
    z.out = into;
    z.at = at;
    z.low = at - Math.min(this.#size, windowSize);
    try {
      while (this.#go(end));
    } catch (error) {
      if (z.at === at) throw error;
      this.#error = error;
    }
    return z.at;
  }

  /** Is called after all that has come was taken. It throws what went wrong. */
  check() {
    if (this.#error) throw this.#error;
  }

  /** The place that has been reached. @returns {Mark} */
  mark() {
    return {...this.#inflate.mark(), part: this.#part, reach: Math.min(this.#size, windowSize)};
  }

  /**
   * Goes on from a place. The input that is fed next begins with the byte that has the mark's bit.
   * @param {Mark} mark
   */
  resume(mark) {
    this.#inflate.resume(mark);
    this.#part = mark.part;
    this.#members = 1;
    this.#size = mark.reach;
    this.#whole = false;
  }

  /** Does one part, and returns whether the next one can begin. @param {number} end */
  #go(end) {
    const z = this.#inflate;
    switch (this.#part) {
      case 'header': {
        if (this.#members) while (z.pos < z.length && !z.src[z.pos]) z.pos++; // files are padded with zeros
        if (this.#members && z.final && z.pos === z.length) return false;
        const n = headerLength(z.src.subarray(z.pos, z.length));
        if (n < 0 && z.final) throw cut();
        if (n < 0) return false;
        z.pos += n;
        z.reset();
        this.#members++;
        this.#crc = this.#size = 0;
        this.#whole = true;
        this.#part = 'stream';
        return true;
      }
      case 'stream': {
        const from = z.at;
        try {
          if (z.run(end) !== 'end') return false;
        } finally {
          if (this.#whole) this.#crc = crc32(this.#crc, z.out, from, z.at);
          this.#size += z.at - from;
        }
        this.#part = 'trailer';
        return true;
      }
      case 'trailer': {
        if (z.length - z.pos < 8) {
          if (z.final) throw cut();
          return false;
        }
        const trailer = new DataView(z.src.buffer, z.src.byteOffset + z.pos, 8);
        if (this.#whole && (trailer.getInt32(0, true) !== this.#crc || trailer.getInt32(4, true) !== (this.#size | 0))) throw damaged();
        z.pos += 8;
        this.#part = 'header';
        return true;
      }
    }
  }
}

/**
 * How long the header is with which bytes begin, or -1 if there are too few of them.
 * @param {Uint8Array} bytes
 */
const headerLength = (bytes) => {
  if (bytes.length >= 3 && !(zipped(bytes) && bytes[2] === 8)) throw damaged();
  if (bytes.length < 10) return -1;
  const flags = bytes[3], extra = flags & 4, texts = (flags >> 3 & 1) + (flags >> 4 & 1), checked = flags & 2;
  let n = 10;
  if (extra) n += bytes.length < 12 ? longest : 2 + bytes[10] + (bytes[11] << 8);
  for (let i = 0; i < texts && n <= bytes.length; i++) {
    const end = bytes.indexOf(0, n);
    n = end < 0 ? longest : end + 1;
  }
  if (checked) n += 2;
  if (n <= bytes.length) return n;
  if (bytes.length >= longest) throw damaged();
  return -1;
};
