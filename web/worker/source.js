// Gives the engine's worker what reader.js reads of files and addresses, or what the converting
// program makes of files, and gives bytes of it back later.
import {compile} from '../program.js';
import {folder, reason, said} from '../page/site.js';
import {keptBytes, readNow} from './kept.js';
import {later} from './later.js';
import {packedBytes} from './packed.js';
import {bytesAt, placeAt, readParts} from './parts.js';
import {spread, workers} from './spread.js';
import {letGo, start} from './start.js';

export {later};

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {import('./parts.js').Place} Place */
/** @typedef {(bytes: Bytes, read: number, digest?: boolean) => void} Chunk */
/** @typedef {(why: string, said?: string) => void} End */
/** @typedef {ReturnType<typeof start>} Started */

/** The page's program, which the engine's worker brings. @type {{page: WebAssembly.Module | null}} */
export const program = {page: null};

// The first reader starts while the program is still compiled, and the reader of the next file when all of
// the last one has settled. With a reader that is there, a file shows something in half the time.
/** @type {Started | null} */
let next = null;
const startReader = () => start('reader');
const startNext = () => {
  const reader = startReader();
  reader.listen(() => { /* it was asked for nothing */ }, () => { next = null; }); // whoever needs a reader next tries again
  return reader;
};
next = startNext();
const takeReader = () => {
  const reader = next ?? startReader();
  next = null;
  return reader;
};

/**
 * The bytes between two places of what was unpacked, or an error of ours as JSON.
 * @param {(from: number, to: number) => Bytes} slice
 */
const telling = (slice) => (/** @type {number} */ from, /** @type {number} */ to) => {
  try {
    return slice(from, to);
  } catch (error) {
    if (!said(error)) throw error;
    return said(error);
  }
};

/**
 * Has a worker read.
 * @param {Started} reader
 * @param {{blob?: Blob} & Record<string, unknown>} what the worker gets
 * @param {Chunk} chunk is called with piece after piece, or the digest of one, and how much of the input has been read
 * @param {End} end is called last, with what went wrong or ''; the converting program says it as a fault, too
 * @param {object | Promise<object>} more the worker gets this too
 */
const open = (reader, what, chunk, end, more = {}) => {
  let over = false, held = false;
  let from = 0, taken = 0; // where the reader began, and how much of what it reads was handed over
  /** @type {ReturnType<typeof spread> | null} */
  let spreading = null;
  /** @type {any[]} */
  const come = [];
  // The reader fills the array again.
  /** @param {Bytes} bytes */
  const giveBack = (bytes) => reader.send(bytes.buffer, [bytes.buffer]);
  const kept = keptBytes(giveBack);
  /** What is gzipped. @type {ReturnType<typeof packedBytes> | null} */
  let packed = null;
  /** @param {string} why @param {string} [words] the same as a fault */
  const finish = (why, words = '') => {
    if (over) return;
    over = true;
    reader.end();
    spreading?.stop();
    end(why, words);
  };
  /** @param {any} message */
  const take = ({bytes, keep, zipped, blob, part, read, place, done, why, said: words}) => {
    if (over) return;
    if (done) {
      finish(why, words);
      return;
    }
    if (place) {
      packed?.add(place);
      return;
    }
    if (keep && zipped) {
      packed ??= packedBytes(what.blob);
      packed.append(bytes.length, part);
    }
    taken += bytes.length;
    chunk(bytes, from + read);
    if (keep && !zipped && kept.append(bytes, blob)) reader.send(null);
    else giveBack(bytes);
  };
  const takeAll = () => {
    while (!held && come.length) take(come.shift());
  };
  /** @param {object} message */
  const hear = (message) => {
    come.push(message);
    takeAll();
  };
  reader.listen(hear, finish);
  Promise.resolve(more).then((known) => reader.send({...what, ...known}), (error) => finish(reason(error), said(error)));

  /** Several workers read on from where the reader is. If one fails, a reader does. */
  const spreadOut = () => {
    const file = what.blob;
    if (!file || packed || spreading || !program.page || workers() < 1) return;
    spreading = spread(program.page, file, {
      begin: () => {
        console.debug('several workers read on');
        letGo(come.splice(0).flatMap(({bytes}) => bytes ? [bytes.buffer] : []));
        reader.listen(() => { /* it has ended */ }, () => { /* as it should */ });
        reader.end();
        return taken;
      },
      take: (bytes, read) => chunk(bytes, read, true),
      end: () => finish(''),
      fail: (at, why) => {
        console.debug(`one reader reads on: ${why}`);
        spreading = null;
        if (at < 0) return; // it has never stopped
        from = at;
        reader = startReader();
        reader.listen(hear, finish);
        reader.send({...what, blob: file.slice(at)});
      },
    });
  };

  /** What was read, as it is stored where it is gzipped. */
  const blob = () => packed?.blob() ?? (kept.size() ? kept.blob() : what.blob ?? new Blob([]));
  return {
    /** Stops. End is called all the same. */
    cancel: () => {
      come.length = 0;
      reader.end();
      spreading?.stop();
      later(() => finish(''));
    },
    /** Keeps the next pieces back, or lets them come. @param {boolean} on */
    hold: (on) => {
      held = on;
      spreading?.hold(on);
      if (on) return;
      later(() => {
        takeAll();
        spreading?.turn();
      });
    },
    spread: spreadOut,
    /** How much there is of an address, where that is known. */
    size: 0,
    /** Moves one piece out of memory. Returns whether there was one. */
    settle: () => {
      const moved = kept.settle();
      if (!moved) next ??= startNext();
      return moved;
    },
    /** Gives all of the stream once more, in smaller pieces. @param {Chunk} chunk @param {End} end */
    again: (chunk, end) => open(startReader(), {blob: blob(), piece: 1 << 20}, chunk, end),
    blob,
    slice: telling((from, to) => spreading?.slice(from, to) ?? packed?.slice(from, to) ?? (kept.size() || !what.blob ? kept.slice(from, to) : readNow(what.blob.slice(from, to)))),
  };
};

// The converting program is fetched and compiled when it is first needed, and kept.
/** @type {Promise<WebAssembly.Module> | null} */
let converting = null;
const compiled = async () => {
  try {
    converting ??= compile('convert.wasm');
    return {module: await converting};
  } catch (error) {
    converting = null; // whoever needs it next tries again
    throw error;
  }
};

/** Reads a file. @param {Blob} blob @param {Chunk} chunk @param {End} end */
export const blob = (blob, chunk, end) => open(takeReader(), {blob, keep: true}, chunk, end);

/**
 * Has the program that has opened a capture read it.
 * @param {Place} place
 * @param {Chunk} chunk
 * @param {End} end
 * @param {() => ReturnType<typeof open>} whole reads what the program doesn't read
 */
const parted = (place, chunk, end, whole) => {
  let held = false;
  /** @type {ReturnType<typeof open> | null} */
  let other = null;
  const slice = telling((from, to) => bytesAt(place, from, to));
  const parts = readParts(place, chunk, end, undefined, () => {
    other = whole();
    other.hold(held);
  });
  return {
    cancel: () => (other ?? parts).cancel(),
    /** @param {boolean} on */
    hold: (on) => {
      held = on;
      (other ?? parts).hold(on);
    },
    spread: () => (other ?? parts).spread(),
    settle: () => other?.settle() ?? false,
    /** @param {Chunk} chunk @param {End} end */
    again: (chunk, end) => other?.again(chunk, end) ?? readParts(place, chunk, end, 1 << 20),
    blob: () => other?.blob() ?? {...place},
    /** @param {number} from @param {number} to */
    slice: (from, to) => (other?.slice ?? slice)(from, to),
    get size() { return place.size; },
  };
};

/** Reads an address; a relative one is among the page's own files. @param {string} url @param {Chunk} chunk @param {End} end */
export const url = (url, chunk, end) => {
  const {href} = new URL(url, folder), place = placeAt(href);
  const whole = () => open(takeReader(), {url: href, keep: true}, chunk, end);
  return place ? parted(place, chunk, end, whole) : whole();
};

/**
 * Reads what files become together in our own format.
 * @param {(Blob | Place)[]} files
 * @param {string} options
 * @param {Chunk} chunk
 * @param {End} end
 */
export const converted = (files, options, chunk, end) =>
  open(start('convert'), {files, options}, chunk, end, compiled());
