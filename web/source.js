// Reads files and addresses for the worker: unpacked where they are gzipped,
// and gathered to large pieces, because each one that wakes Go costs far more
// than its copying.
'use strict';

globalThis.informerscopeSource = (() => {
  const piece = 1 << 20;

  // Lets other messages in, such as "cancel".
  const {port1, port2} = new MessageChannel();
  const turns = [];
  port1.onmessage = () => turns.shift()();
  const later = (f) => { turns.push(f); port2.postMessage(0); };
  const turn = () => new Promise(later);

  // stream calls chunk(bytes, how much of the input was read) until it returns
  // false, and then done(zipped, error text or '').
  const stream = async (open, chunk, done) => {
    let zipped = false, reader = null;
    try {
      const body = await open();
      let read = 0;
      const first = body.getReader();
      let head = new Uint8Array(0), rest = null;
      while (head.length < 2 && !(rest = await first.read()).done) {
        const both = new Uint8Array(head.length + rest.value.length);
        both.set(head);
        both.set(rest.value, head.length);
        head = both;
      }
      read = head.length;
      zipped = head[0] === 0x1f && head[1] === 0x8b;
      let sent = false;
      const source = new ReadableStream({
        async pull(out) {
          if (!sent) { sent = true; if (head.length) { out.enqueue(head); return; } }
          const {value, done} = await first.read();
          if (done) { out.close(); return; }
          read += value.length;
          out.enqueue(value);
        },
        cancel(why) { return first.cancel(why); },
      });
      reader = (zipped ? source.pipeThrough(new DecompressionStream('gzip')) : source).getReader();
      let buffer = new Uint8Array(piece), filled = 0;
      // The first pieces are small, so that something is to be seen at once.
      let want = 1 << 16, going = true;
      const hand = async () => {
        going = chunk(buffer.subarray(0, filled), read);
        filled = 0;
        want = Math.min(piece, want * 4);
        await turn();
      };
      for (;;) {
        const {value, done} = await reader.read().catch(async (error) => {
          // A cut archive: what came out before the cut is good.
          if (filled) await hand();
          throw error;
        });
        if (done || !going) break;
        for (let at = 0; at < value.length && going;) {
          const n = Math.min(value.length - at, piece - filled);
          buffer.set(value.subarray(at, at + n), filled);
          filled += n;
          at += n;
          if (filled >= want || filled === piece) await hand();
        }
      }
      if (filled && going) await hand();
      done(zipped, '');
    } catch (error) {
      done(zipped, String(error?.message || error));
    } finally {
      reader?.cancel().catch(() => {});
    }
  };

  return {
    blob: (blob, chunk, done) => stream(() => blob.stream(), chunk, done),
    url: (url, chunk, done) => stream(async () => {
      const r = await fetch(url);
      if (!r.ok) throw new Error(`${r.status} ${r.statusText}`);
      return r.body;
    }, chunk, done),
    later,
    slice: (blob, from, to) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(from, to))),
  };
})();
