// Reads one file or address for the engine's worker: unpacked where it is
// gzipped, and gathered to large pieces, because each one that wakes Go costs far
// more than its copying.
//
// It does so in a worker that ends with the reading, for the sake of memory. A
// stream hands out each 64 KB in an array of its own, and the collector, which
// hardly sees how large these are, lets up to a hundred MB of them gather.
// Measured in Chromium, transfer(0) of an array doesn't give its bytes back, but
// sending it to a worker that has ended does.
'use strict';

importScripts('keep.js?v=%VERSION%');

const gone = new Worker(location.href);
gone.terminate();
const spent = []; // arrays for it

// What is inflated at a time. The stream unpacks all that it is given in one go,
// whether or not anybody reads: a file comes in pieces of up to 2 MB, which
// unpack to 60 MB and more.
const sip = 1 << 14;

// cut puts back what was looked at of a stream, cuts it small and counts it.
const cut = (head, rest, count) => {
  let left = head;
  return new ReadableStream({
    async pull(out) {
      while (!left.length) {
        const {value, done} = await rest.read();
        if (done) { out.close(); return; }
        count(value.length);
        left = value;
      }
      out.enqueue(left.subarray(0, sip));
      left = left.subarray(sip);
    },
  }, {highWaterMark: 0});
};

// whole puts back what was looked at of a stream, and counts it.
const whole = (head, rest, count) => {
  let left = head;
  return {
    async read() {
      if (left.length) { const value = left; left = []; return {value}; }
      const next = await rest.read();
      if (!next.done) count(next.value.length);
      return next;
    },
  };
};

const firstBytes = async (reader, n) => {
  let head = new Uint8Array(0);
  while (head.length < n) {
    const {value, done} = await reader.read();
    if (done) break;
    const both = new Uint8Array(head.length + value.length);
    both.set(head);
    both.set(value, head.length);
    head = both;
  }
  return head;
};

// So many pieces may be on their way: who reads slowly is waited for. Those that
// are not kept come back, and are filled again.
let credit = 2, wake = null;
const empty = [];
const buffer = async (size) => {
  while (!credit) await new Promise((f) => { wake = f; });
  credit--;
  const old = empty.pop();
  return new Uint8Array(old?.byteLength >= size ? old : size);
};

const read = async (stream, from) => {
  const piece = from.piece || 1 << 22;
  const raw = stream.getReader();
  const head = await firstBytes(raw, 2);
  let count = head.length;
  const zipped = head[0] === 0x1f && head[1] === 0x8b;
  const keep = from.keep && (zipped || !from.blob) ? informerscopeKeep() : null;
  const more = (n) => { count += n; };
  const reader = zipped ? cut(head, raw, more).pipeThrough(new DecompressionStream('gzip')).getReader() : whole(head, raw, more);
  // The first pieces are small, so that something is to be seen at once.
  let want = 1 << 16, into = await buffer(keep ? want : piece), filled = 0;
  const hand = () => {
    const bytes = into.subarray(0, filled);
    if (filled) postMessage({bytes, ...keep?.(bytes), read: count, zipped}, [into.buffer]);
    gone.postMessage(null, spent.splice(0));
    filled = 0;
    want = Math.min(piece, want * 2);
  };
  try {
    for (;;) {
      const {value, done} = await reader.read();
      if (done) break;
      for (let at = 0; at < value.length;) {
        const n = Math.min(value.length - at, want - filled);
        into.set(value.subarray(at, at + n), filled);
        filled += n;
        at += n;
        if (filled < want) continue;
        hand();
        into = await buffer(keep ? want : piece);
      }
      if (value.byteOffset + value.length === value.buffer.byteLength) spent.push(value.buffer);
    }
  } finally {
    hand(); // of a cut archive, what came out before the cut
  }
};

const open = async ({blob, url}) => {
  if (blob) return blob.stream();
  const r = await fetch(url);
  if (!r.ok) throw new Error(`${r.status} ${r.statusText}`);
  return r.body;
};

// The first message says what to read, and whether what can't be read again is to
// be kept: such pieces are the other's for good. Those after it say that a piece
// was taken, and give back its buffer if there is one.
onmessage = ({data}) => {
  onmessage = (e) => {
    if (e.data) empty.push(e.data);
    credit++;
    wake?.();
  };
  open(data).then((stream) => read(stream, data)).then(() => '', (error) => String(error?.message || error)).then((why) => postMessage({done: true, why}));
};
