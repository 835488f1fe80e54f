// Gives the engine's worker what reader.js reads of files and addresses, and
// gives bytes of it back later.
'use strict';

globalThis.informerscopeSource = (() => {
  // Lets other messages in, such as "cancel".
  const {port1, port2} = new MessageChannel();
  const turns = [];
  port1.onmessage = () => turns.shift()();
  const later = (f) => { turns.push(f); port2.postMessage(0); };

  // The reader of the next file is started once all of one has settled: with one
  // that is there, something is to be seen in half the time.
  let next = null;
  const start = () => {
    const reader = new Worker('reader.js?v=%VERSION%');
    reader.onerror = (e) => { e.preventDefault(); next = null; }; // whoever needs it tries again
    return reader;
  };
  const aReader = () => {
    const reader = next || start();
    next = null;
    return reader;
  };

  // open has a worker read what is named to it. It calls chunk(bytes, how much of
  // the input was read) for piece after piece, and then end(what went wrong, or
  // ''). What it returns stops that, and gives back bytes by their place in what
  // was unpacked: from the file itself, or as kept.js keeps them, and all of them
  // again, in smaller pieces. More promises what else the worker is told.
  const open = (reader, what, chunk, end, more = {}) => {
    let over = false, held = false;
    const come = [];
    // The reader fills it again. To one that has ended it is a way to let go of it.
    const giveBack = (bytes) => reader.postMessage(bytes.buffer, [bytes.buffer]);
    const kept = informerscopeKept(giveBack);
    const finish = (why) => {
      if (over) return;
      over = true;
      reader.terminate();
      end(why);
    };
    reader.onerror = (e) => { e.preventDefault(); finish(e.message || 'the worker that reads does not start'); };
    const take = ({bytes, keep, blob, read, done, why}) => {
      if (over) return;
      if (done) { finish(why); return; }
      chunk(bytes, read);
      if (keep && kept.append(bytes, blob)) reader.postMessage(null); else giveBack(bytes);
    };
    const takeAll = () => { while (!held && come.length) take(come.shift()); };
    reader.onmessage = ({data}) => { come.push(data); takeAll(); };
    Promise.resolve(more).then((more) => reader.postMessage({...what, ...more}), (error) => finish(String(error?.message || error)));
    const blob = () => kept.size() ? kept.blob() : what.blob || new Blob([]);
    return {
      cancel: () => { reader.onmessage = null; come.length = 0; reader.terminate(); later(() => finish('')); },
      hold: (on) => { held = on; if (!on) later(takeAll); },
      settle: () => {
        const moved = kept.settle();
        if (!moved) next ||= start();
        return moved;
      },
      again: (chunk, end) => open(start(), {blob: blob(), piece: 1 << 20}, chunk, end),
      blob,
      slice: (from, to) => kept.size() || !what.blob ? kept.slice(from, to) : new Uint8Array(new FileReaderSync().readAsArrayBuffer(what.blob.slice(from, to))),
    };
  };

  // The converting program is fetched and compiled when it is first needed, and
  // kept.
  let program = null;
  const compiled = async () => {
    try {
      program ??= fetchProgram();
      return {module: await program};
    } catch (error) {
      program = null;
      throw error;
    }
  };
  const fetchProgram = async () => {
    const response = await fetch('convert.wasm?v=%VERSION%');
    if (!response.ok) throw new Error(`convert.wasm: ${response.status}`);
    // Some plain static servers don't know the type that streaming asks for.
    const streams = (response.headers.get('Content-Type') || '').startsWith('application/wasm');
    return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  };

  return {
    converted: (files, options, chunk, end) => open(new Worker('convert.js?v=%VERSION%'), {files, options}, chunk, end, compiled()),
    blob: (blob, chunk, end) => open(aReader(), {blob, keep: true}, chunk, end),
    url: (url, chunk, end) => open(aReader(), {url, keep: true}, chunk, end),
    later,
  };
})();
