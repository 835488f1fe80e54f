// Unpacks deflate streams (RFC 1951), and says where unpacking can begin again. The browser's
// DecompressionStream can't say that. It also takes two to three times as long for JSON, because it
// hands out each 64 KB in an array of its own.
import {fault} from '../page/site.js';
import {codeLengths, distances, endOfBlock, fixed, literal, literals} from './huffman.js';

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** How far a match can reach back. */
export const windowSize = 1 << 15;

/** How far beyond its limit a match can write. */
export const slack = 258;

export const cut = () => fault('compressedCut', {}, 'the compressed data ends too early: the file is cut');
export const damaged = () => fault('compressedDamaged', {}, 'the compressed data is damaged');

// How much input the header of a block can take, and how much one symbol.
const header = 640, symbol = 8;

/** A match that is longer than this is copied by the browser, a shorter one by a loop. */
const long = 24;

/** In which order a block has the lengths of the codes for lengths. */
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * A place in a stream, between two symbols.
 * @typedef {object} Mark
 * @property {number} bit where the next bit of the input is, from its beginning
 * @property {'block' | 'stored' | 'codes' | 'end'} state
 * @property {boolean} last whether the block is the last one
 * @property {number} stored how many bytes of a block that isn't compressed are still to come
 * @property {Uint8Array} lengths of the block's codes
 * @property {number} split how many of them are for literals and lengths
 */

/**
 * One stream. Whoever uses it gives it input (feed), and says where to write (into).
 *
 * The fields of the input are read and moved by gzip.js, too, which reads what stands around a stream.
 */
export class Inflate {
  /** Input that has come, from pos to length. After it stand zeros. */
  src = /** @type {Bytes} */ (new Uint8Array(0));
  pos = 0;
  length = 0;
  /** Where src begins in all of the input. */
  base = 0;
  /** Whether all of the input has come. */
  final = false;

  /** What is written to, where the next byte goes, and where the first byte is that a match can reach. */
  out = /** @type {Bytes} */ (new Uint8Array(0));
  at = 0;
  low = 0;

  /** @type {Mark['state']} */
  #state = 'block';
  #last = false;
  #stored = 0;
  // The next bits of the input that were taken from src, the first one lowest.
  #hold = 0;
  #bits = 0;
  /** @type {Uint8Array} */
  #lengths = fixed;
  #split = 288;
  #literals = literals();
  #distances = distances();
  #codeLengths = codeLengths();

  /**
   * Adds input.
   * @param {Bytes} bytes
   * @param {boolean} final whether no more comes
   */
  feed(bytes, final) {
    this.#putBack();
    const left = this.src.subarray(this.pos, this.length), length = left.length + bytes.length;
    if (this.src.length < length + header) this.src = new Uint8Array(length + header);
    this.src.set(left);
    this.src.set(bytes, left.length);
    this.src.fill(0, length, length + header);
    this.base += this.pos;
    this.pos = 0;
    this.length = length;
    this.final = final;
  }

  /**
   * Unpacks until the output has reached end, and up to slack bytes more.
   * @param {number} end
   * @returns {'full' | 'more' | 'end'} whether it stopped for room, for input, or at the end of the stream
   */
  run(end) {
    for (;;) {
      switch (this.#state) {
        case 'end':
          return 'end';
        case 'block':
          if (this.at >= end) return 'full';
          if (!this.final && this.length - this.pos < header) return 'more';
          if (!this.#block() || this.#over()) throw this.#over() ? cut() : damaged();
          break;
        case 'stored': {
          const n = Math.min(this.#stored, end - this.at, this.length - this.pos);
          this.out.set(this.src.subarray(this.pos, this.pos + n), this.at);
          this.pos += n;
          this.at += n;
          this.#stored -= n;
          if (!this.#stored) this.#ended();
          else if (this.at >= end) return 'full';
          else if (this.final) throw cut();
          else return 'more';
          break;
        }
        case 'codes': {
          const why = this.#codes(end, this.length - symbol);
          if (why === 'full' || why === 'more' && !this.final) return why;
          if (why === 'damage') throw damaged();
          if (why === 'more') this.#careful();
          else this.#ended();
        }
      }
    }
  }

  /** Begins the next stream of the input. */
  reset() {
    this.#state = 'block';
    this.#last = false;
    this.low = this.at;
  }

  /** The place that has been reached. @returns {Mark} */
  mark() {
    return {
      bit: (this.base + this.pos) * 8 - this.#bits, state: this.#state, last: this.#last,
      stored: this.#stored, lengths: this.#lengths.slice(), split: this.#split,
    };
  }

  /**
   * Goes on from a place. The input that is fed next begins with the byte that has the mark's bit.
   * @param {Mark} mark
   */
  resume(mark) {
    this.base = Math.floor(mark.bit / 8);
    this.#state = mark.state;
    this.#last = mark.last;
    this.#stored = mark.stored;
    if (mark.state === 'codes') this.#use(mark.lengths, mark.split);
    this.pos = this.length = this.#hold = 0;
    this.#bits = -(mark.bit % 8); // so many bits of the first byte are over
  }

  /** Lets go of the bits that remain of a byte. */
  #align() {
    this.#putBack();
    this.#hold = this.#bits = 0;
  }

  /** Puts whole bytes back. */
  #putBack() {
    if (this.#bits < 8) return;
    this.pos -= this.#bits >> 3;
    this.#bits &= 7;
    this.#hold &= (1 << this.#bits) - 1;
  }

  /** The block has come to its end. */
  #ended() {
    this.#state = this.#last ? 'end' : 'block';
    if (this.#last) this.#align();
  }

  /** Reports whether bits were taken of the zeros after all input. */
  #over() {
    return this.pos - (this.#bits >> 3) > this.length;
  }

  /** Takes n bits, at most 16. @param {number} n */
  #take(n) {
    this.#need(n);
    const v = this.#hold & (1 << n) - 1;
    this.#hold >>>= n;
    this.#bits -= n;
    return v;
  }

  /** @param {number} n */
  #need(n) {
    while (this.#bits < n) {
      // After resume, the first bits of the first byte are over.
      this.#hold |= this.#bits < 0 ? this.src[this.pos++] >> -this.#bits : this.src[this.pos++] << this.#bits;
      this.#bits += 8;
    }
  }

  /** Reads the header of a block. Returns whether it is one. */
  #block() {
    this.#last = this.#take(1) === 1;
    switch (this.#take(2)) {
      case 0: {
        this.#take(this.#bits & 7);
        const n = this.#take(16);
        if ((this.#take(16) ^ n) !== 0xffff) return false;
        this.#align();
        this.#stored = n;
        this.#state = 'stored';
        return true;
      }
      case 1:
        return this.#use(fixed, 288);
      case 2:
        return this.#own();
      default:
        return false;
    }
  }

  /** Reads the codes of a block that has its own. Returns whether they make sense. */
  #own() {
    const nLiterals = this.#take(5) + 257, nDistances = this.#take(5) + 1, n = this.#take(4) + 4;
    const codes = new Uint8Array(19), lengths = new Uint8Array(nLiterals + nDistances);
    for (let i = 0; i < n; i++) codes[order[i]] = this.#take(3);
    const table = this.#codeLengths;
    if (nLiterals > 286 || nDistances > 30 || !table.set(codes)) return false;
    for (let i = 0; i < lengths.length;) {
      this.#need(table.longest);
      const e = table.bits[this.#hold & (1 << table.longest) - 1];
      this.#take(e & 15);
      const code = e >>> 16;
      if (code < 16) {
        lengths[i++] = code;
        continue;
      }
      const again = code === 16 ? 3 + this.#take(2) : code === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (code === 16 && !i || i + again > lengths.length) return false;
      lengths.fill(code === 16 ? lengths[i - 1] : 0, i, i + again);
      i += again;
    }
    return lengths[256] > 0 && this.#use(lengths, nLiterals); // without a code for its end, a block has none
  }

  /** Takes the codes of a block. @param {Uint8Array} lengths @param {number} split */
  #use(lengths, split) {
    this.#lengths = lengths;
    this.#split = split;
    this.#state = 'codes';
    return this.#literals.set(lengths.subarray(0, split)) && this.#distances.set(lengths.subarray(split));
  }

  /** Unpacks one symbol near the end of all input, where a symbol may be cut. */
  #careful() {
    const {at} = this;
    const why = this.#codes(at + 1, this.length + header);
    if (this.#over()) this.at = at;
    if (this.#over() || why === 'damage') throw this.#over() ? cut() : damaged();
    if (!why) this.#ended();
  }

  /**
   * Unpacks symbols until the output is at end or the input at stop. This is where the time goes.
   * @param {number} end
   * @param {number} stop
   * @returns {'full' | 'more' | 'damage' | ''} '' at the end of the block
   */
  #codes(end, stop) {
    const {src, out, low} = this;
    const literals = this.#literals.bits, literalMask = (1 << this.#literals.longest) - 1;
    const distances = this.#distances.bits, distanceMask = (1 << this.#distances.longest) - 1;
    this.#need(0); // after resume
    let {pos, at} = this, hold = this.#hold, bits = this.#bits;
    /** @type {'full' | 'more' | 'damage' | ''} */
    let why = '';
    for (;;) {
      if (at >= end || pos >= stop) {
        why = at >= end ? 'full' : 'more';
        break;
      }
      if (bits < 15) {
        hold |= src[pos++] << bits;
        hold |= src[pos++] << bits + 8;
        bits += 16;
      }
      let e = literals[hold & literalMask];
      hold >>>= e & 15;
      bits -= e & 15;
      let kind = e >>> 8 & 255;
      if (kind === literal) {
        out[at++] = e >>> 16;
        continue;
      }
      if (kind >= endOfBlock) {
        if (kind > endOfBlock) why = 'damage';
        break;
      }
      let length = e >>> 16;
      if (kind) {
        if (bits < kind) {
          hold |= src[pos++] << bits;
          bits += 8;
        }
        length += hold & (1 << kind) - 1;
        hold >>>= kind;
        bits -= kind;
      }
      if (bits < 15) {
        hold |= src[pos++] << bits;
        hold |= src[pos++] << bits + 8;
        bits += 16;
      }
      e = distances[hold & distanceMask];
      hold >>>= e & 15;
      bits -= e & 15;
      kind = e >>> 8 & 255;
      if (kind > endOfBlock) {
        why = 'damage';
        break;
      }
      let distance = e >>> 16;
      if (kind) {
        while (bits < kind) {
          hold |= src[pos++] << bits;
          bits += 8;
        }
        distance += hold & (1 << kind) - 1;
        hold >>>= kind;
        bits -= kind;
      }
      let from = at - distance;
      if (from < low) {
        why = 'damage';
        break;
      }
      if (length > long && distance >= length) {
        out.copyWithin(at, from, from + length);
        at += length;
      } else for (const to = at + length; at < to;) out[at++] = out[from++];
    }
    this.pos = pos;
    this.at = at;
    this.#hold = hold;
    this.#bits = bits;
    return why;
  }
}
