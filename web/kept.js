// Keeps what was unpacked, for the engine's worker: objects are looked at again.
// It belongs into Blobs, which the browser keeps outside of the page, and on disk
// where they are many. But of the work to open a file, making Blobs is a fifth. So
// it stays in memory until there is time, or until it is too much.
'use strict';

globalThis.informerscopeKept = (most = 256 << 20) => {
  const parts = [], starts = []; // Blobs up to parts[moved], and arrays from there
  let length = 0, moved = 0, inMemory = 0, keeper = null, settled = null;

  const next = () => {
    if (inMemory > most) { keeper.postMessage({bytes: parts[moved]}); return; }
    keeper.terminate();
    keeper = null;
    const then = settled;
    settled = null;
    then?.();
  };
  const move = () => {
    if (keeper || inMemory <= most) return;
    keeper = new Worker('keeper.js?v=%VERSION%');
    keeper.onerror = (e) => { e.preventDefault(); keeper.terminate(); }; // the rest stays in memory
    keeper.onmessage = ({data}) => {
      const bytes = parts[moved];
      parts[moved++] = data;
      inMemory -= bytes.length;
      // A worker's memory is given back for sure when it ends: this one lives on.
      keeper.postMessage({}, [bytes.buffer]);
      next();
    };
    next();
  };

  return {
    size: () => length,
    append: (bytes) => {
      parts.push(bytes);
      starts.push(length);
      length += bytes.length;
      inMemory += bytes.length;
      move();
    },
    // settle tells that there is time, from now on. Then is called when nothing is
    // in memory any more.
    settle: (then) => {
      most = 0;
      if (!inMemory) { then(); return; }
      settled = then;
      move();
    },
    blob: () => new Blob(parts),
    slice: (from, to) => {
      const out = new Uint8Array(Math.max(0, Math.min(to, length) - from));
      parts.forEach((part, i) => {
        const a = Math.max(from - starts[i], 0), b = Math.min(to - starts[i], part.size ?? part.length);
        if (a >= b) return;
        out.set(i < moved ? new Uint8Array(new FileReaderSync().readAsArrayBuffer(part.slice(a, b))) : part.subarray(a, b), starts[i] + a - from);
      });
      return out;
    },
  };
};
