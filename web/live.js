// What a live trace needs of the browser, in the engine's worker: answers as they
// come, a place for what they bring, and a file of it in the end.
'use strict';

globalThis.informerscopeLive = (() => {
  // get calls head(status, content type, retry after), data(bytes) as often as
  // there is more, and end(what went wrong, or ''). What it returns gives it up.
  const get = (url, accept, head, data, end) => {
    const stop = new AbortController();
    let over = false;
    const headers = {Accept: accept};
    // API servers since v1.37 gzip a streaming list, and begin anew with each part
    // of it: browsers unpack the first, and say nothing of all that follows. Who
    // asks for a range, which API servers know nothing of, is sent it as it is.
    if (url.includes('sendInitialEvents=')) headers.Range = 'bytes=0-';
    const run = async () => {
      // Without cookies: whoever serves the page is who may ask the API server.
      const r = await fetch(url, {headers, cache: 'no-store', credentials: 'omit', redirect: 'error', signal: stop.signal});
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
    const finish = (why) => { if (!over) { over = true; end(why); } };
    run().then(() => finish(''), (error) => finish(String(error?.message || error)));
    return () => { over = true; stop.abort(); };
  };

  // A store keeps bytes in blobs of a good size: the browser may put these on
  // disk. What was added last is still here.
  const store = () => {
    const enough = 1 << 20;
    let parts = [], length = 0, recent = [], recently = 0, whole = null;
    const settle = () => {
      if (recently) { parts.push(new Blob(recent)); recent = []; recently = 0; whole = null; }
    };
    return {
      append: (bytes) => {
        recent.push(bytes);
        recently += bytes.length;
        length += bytes.length;
        whole = null;
        if (recently >= enough) settle();
      },
      size: () => length,
      blob: () => { settle(); whole ??= new Blob(parts); return whole; },
      slice(from, to) { return new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.blob().slice(from, to))); },
    };
  };

  // give sends what is stored to the page, gzipped, as a file to be kept.
  const give = async (blob, name, done) => {
    try {
      const packed = await new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
      self.informerscopePort.postMessage({file: packed, name});
      done(packed.size, '');
    } catch (error) {
      done(0, String(error?.message || error));
    }
  };

  // Where a proxy that serves the page has the API server: informerscope serve
  // and kubectl proxy --www-prefix=/ --api-prefix=/k8s/ beside the page, and
  // kubectl proxy --www at the site's root.
  const clusters = () => [...new Set([new URL('k8s', location.href).href, location.origin])];

  return {get, store, give, clusters};
})();
