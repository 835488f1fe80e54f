// The places of a gzipped file at which unpacking can begin again. reader.js makes them, and
// packed.js unpacks from them.

/** @typedef {import('./inflate.js').Bytes} Bytes */
/** @typedef {import('./gzip.js').Mark} Mark */

/**
 * A place: how many bytes were unpacked before it, where that is in the file, and the last of these
 * bytes, deflated.
 * @typedef {{at: number, mark: Mark, window: Bytes}} Place
 */

/** How many bytes are unpacked between two places, at least. A read unpacks half of them at the median. */
const every = 1 << 21;

/** @param {Bytes} bytes */
const deflated = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/**
 * Returns what makes places of a file that is unpacked.
 * @param {(place: Place) => void} found is called with one place after the other
 */
export const places = (found) => {
  let last = 0;
  let made = Promise.resolve();
  return {
    /**
     * Makes a place, if the last one is far enough away.
     * @param {number} at
     * @param {() => Mark} mark
     * @param {Bytes} before the bytes before the place
     */
    reach: (at, mark, before) => {
      if (at - last < every) return;
      last = at;
      const here = mark(), window = deflated(before.slice());
      made = made.then(async () => { found({at, mark: here, window: await window}); });
    },
    /** Is there when all places were told. */
    told: () => made,
  };
};
