// The codes of deflate (RFC 1951, section 3.2) as tables, for inflate.js.
//
// A table has an entry for each sequence of as many bits as its longest code. An entry is the length
// of the code that the sequence begins with, and above that what the code stands for.

/** What a code stands for besides a base with so many extra bits: a byte, the end of the block, nothing. */
export const literal = 32, endOfBlock = 64, noCode = 128;

/** @param {number} value @param {number} kind one of the above, or the number of extra bits */
const entry = (value, kind) => value << 16 | kind << 8;

/** The bits of each number of 15 bits, the last one first. */
const reversed = new Uint16Array(1 << 15);
for (let i = 1; i < reversed.length; i++) reversed[i] = reversed[i >> 1] >> 1 | (i & 1) << 14;

const literalEntries = new Int32Array(288).fill(entry(0, noCode));
const distanceEntries = new Int32Array(32).fill(entry(0, noCode));
const lengthEntries = new Int32Array(19);
for (let i = 0; i < 256; i++) literalEntries[i] = entry(i, literal);
literalEntries[256] = entry(0, endOfBlock);
for (let i = 0, base = 3; i < 28; i++) {
  const extra = i < 8 ? 0 : (i >> 2) - 1;
  literalEntries[257 + i] = entry(base, extra);
  base += 1 << extra;
}
literalEntries[285] = entry(258, 0);
for (let i = 0, base = 1; i < 30; i++) {
  const extra = i < 4 ? 0 : (i >> 1) - 1;
  distanceEntries[i] = entry(base, extra);
  base += 1 << extra;
}
for (let i = 0; i < 19; i++) lengthEntries[i] = entry(i, 0);

/** The lengths of the codes of a block without any of its own: literals and lengths, and behind them distances. */
export const fixed = new Uint8Array(288 + 32).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288).fill(5, 288);

/** A table for codes of up to so many bits. */
class Table {
  /** @param {Int32Array} entries what each code stands for @param {number} most */
  constructor(entries, most) {
    this.entries = entries;
    this.bits = new Int32Array(1 << most);
    /** How long the longest code is. */
    this.longest = 1;
  }

  /**
   * Makes the table of the codes that have these lengths.
   * @param {Uint8Array} lengths 0 for a code that isn't used
   * @returns whether they make a set of codes: one for each sequence of bits, or a single one
   */
  set(lengths) {
    const count = new Uint16Array(17), next = new Uint16Array(17);
    for (const length of lengths) count[length]++;
    count[0] = 0;
    let longest = 15;
    while (longest > 1 && !count[longest]) longest--;
    let left = 1;
    for (let length = 1; length <= longest; length++) {
      left = left * 2 - count[length];
      if (left < 0) return false;
      next[length + 1] = next[length] + count[length] << 1;
    }
    if (left > 0 && longest > 1) return false;
    const size = 1 << longest;
    if (left > 0) this.bits.fill(entry(0, noCode) | 1, 0, size);
    for (const [i, length] of lengths.entries()) {
      if (!length) continue;
      const e = this.entries[i] | length, step = 1 << length;
      for (let at = reversed[next[length]++] >> 15 - length; at < size; at += step) this.bits[at] = e;
    }
    this.longest = longest;
    return true;
  }
}

/** A table for bytes and lengths. */
export const literals = () => new Table(literalEntries, 15);

/** A table for distances. */
export const distances = () => new Table(distanceEntries, 15);

/** A table for the lengths of codes. */
export const codeLengths = () => new Table(lengthEntries, 7);
