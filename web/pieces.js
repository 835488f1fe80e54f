// Reads a file in large pieces, unpacked where it is gzipped, for a program that
// asks for one after the other. reader.js reads ahead meanwhile, in a worker of
// its own.
'use strict';

globalThis.informerscopePieces = (() => {
  // open returns read, which promises the next piece, or null at the end; a piece
  // is good until the next is asked for. Taken is told how many bytes of a gzipped
  // file have been read, as they are.
  const open = (blob, taken) => {
    const reader = new Worker('reader.js?v=%VERSION%');
    const come = [];
    let wake = null, last = null, over = null;
    reader.onmessage = ({data}) => { come.push(data); wake?.(); };
    reader.onerror = (e) => { e.preventDefault(); come.push({done: true, why: e.message || 'reader.js'}); wake?.(); };
    reader.postMessage({blob});
    const read = async () => {
      if (last) { reader.postMessage(last, [last]); last = null; }
      while (!over && !come.length) await new Promise((resolve) => { wake = resolve; });
      const {bytes, read, zipped, done, why} = over || come.shift();
      if (done) {
        over = {done, why};
        reader.terminate();
        if (why) throw new Error(why);
        return null;
      }
      if (zipped) taken(read);
      last = bytes.buffer;
      return bytes;
    };
    return {read, cancel: () => { over = {done: true, why: ''}; reader.terminate(); }};
  };

  return {open};
})();
