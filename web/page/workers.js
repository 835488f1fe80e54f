// Starts the workers of the page, and those that its workers ask for (worker/start.js). Only
// the page does so. In Firefox 153, new Worker in a worker sometimes never returned, after 1 to
// 400 calls, and that worker stood still. On a page it always returned.
import {script} from './site.js';

/** @typedef {import('./site.js').Script} Script */

/**
 * Starts a worker. A worker that it asks for is ended with it.
 * @param {Exclude<Script, 'offline'>} name
 */
export const start = (name) => {
  const worker = new Worker(script(name), {type: 'module'});
  /** Its own workers, by the numbers that it gave them. @type {Map<number, {end: () => void}>} */
  const helpers = new Map();
  worker.addEventListener('message', ({data}) => {
    if (data?.start) {
      const {start: kind, id, port} = data;
      const helper = start(kind);
      helpers.set(id, helper);
      helper.worker.onerror = (e) => {
        e.preventDefault();
        worker.postMessage({broken: id, why: e.message || 'the worker does not start'});
      };
      helper.worker.postMessage({port}, [port]);
    } else if (data?.end) {
      helpers.get(data.end)?.end();
      helpers.delete(data.end);
    }
  });
  const end = () => {
    worker.terminate();
    for (const helper of helpers.values()) helper.end();
    helpers.clear();
  };
  return {worker, end};
};
