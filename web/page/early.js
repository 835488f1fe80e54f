// Begins what takes longest as soon as this script is here, while the document is still parsed and painted: the
// program is fetched and compiled once, and a worker for the engine starts, which gets the compiled module.
import {compile} from '../program.js';
import {start} from './workers.js';

/** The page is the one for frames of other pages. */
export const embedded = 'embed' in document.documentElement.dataset;

// A server's header keeps this page out of frames. Where there is no such header, the page itself
// refuses: a page around it could have the viewer press something unseen.
export const framed = window.top !== window && !embedded;

/** @type {Promise<WebAssembly.Module>} */
export const module = framed ? new Promise(() => { /* it is never started */ }) : compile('informerscope.wasm');

/** Starts a worker for the engine, which runs the program as soon as it is compiled. */
export const prepare = () => {
  const {port1: port, port2} = new MessageChannel();
  const {worker, end: stop} = start('engine');
  const dead = Promise.withResolvers();
  worker.onerror = (e) => {
    e.preventDefault();
    dead.resolve(e.message || 'the worker does not start');
  };
  module.then((compiled) => worker.postMessage({module: compiled, port: port2, embedded}, [port2]), () => { /* boot.js tells */ });
  return {port, stop, dead: /** @type {Promise<string>} */ (dead.promise)};
};

/** The first worker. */
export const prepared = framed ? null : prepare();
