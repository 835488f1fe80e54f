// Keeps what was unpacked, for the engine's worker: objects are looked at again.
// It belongs into Blobs, which the browser keeps outside of the page, and on disk
// where they are many. But of the work to open a file, making Blobs is a fifth. So
// it stays in memory until there is time; keep.js says how much of it may.
'use strict';

// giveUp is called with each array that has become a Blob here.
globalThis.informerscopeKept = (giveUp) => {
  const parts = [], starts = []; // Blobs and arrays
  let length = 0, time = false;

  return {
    size: () => length,
    // append tells whether it holds bytes from now on; not where blob has them.
    append: (bytes, blob) => {
      const part = blob ?? (time ? new Blob([bytes]) : bytes);
      parts.push(part);
      starts.push(length);
      length += bytes.length;
      return part === bytes;
    },
    // settle tells that there is time, from now on, and makes a Blob of one array,
    // if there is any. It tells whether it did.
    settle: () => {
      time = true;
      const i = parts.findIndex((part) => !(part instanceof Blob));
      if (i < 0) return false;
      const bytes = parts[i];
      parts[i] = new Blob([bytes]);
      giveUp(bytes);
      return true;
    },
    blob: () => new Blob(parts),
    slice: (from, to) => {
      const out = new Uint8Array(Math.max(0, Math.min(to, length) - from));
      parts.forEach((part, i) => {
        const a = Math.max(from - starts[i], 0), b = Math.min(to - starts[i], part.size ?? part.length);
        if (a >= b) return;
        const bytes = part instanceof Blob ? new Uint8Array(new FileReaderSync().readAsArrayBuffer(part.slice(a, b))) : part.subarray(a, b);
        out.set(bytes, starts[i] + a - from);
      });
      return out;
    },
  };
};
