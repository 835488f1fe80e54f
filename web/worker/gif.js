// The worker that makes a GIF of frames, one message each, and answers with the file after the last.
// A frame has a palette of its own: the theme has some forty colours, and the colours that the
// browser gives to the edges of letters fill the rest. Only what differs from the frame before is
// written.

/** The palette's last entry stands for a pixel that stays as it is. */
const stays = 255;

/** How many bytes a file may have. */
const most = 64 << 20;

/** @type {Uint8Array<ArrayBuffer>[]} */
let parts = [];
let size = 0;
/** The pixels of the frame before. @type {Uint32Array | null} */
let last = null;

/** What follows each prefix in lzw, and which of these entries are taken. */
const table = new Int16Array(4096 * 256), taken = new Int32Array(4096);

/** @param {number[] | Uint8Array<ArrayBuffer>} bytes */
const put = (bytes) => {
  const part = Uint8Array.from(bytes);
  parts.push(part);
  size += part.length;
};

/** @param {number} v */
const short = (v) => [v & 255, v >> 8];

/**
 * The rectangle in which two frames differ, or null. A first frame differs everywhere.
 * @param {Uint32Array} now
 * @param {Uint32Array | null} before
 * @param {number} width
 * @param {number} height
 */
const changed = (now, before, width, height) => {
  if (!before) return {x: 0, y: 0, w: width, h: height};
  let left = width, right = -1, top = -1, bottom = -1;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (now[i] === before[i]) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (top < 0) top = y;
      bottom = y;
    }
  }
  return right < 0 ? null : {x: left, y: top, w: right - left + 1, h: bottom - top + 1};
};

/**
 * The colours that most of the changed pixels have, as bytes of red, green and blue, and a function
 * that finds the nearest of them to any colour.
 * @param {Uint32Array} pixels
 * @param {Uint32Array | null} before
 * @param {{x: number, y: number, w: number, h: number}} box where they have changed
 * @param {number} width
 */
const palette = (pixels, before, box, width) => {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let y = box.y; y < box.y + box.h; y++) {
    for (let i = y * width + box.x, end = i + box.w; i < end;) { // most pixels are like the one before
      const p = pixels[i], same = before && before[i] === p, from = i;
      do i++; while (i < end && pixels[i] === p && (before && before[i] === p) === same);
      if (!same) counts.set(p & 0xffffff, (counts.get(p & 0xffffff) ?? 0) + i - from);
    }
  }
  const chosen = [...counts].sort((a, b) => b[1] - a[1]).slice(0, stays).map(([c]) => c);
  const bytes = new Uint8Array(3 * 256), known = new Map(chosen.map((c, i) => [c, i]));
  chosen.forEach((c, i) => bytes.set([c & 255, c >> 8 & 255, c >> 16], 3 * i));
  /** @param {number} c */
  const find = (c) => {
    const found = known.get(c);
    if (found !== undefined) return found;
    let best = 0, least = Infinity;
    for (let i = 0; i < chosen.length; i++) {
      const r = bytes[3 * i] - (c & 255), g = bytes[3 * i + 1] - (c >> 8 & 255), b = bytes[3 * i + 2] - (c >> 16);
      const away = 2 * r * r + 4 * g * g + 3 * b * b; // about as the eye weighs them
      if (away < least) {
        least = away;
        best = i;
      }
    }
    known.set(c, best);
    return best;
  };
  return {bytes, find};
};

/**
 * Compresses indices of a palette as GIF does: LZW with codes of 9 to 12 bits.
 * @param {Uint8Array} indices
 */
const lzw = (indices) => {
  const clear = 256, end = 257;
  let used = 0; // of taken
  const out = new Uint8Array(indices.length * 2 + 1024);
  let n = 0, block = 0, bits = 0, held = 0, width = 9, next = end + 1;
  out[n++] = 8; // bits of an index
  block = n++;
  /** @param {number} code */
  const write = (code) => {
    held |= code << bits;
    for (bits += width; bits >= 8; bits -= 8) {
      out[n++] = held & 255;
      held >>>= 8;
      if (n - block === 256) {
        out[block] = 255;
        block = n++;
      }
    }
  };
  write(clear);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const at = prefix << 8 | indices[i], code = table[at];
    if (code) {
      prefix = code;
      continue;
    }
    write(prefix);
    prefix = indices[i];
    if (next === 4096) {
      write(clear);
      while (used > 0) table[taken[--used]] = 0;
      next = end + 1;
      width = 9;
      continue;
    }
    if (next === 1 << width) width++;
    table[at] = next++;
    taken[used++] = at;
  }
  while (used > 0) table[taken[--used]] = 0;
  write(prefix);
  if (next === 1 << width && width < 12) width++; // the decoder has one more entry by now
  write(end);
  if (bits > 0) out[n++] = held & 255;
  out[block] = n - block - 1;
  if (out[block] > 0) out[n++] = 0;
  return out.subarray(0, n);
};

/**
 * Adds a frame.
 * @param {Uint32Array} pixels
 * @param {number} width
 * @param {number} height
 * @param {number} millis how long it is shown
 */
const frame = (pixels, width, height, millis) => {
  if (!last) {
    put([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, ...short(width), ...short(height), 0x70, 0, 0]); // GIF89a, no common palette
    put([0x21, 0xff, 11, ...new TextEncoder().encode('NETSCAPE2.0'), 3, 1, 0, 0, 0]); // again and again
  }
  const box = changed(pixels, last, width, height) ?? {x: 0, y: 0, w: 1, h: 1};
  const {bytes, find} = palette(pixels, last, box, width), indices = new Uint8Array(box.w * box.h);
  for (let y = 0, i = 0; y < box.h; y++) {
    let colour = -1, index = 0;
    for (let x = 0, at = (box.y + y) * width + box.x; x < box.w; x++, at++, i++) {
      const p = pixels[at];
      if (last && last[at] === p) {
        indices[i] = stays;
        continue;
      }
      if (p !== colour) index = find((colour = p) & 0xffffff);
      indices[i] = index;
    }
  }
  put([0x21, 0xf9, 4, 1 << 2 | (last ? 1 : 0), ...short(Math.round(millis / 10)), stays, 0]);
  put([0x2c, ...short(box.x), ...short(box.y), ...short(box.w), ...short(box.h), 0x87]);
  put(bytes);
  put(lzw(indices));
  last = pixels;
};

onmessage = ({data: {pixels, width, height, millis, end}}) => {
  frame(new Uint32Array(pixels), width, height, millis);
  if (size > most) {
    postMessage({why: `the GIF is larger than ${most >> 20} MB`});
    return;
  }
  if (!end) {
    postMessage({size});
    return;
  }
  put([0x3b]);
  postMessage({file: new Blob(parts, {type: 'image/gif'})});
  parts = [];
  last = null;
};
