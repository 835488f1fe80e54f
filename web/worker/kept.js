// Keeps what was unpacked for the engine's worker, which reads objects again later. Blobs are
// the place for it, because the browser holds them outside of the page, and large ones on disk.
// To make them is a fifth of the work of opening a file, so the bytes stay in memory until there
// is time. keep.js says how many may stay.
import {fault} from '../page/site.js';

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/**
 * What is wrong with a Blob that can't be read: browsers read no file that has changed.
 * @param {any} error
 */
export const unreadable = (error) => error?.name === 'NotReadableError' || error?.name === 'NotFoundError'
  ? fault('fileChanged', {}, 'the file has changed since it was opened, or is gone: open it again') : error;

/**
 * The bytes of a Blob, or of a part of it.
 * @param {Blob} blob
 * @param {(error: any) => any} wrong says what is wrong with a Blob that can't be read
 */
export const readNow = (blob, wrong = unreadable) => {
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
  } catch (error) {
    throw wrong(error);
  }
};

/**
 * What is wrong with a Blob of ours that can't be read: the browser had no room for it.
 * @param {any} error
 */
const lost = (error) => unreadable(error) === error ? error
  : fault('bytesLost', {}, 'the browser has lost what it kept of this capture: its disk may be full. Make room, and open the capture again');

/**
 * The bytes of a part of a Blob that a worker has made.
 * @param {Blob} blob
 */
export const readKept = (blob) => readNow(blob, lost);

/**
 * Returns an empty store.
 * @param {(bytes: Bytes) => void} giveUp is called with each array that the store has made a Blob of
 */
export const keptBytes = (giveUp) => {
  /** @type {(Blob | Bytes)[]} */
  const parts = [];
  /** @type {number[]} */
  const starts = [];
  let length = 0, time = false;

  return {
    size: () => length,
    /**
     * Adds bytes, or the Blob that holds the same.
     * @param {Bytes} bytes
     * @param {Blob} [blob]
     * @returns whether the store holds the array from now on
     */
    append: (bytes, blob) => {
      const part = blob ?? (time ? new Blob([bytes]) : bytes);
      parts.push(part);
      starts.push(length);
      length += bytes.length;
      return part === bytes;
    },
    /** Says that there is time from now on, and makes a Blob of one array. Returns whether there was one. */
    settle: () => {
      time = true;
      for (const [i, bytes] of parts.entries()) {
        if (bytes instanceof Blob) continue;
        parts[i] = new Blob([bytes]);
        giveUp(bytes);
        return true;
      }
      return false;
    },
    blob: () => new Blob(parts),
    /** @param {number} from @param {number} to */
    slice: (from, to) => {
      const out = new Uint8Array(Math.max(0, Math.min(to, length) - from));
      parts.forEach((part, i) => {
        const size = part instanceof Blob ? part.size : part.length;
        const a = Math.max(from - starts[i], 0), b = Math.min(to - starts[i], size);
        if (a >= b) return;
        out.set(part instanceof Blob ? readKept(part.slice(a, b)) : part.subarray(a, b), starts[i] + a - from);
      });
      return out;
    },
  };
};
