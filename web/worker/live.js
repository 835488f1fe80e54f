// What a live trace needs of the browser, in the engine's worker: answers as they come, a place to
// keep them, and a file of them in the end.
import {folder, reason, site} from '../page/site.js';
import {readKept} from './kept.js';

/**
 * Asks for an address; a relative one is among the page's own files.
 * @param {string} url
 * @param {string} accept
 * @param {(status: number, contentType: string, retryAfter: string) => void} head is called once
 * @param {(bytes: Uint8Array) => void} data is called as often as there is more
 * @param {(why: string) => void} end is called last, with what went wrong or ''
 * @returns a function that gives the request up; nothing is called after that
 */
export const get = (url, accept, head, data, end) => {
  const stop = new AbortController();
  let over = false;
  /** @type {Record<string, string>} */
  const headers = {Accept: accept};
  // API servers since v1.37 gzip a streaming list, and begin a new gzip member with each part of
  // it. Browsers unpack the first member and drop the others without a word. A request for a range
  // is answered unpacked, and API servers ignore the range itself.
  if (url.includes('sendInitialEvents=')) headers.Range = 'bytes=0-';
  const read = async () => {
    // Only the site's own cookies are sent: informerscope serve gives the browser its key in one.
    const r = await fetch(new URL(url, folder), {headers, cache: 'no-store', credentials: 'same-origin', redirect: 'error', signal: stop.signal});
    if (over) return;
    head(r.status, r.headers.get('Content-Type') || '', r.headers.get('Retry-After') || '');
    if (!r.body) return;
    const reader = r.body.getReader();
    while (!over) {
      const {value, done} = await reader.read();
      if (done || over) break;
      data(value);
    }
  };
  /** @param {string} why */
  const finish = (why) => {
    if (over) return;
    over = true;
    end(why);
  };
  read().then(() => finish(''), (error) => finish(reason(error)));
  return () => {
    over = true;
    stop.abort();
  };
};

/** Returns a store of bytes, in Blobs of a good size. The bytes added last are still in memory. */
export const store = () => {
  const enough = 1 << 20;
  /** @type {Blob[]} */
  const parts = [];
  let length = 0, recently = 0;
  /** @type {Uint8Array<ArrayBuffer>[]} */
  let recent = [];
  /** @type {Blob | null} */
  let whole = null;
  const settle = () => {
    if (!recently) return;
    parts.push(new Blob(recent));
    recent = [];
    recently = 0;
    whole = null;
  };
  const blob = () => {
    settle();
    whole ??= new Blob(parts);
    return whole;
  };
  return {
    /** @param {Uint8Array<ArrayBuffer>} bytes */
    append: (bytes) => {
      recent.push(bytes);
      recently += bytes.length;
      length += bytes.length;
      whole = null;
      if (recently >= enough) settle();
    },
    size: () => length,
    blob,
    /** @param {number} from @param {number} to */
    slice: (from, to) => readKept(blob().slice(from, to)),
  };
};

/** The same, gzipped. @param {Blob} blob */
export const pack = (blob) => new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();

/**
 * The addresses at which a proxy that serves the page may have the API server. "informerscope
 * serve" and "kubectl proxy --www-prefix=/ --api-prefix=/k8s/" have it beside the page, "kubectl
 * proxy --www" at the root of the site.
 */
export const clusters = () => [...new Set([new URL('k8s', site).href, location.origin])];
