// Has several workers glance at a file at once, each at one part after the other, and gives what they have read in
// the order of the parts.
import {letGo, start} from './start.js';

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {ReturnType<typeof start>} Started */

/** How long a part is, in bytes. It comes with its digest, a tenth as long, so that objects in it can be looked at. */
const part = 1 << 22;

/** How many parts a worker is given at once. So none waits for the other side. */
const ahead = 2;

/**
 * How many workers read: at most so many, and the engine has a core of its own. One is as fast as the engine where the
 * API server has written the lines, and two or three are where a glance has to look at all of a line. More would only
 * take memory.
 */
const most = 3;
export const workers = () => Math.min(most, navigator.hardwareConcurrency - 1);

/**
 * What the reading needs of who asks for it.
 * @typedef {object} Asker
 * @property {() => number} begin is called when the first worker is ready, and returns where in the file to begin
 * @property {(bytes: Bytes, read: number) => void} take gets one digest after the other, with how many bytes of the
 *   file have been read
 * @property {() => void} end is called last where the file was read to its end
 * @property {(at: number, why: string) => void} fail is called last where a worker failed, with how far the file was
 *   read, or -1 if it was not begun
 */

/**
 * Begins.
 * @param {WebAssembly.Module} module the page's program
 * @param {Blob} blob
 * @param {Asker} asker
 */
export const spread = (module, blob, {begin, take, end, fail}) => {
  let next = -1, done = -1, held = false, over = false;
  /**
   * The parts that have come, with their digests, by where they begin.
   * @typedef {{piece: Bytes, bytes: Bytes}} Part
   * @type {Map<number, Part>}
   */
  const come = new Map();
  /** The part whose digest is taken. @type {{from: number, piece: Bytes} | null} */
  let taken = null;
  /** @type {Started[]} */
  const all = [];
  /** How many parts each worker that is ready is at. @type {Map<Started, number>} */
  const busy = new Map();

  /** @param {Part} part */
  const buffers = ({piece, bytes}) => [piece.buffer, bytes.buffer];
  const stop = () => {
    over = true;
    for (const worker of all) worker.end();
    letGo([...come.values()].flatMap(buffers));
    come.clear();
  };
  // What waits here for its turn is bounded, whatever worker is slow.
  const give = () => {
    for (let more = true; more;) {
      more = false;
      for (const [worker, parts] of busy) {
        if (held || parts === ahead || next >= blob.size || next - done >= part * ahead * all.length) continue;
        const to = Math.min(next + part, blob.size);
        worker.send({from: next, to});
        busy.set(worker, parts + 1);
        next = to;
        more = true;
      }
    }
  };
  /** Hands over what has come, and has the workers go on. */
  const turn = () => {
    for (let came; !held && !over && (came = come.get(done));) {
      come.delete(done);
      taken = {from: done, piece: came.piece};
      done = Math.min(done + part, blob.size);
      take(came.bytes, done);
      taken = null;
      letGo(buffers(came));
    }
    if (over || held || done < 0) return;
    if (done === blob.size) {
      stop();
      end();
    } else {
      give();
    }
  };
  /** @param {string} why */
  const failed = (why) => {
    if (over) return;
    stop();
    fail(done, why);
  };
  /** @param {Started} worker @param {any} message */
  const hear = (worker, {ready, from, piece, bytes, why}) => {
    if (over) return;
    if (why) {
      failed(why);
      return;
    }
    if (ready) {
      if (done < 0) next = done = begin();
      busy.set(worker, 0);
    } else {
      busy.set(worker, /** @type {number} */ (busy.get(worker)) - 1);
      come.set(from, {piece, bytes});
    }
    turn();
  };

  for (let n = workers(); n > 0; n--) {
    const worker = start('digest');
    all.push(worker);
    worker.listen((message) => hear(worker, message), failed);
    worker.send({module, blob});
  }
  return {
    stop,
    turn,
    /** The bytes between two places of the part whose digest is taken; null if they aren't there. @param {number} from @param {number} to */
    slice: (from, to) => taken && from >= taken.from && to <= taken.from + taken.piece.length ? taken.piece.subarray(from - taken.from, to - taken.from) : null,
    /** Keeps the next digests back until a turn after the hold. Meanwhile no worker is given a part. @param {boolean} on */
    hold: (on) => { held = on; },
  };
};
