// Packs links, copies them, and gives the viewer files.

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream @param {number} most @returns {Promise<Blob>} */
const gathered = async (stream, most) => {
  const reader = stream.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  for (let size = 0; ;) {
    const {done, value} = await reader.read();
    if (done) return new Blob(parts);
    parts.push(value);
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError('too long');
    }
  }
};

/** The bytes in small pieces. Each unpacks to half a megabyte at most. @param {Uint8Array<ArrayBuffer>} bytes */
const inPieces = (bytes) => {
  let at = 0;
  return new ReadableStream({
    pull: (to) => {
      if (at >= bytes.length) to.close();
      else to.enqueue(bytes.slice(at, at += 512));
    },
  });
};

/**
 * Packs a text: base64url of its deflate, or '' where the browser can't pack.
 * @param {string} text
 * @param {(data: string) => void} done
 */
export const pack = async (text, done) => {
  try {
    const packed = await gathered(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
    let chars = '';
    for (const byte of new Uint8Array(await packed.arrayBuffer())) chars += String.fromCharCode(byte);
    done(btoa(chars).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''));
  } catch {
    done('');
  }
};

/**
 * Unpacks what pack has made. Done gets null for damaged data, and for a text of more than most bytes.
 * @param {string} data
 * @param {number} most
 * @param {(text: string | null) => void} done
 */
export const unpack = async (data, most, done) => {
  /** @type {string | null} */
  let text = null;
  try {
    const bytes = Uint8Array.from(atob(data.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const unpacked = await gathered(inPieces(bytes).pipeThrough(new DecompressionStream('deflate-raw')), most);
    text = new TextDecoder('utf-8', {fatal: true}).decode(await unpacked.arrayBuffer());
  } catch { /* null says it */ }
  done(text);
};

/**
 * Puts a text on the clipboard.
 * @param {string} text
 * @param {(ok: boolean) => void} done
 */
export const copy = async (text, done) => {
  let ok = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // only a page from a safe origin has a clipboard
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById('link'));
    field?.select();
    ok = Boolean(field) && document.execCommand('copy');
  }
  done(ok);
};

/**
 * Gives the viewer a file.
 * @param {Blob | string} content
 * @param {string} name
 */
export const give = (content, name) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
