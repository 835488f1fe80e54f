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

  // Puts back what was looked at of a stream, and counts what is read of it.
  const counted = (head, rest, count) => {
    let sent = head.length === 0;
    return new ReadableStream({
      async pull(out) {
        if (!sent) { sent = true; out.enqueue(head); return; }
        const {value, done} = await rest.read();
        if (done) { out.close(); return; }
        count(value.length);
        out.enqueue(value);
      },
      cancel: (why) => rest.cancel(why),
    });
  };

  const firstBytes = async (reader, n) => {
    let head = new Uint8Array(0);
    while (head.length < n) {
      const {value, done} = await reader.read();
      if (done) break;
      const both = new Uint8Array(head.length + value.length);
      both.set(head);
      both.set(value, head.length);
      head = both;
    }
    return head;
  };

  // open calls chunk(bytes, how much of the input was read) for piece after
  // piece, and then end(what went wrong, or ''). What it returns stops that, and
  // gives back bytes by their place in what was unpacked: from the file itself,
  // or from blobs that the browser may keep on disk.
  const open = (stream, file, chunk, end) => {
    let stopped = false, reader = null, plain = file, kept = [], whole = null;
    const run = async () => {
      let read = 0;
      const raw = (await stream()).getReader();
      const head = await firstBytes(raw, 2);
      read = head.length;
      const zipped = head[0] === 0x1f && head[1] === 0x8b;
      if (zipped) plain = null;
      const bytes = counted(head, raw, (n) => { read += n; });
      reader = (zipped ? bytes.pipeThrough(new DecompressionStream('gzip')) : bytes).getReader();
      const buffer = new Uint8Array(piece);
      // The first pieces are small, so that something is to be seen at once.
      let filled = 0, want = 1 << 16;
      const hand = async () => {
        if (!filled || stopped) return;
        const part = buffer.subarray(0, filled);
        if (!plain) kept.push(new Blob([part]));
        chunk(part, read);
        filled = 0;
        want = Math.min(piece, want * 4);
        await turn();
      };
      try {
        while (!stopped) {
          const {value, done} = await reader.read();
          if (done) break;
          for (let at = 0; at < value.length && !stopped;) {
            const n = Math.min(value.length - at, piece - filled);
            buffer.set(n === value.length ? value : value.subarray(at, at + n), filled);
            filled += n;
            at += n;
            if (filled >= want) await hand();
          }
          // Gives the memory back now. The collector would let some 60 MB of such
          // pieces gather first, because it doesn't see how large they are.
          value.buffer.transfer?.(0);
        }
      } finally {
        await hand(); // of a cut archive, what came out before the cut
      }
    };
    run().then(() => end(''), (error) => end(String(error?.message || error))).finally(() => reader?.cancel().catch(() => {}));
    return {
      cancel: () => { stopped = true; reader?.cancel().catch(() => {}); },
      slice: (from, to) => {
        if (kept.length > (whole?.parts ?? 0)) whole = {parts: kept.length, blob: new Blob(kept)};
        const blob = plain || whole?.blob || new Blob([]);
        return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(from, to)));
      },
    };
  };

  return {
    blob: (blob, chunk, end) => open(async () => blob.stream(), blob, chunk, end),
    url: (url, chunk, end) => open(async () => {
      const r = await fetch(url);
      if (!r.ok) throw new Error(`${r.status} ${r.statusText}`);
      return r.body;
    }, null, chunk, end),
    later,
  };
})();
