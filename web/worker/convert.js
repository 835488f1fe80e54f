// The worker of the converting program. It is given files, gives back a trace
// of them in our own format, piece after piece, and ends.
import {run} from '../program.js';
import {fault, reason} from '../page/site.js';
import {keeper} from './keep.js';
import {readNow} from './kept.js';
import {bytesAt, piecesAt} from './parts.js';
import {open} from './pieces.js';
import {starter} from './start.js';

starter.then((port) => {
  /**
   * @param {string} why what went wrong, or ''
   * @param {string} said the same as trace.AppendFault writes it, for the page's language
   */
  const done = (why, said = '') => port.postMessage({done: true, why, said});

  port.onmessage = async ({data: {files, options, module}}) => {
    // So many pieces may be on their way before the next is made.
    let credit = 4;
    /** @type {(() => void) | null} */
    let wake = null;
    /** Arrays that came back, to be filled again. @type {ArrayBuffer[]} */
    const empty = [];
    // A program that is always busy has no time to wait for Blobs, so most pieces stay in memory.
    const keep = keeper(1 << 28);
    /** How many bytes of each gzipped file were read: the program sees only the unpacked bytes. @type {number[]} */
    const packed = files.map(() => 0);
    port.onmessage = ({data}) => {
      if (data) empty.push(data);
      credit++;
      wake?.();
      wake = null;
    };

    // What wasm/dom/job calls: the one global of the project.
    globalThis.informerscope = {
      role: 'convert',
      files,
      options,
      /** @param {number} i */
      open: (i) => {
        packed[i] = 0;
        const file = files[i];
        return file.opened ? piecesAt(file) : open(file, (n) => { packed[i] = n; });
      },
      /** @param {number} i @param {number} from @param {number} to */
      slice: (i, from, to) => files[i].opened ? bytesAt(files[i], from, to) : readNow(files[i].slice(from, to)),
      /** @param {number} n */
      array: (n) => {
        const old = empty.pop();
        return old && old.byteLength >= n ? new Uint8Array(old, 0, n) : new Uint8Array(n);
      },
      /** @param {Uint8Array<ArrayBuffer>} bytes @param {number} read */
      put: async (bytes, read) => {
        port.postMessage({bytes, ...keep(bytes), read: packed.reduce((a, b) => a + b, 0) || read}, [bytes.buffer]);
        credit--;
        while (credit <= 0) await new Promise((/** @type {(_: void) => void} */ f) => { wake = f; });
      },
      done,
    };
    try {
      await run(module);
    } catch (error) {
      const why = reason(error);
      const ended = fault('programEnded', {why}, `the converting program ended: ${why}`);
      done(ended.message, ended.said);
    }
  };
});
