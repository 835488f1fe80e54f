// The worker's side of the program: the same module as the page's, told by
// informerscopeRole to read traces and run the engine.
'use strict';

self.informerscopeRole = 'worker';
importScripts('wasm_exec.js?v=%VERSION%', 'kept.js?v=%VERSION%', 'source.js?v=%VERSION%', 'live.js?v=%VERSION%');

self.onmessage = async ({data}) => {
  self.onmessage = null;
  const early = [];
  self.informerscopeInbox = (message) => early.push(message);
  data.port.onmessage = (e) => self.informerscopeInbox(e.data);
  self.informerscopePort = data.port;
  self.informerscopeReady = (receive) => {
    self.informerscopeInbox = receive;
    early.splice(0).forEach(receive);
  };
  const go = new Go();
  try {
    await go.run(await WebAssembly.instantiate(data.module, go.importObject));
    data.port.postMessage({died: 'the program ended'});
  } catch (error) {
    data.port.postMessage({died: String(error?.message || error)});
  }
};
