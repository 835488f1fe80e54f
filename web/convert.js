// The worker of the converting program: it is given files, and gives back what
// they are in our own format, piece after piece. It does one job and ends.
'use strict';

importScripts('wasm_exec.js?v=%VERSION%', 'pieces.js?v=%VERSION%', 'keep.js?v=%VERSION%');

self.onmessage = async ({data: {files, options, module}}) => {
  // So many pieces may be on their way before more are made.
  let credit = 4, wake = null;
  // To wait for Blobs would hold the program up, which is busy all the time.
  const empty = [], keep = informerscopeKeep(1 << 28);
  // How much was read of gzipped files: the program only sees what is in them.
  const packed = files.map(() => 0);
  self.onmessage = ({data}) => {
    if (data) empty.push(data);
    credit++;
    wake?.();
    wake = null;
  };
  self.informerscopeJob = {
    files,
    options,
    open: (i) => {
      packed[i] = 0;
      return informerscopePieces.open(files[i], (n) => { packed[i] = n; });
    },
    slice: (i, from, to) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(files[i].slice(from, to))),
    array: (n) => {
      const old = empty.pop();
      return old?.byteLength >= n ? new Uint8Array(old, 0, n) : new Uint8Array(n);
    },
    put: async (bytes, read) => {
      postMessage({bytes, ...keep(bytes), read: packed.reduce((a, b) => a + b) || read}, [bytes.buffer]);
      credit--;
      while (credit <= 0) await new Promise((resolve) => { wake = resolve; });
    },
    done: (why) => postMessage({done: true, why}),
  };
  // A program that dies does so wherever it was woken, and can't tell.
  self.onunhandledrejection = (e) => {
    e.preventDefault();
    postMessage({done: true, why: `the converting program ended: ${e.reason?.message || e.reason}`});
  };
  try {
    const go = new Go();
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (error) {
    postMessage({done: true, why: String(error?.message || error)});
  }
};
