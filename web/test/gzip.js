// Unpacks files with web/worker/gzip.js, and compares that with zlib, for workers_test.go. The arguments are a seed
// and how many files. It prints each difference, and at last what it has tried.
import zlib from 'node:zlib';
import {Gunzip} from './worker/gzip.js';
import {slack, windowSize} from './worker/inflate.js';

// packed.js reads Blobs, which Node can't read at once.
class Bytes {
  constructor(bytes) { this.bytes = bytes; }
  get size() { return this.bytes.length; }
  slice(from, to) { return new Bytes(this.bytes.subarray(from, to)); }
}
globalThis.FileReaderSync = class { readAsArrayBuffer(blob) { return Uint8Array.from(blob.bytes).buffer; } };
const {packedBytes} = await import('./worker/packed.js');

let state = Number(process.argv[2]);
/** A number below n. */
const random = (n) => {
  state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
  return ((state ^ state >>> 13) >>> 0) % n;
};
const one = (...of) => of[random(of.length)];

/** Bytes of some kind: text that repeats itself, noise, runs. */
const content = () => {
  const parts = [];
  for (let n = random(20); n > 0; n--) {
    switch (random(4)) {
      case 0: parts.push(Buffer.from(Array.from({length: random(3000)}, () => random(256)))); break;
      case 1: parts.push(Buffer.alloc(random(1 << random(18)), random(256))); break;
      case 2: parts.push(Buffer.from(JSON.stringify(Array.from({length: random(500)}, (_, i) => ({kind: 'Pod', name: `web-${i}`, n: random(1000)}))))); break;
      default: if (parts.length) parts.push(parts[random(parts.length)]);
    }
  }
  return Buffer.concat(parts);
};

/** A member, some with what a header can have. */
const member = (bytes) => {
  const strategy = one(zlib.constants.Z_DEFAULT_STRATEGY, zlib.constants.Z_FIXED, zlib.constants.Z_HUFFMAN_ONLY, zlib.constants.Z_RLE);
  const z = zlib.gzipSync(bytes, {level: random(10), memLevel: 1 + random(9), windowBits: 9 + random(7), strategy});
  if (random(3)) return z;
  const head = Buffer.from(z.subarray(0, 10)), more = [];
  if (random(2)) {
    head[3] |= 4;
    const extra = random(300);
    more.push(Buffer.from([extra & 255, extra >> 8]), Buffer.alloc(extra, 7));
  }
  for (const flag of [8, 16]) {
    if (random(2)) continue;
    head[3] |= flag;
    more.push(Buffer.from('name\0'));
  }
  return Buffer.concat([head, ...more, z.subarray(10)]);
};

/** Unpacks all that comes, in pieces. Gives what came out, and what went wrong. */
const unpack = (file, places) => {
  const z = new Gunzip(), out = [], least = Math.max(Math.ceil(file.length / 300), 1);
  const sip = least + random(1 << random(17)), room = least * 10 + random(1 << random(17));
  const into = new Uint8Array(windowSize + room + slack);
  let at = windowSize, all = 0;
  const hand = () => {
    out.push(Buffer.from(into.subarray(windowSize, at)));
    all += at - windowSize;
    into.copyWithin(0, at - windowSize, at);
    at = windowSize;
    if (all && (!places.length || all > places.at(-1).at) && random(3) === 0) {
      const mark = z.mark(), before = into.slice(0, windowSize);
      places.push({at: all, mark, window: new Uint8Array(zlib.deflateRawSync(before))});
    }
  };
  let why = '';
  try {
    for (let i = 0; i <= file.length; i += sip) {
      z.feed(new Uint8Array(file.subarray(i, i + sip)), i + sip > file.length);
      for (;;) {
        at = z.take(into, at, windowSize + room);
        if (at < windowSize + room) break;
        hand();
      }
      z.check();
    }
  } catch (error) {
    why = error.said ? error.message : error.stack;
  }
  hand();
  return {bytes: Buffer.concat(out), why};
};

const tried = {whole: 0, cut: 0, damaged: 0, places: 0, reads: 0};
const differs = (n, what) => console.log(`file ${n} of seed ${process.argv[2]}: ${what}`);
for (let n = 0; n < Number(process.argv[3]); n++) {
  const plain = [content()], members = [member(plain[0])];
  while (random(4) === 0) {
    plain.push(content());
    members.push(member(plain.at(-1)));
  }
  if (random(4) === 0) members.push(Buffer.alloc(random(600)));
  const want = Buffer.concat(plain), file = Buffer.concat(members), places = [];
  const kind = one('whole', 'whole', 'cut', 'damaged');
  let given = file;
  if (kind === 'cut') given = file.subarray(0, random(members[0].length));
  if (kind === 'damaged') {
    given = Buffer.from(file);
    for (let flips = 1 + random(3); flips > 0; flips--) given[10 + random(file.length - 10)] ^= 1 << random(8);
  }
  const got = unpack(given, places);
  tried[kind]++;
  if (kind === 'whole') {
    if (got.why || !got.bytes.equals(want)) differs(n, `it gives ${got.bytes.length} bytes, want ${want.length}: ${got.why}`);
    const packed = packedBytes(new Bytes(file));
    packed.append(want.length);
    for (const place of places) packed.add(place);
    tried.places += places.length;
    for (let reads = 10; reads > 0; reads--) {
      const from = random(want.length + 1), to = from + random(1 << random(18));
      tried.reads++;
      if (!want.subarray(from, to).equals(packed.slice(from, to))) differs(n, `bytes ${from} to ${to} differ with ${places.length} places`);
    }
    continue;
  }
  if (kind === 'cut') {
    if (got.why !== 'the compressed data ends too early: the file is cut') differs(n, `after ${given.length} of ${file.length} bytes it says: ${got.why}`);
    if (!want.subarray(0, got.bytes.length).equals(got.bytes)) differs(n, 'what came before the cut differs');
    continue;
  }
  let right = null;
  try {
    right = zlib.gunzipSync(given, {maxOutputLength: 1 << 28});
  } catch { /* then it is damaged */ }
  // zlib passes over what comes after a member and isn't another. Here that is damage.
  if (right && !right.equals(got.bytes)) differs(n, `zlib reads ${right.length} bytes of it, and this ${got.bytes.length}: ${got.why}`);
  if (!right && !got.why) differs(n, 'zlib finds damage in it');
  if (got.why && !got.why.startsWith('the compressed data ')) differs(n, got.why);
}
console.log(JSON.stringify(tried));
