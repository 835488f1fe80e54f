// The checksum of gzip (RFC 1952, section 8).

/** What each byte does to the checksum with none to fifteen bytes after it. */
const tables = Array.from({length: 16}, () => new Int32Array(256));
for (let i = 0; i < 256; i++) {
  let c = i;
  for (let bit = 0; bit < 8; bit++) c = c >>> 1 ^ (c & 1 ? 0xedb88320 : 0);
  tables[0][i] = c;
}
for (let t = 1; t < 16; t++) {
  for (let i = 0; i < 256; i++) tables[t][i] = tables[t - 1][i] >>> 8 ^ tables[0][tables[t - 1][i] & 255];
}
const [t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15] = tables;

/**
 * The checksum of bytes from one place of an array to another, after others.
 * @param {number} before the checksum of the others, 0 for none
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 */
export const crc32 = (before, bytes, from, to) => {
  let c = ~before, i = from;
  for (; i < to && (bytes.byteOffset + i) % 4; i++) c = c >>> 8 ^ t0[(c ^ bytes[i]) & 255];
  // Four words at a time: byte after byte takes five times as long.
  const words = i < to ? new Int32Array(bytes.buffer, bytes.byteOffset + i, to - i >> 2) : [], n = words.length & ~3;
  for (let w = 0; w < n; w += 4) {
    const x = words[w] ^ c, y = words[w + 1], z = words[w + 2], v = words[w + 3];
    c = t15[x & 255] ^ t14[x >>> 8 & 255] ^ t13[x >>> 16 & 255] ^ t12[x >>> 24] ^
      t11[y & 255] ^ t10[y >>> 8 & 255] ^ t9[y >>> 16 & 255] ^ t8[y >>> 24] ^
      t7[z & 255] ^ t6[z >>> 8 & 255] ^ t5[z >>> 16 & 255] ^ t4[z >>> 24] ^
      t3[v & 255] ^ t2[v >>> 8 & 255] ^ t1[v >>> 16 & 255] ^ t0[v >>> 24];
  }
  for (i += n * 4; i < to; i++) c = c >>> 8 ^ t0[(c ^ bytes[i]) & 255];
  return ~c;
};
