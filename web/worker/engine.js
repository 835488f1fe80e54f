// The engine's worker: the same program as the page's, told by its role to read traces and run the
// engine.
import {run} from '../program.js';
import {pass} from '../page/console.js';
import {reason} from '../page/site.js';
import * as live from './live.js';
import * as source from './source.js';

// In a frame of another page there is no way to an API server.
/** @type {Pick<typeof live, 'get' | 'clusters'>} */
const offline = {
  clusters: () => [],
  get: (_url, _accept, _head, _data, end) => {
    end('not in a frame');
    return () => { /* nothing was asked for */ };
  },
};

/** @typedef {{bytes: Uint8Array, files: Blob[] | null}} Request */

// The first message brings the compiled program and the port that requests come through.
onmessage = async ({data: {module, port, embedded}}) => {
  onmessage = null;
  // What comes before the program is ready waits.
  /** @type {Request[]} */
  const early = [];
  /** @type {(request: Request) => void} */
  let receive = (request) => { early.push(request); };
  port.onmessage = (/** @type {MessageEvent<Request>} */ e) => receive(e.data);

  pass((line) => port.postMessage({told: 'engine: ' + line})); // for the report of a problem

  source.program.page = module;

  // What wasm/dom calls: the one global of the project.
  globalThis.informerscope = {
    role: 'engine',
    source,
    live: embedded ? {...live, ...offline} : live,
    /** @param {Uint8Array} bytes */
    reply: (bytes) => port.postMessage({bytes}, [bytes.buffer]),
    /**
     * Gives the viewer bytes as a file, gzipped if its name says so.
     * @param {Blob} blob
     * @param {string} name
     * @param {(size: number, why: string) => void} done
     */
    give: async (blob, name, done) => {
      try {
        const file = name.endsWith('.gz') ? await live.pack(blob) : blob;
        port.postMessage({file, name});
        done(file.size, '');
      } catch (error) {
        done(0, reason(error));
      }
    },
    /** @param {(request: Request) => void} take */
    serve: (take) => {
      receive = take;
      early.splice(0).forEach(take);
    },
  };
  try {
    await run(module);
    port.postMessage({died: 'the program ended'});
  } catch (error) {
    port.postMessage({died: reason(error), memory: /** @type {any} */ (error)?.memory ?? 0});
  }
};
