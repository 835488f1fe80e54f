// Reads what a worker has kept, and a file, where the browser can read neither, for ended_test.go.
globalThis.FileReaderSync = class {
  readAsArrayBuffer() { throw Object.assign(new Error('no'), {name: 'NotReadableError'}); }
};
const {keptBytes, readNow} = await import('./worker/kept.js');

/** @param {() => void} read */
const tell = (read) => {
  try {
    read();
    console.log('read');
  } catch (error) {
    console.log(JSON.parse(error.said).id);
  }
};

const kept = keptBytes(() => { /* nobody wants the array */ });
kept.append(new Uint8Array(8));
tell(() => kept.slice(0, 8)); // it is still in memory
kept.settle();
tell(() => kept.slice(0, 8));
tell(() => readNow(new Blob([new Uint8Array(8)])));
