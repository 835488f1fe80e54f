// Has the service worker (sw.js) keep this version's files, so that the page works without its
// server, and tells the program how that goes.
import {folder, script} from './site.js';

// As long as this page is open, no service worker may throw its version's files away.
navigator.locks?.request(folder.href, {mode: 'shared'}, () => new Promise(() => { /* never ends */ }))
  .catch(() => { /* a browser that forbids storage has none, and no service worker */ });

/** @typedef {'keeping' | 'kept' | 'unable'} State */

/** How many files of this version there are beside the list of them, and their bytes. */
const expected = async () => {
  const response = await fetch(new URL('files.json', folder));
  if (!response.ok) throw new Error(`files.json: ${response.status}`);
  /** @type {number[]} */
  const sizes = Object.values(await response.json());
  return {count: sizes.length, bytes: sizes.reduce((a, b) => a + b, 0)};
};

/** Whether the cache holds that many files of this version. @param {number} count */
const holds = async (count) => {
  if (!await caches.has(folder.href)) return false;
  const names = await (await caches.open(folder.href)).keys();
  return names.filter((r) => r.url.startsWith(folder.href)).length === count + 1;
};

/**
 * Keeps the files. Tell is called at once, and again when the state changes.
 * @param {(state: State, bytes: number) => void} tell
 */
export const keep = async (tell) => {
  const workers = navigator.serviceWorker;
  if (!workers) {
    tell('unable', 0);
    return;
  }
  try {
    const {count, bytes} = await expected();
    const look = async () => {
      const kept = await holds(count);
      tell(kept ? 'kept' : 'keeping', bytes);
      return kept;
    };
    const registration = await workers.register(script('offline'));
    const follow = () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', async () => {
        if (!await look() && worker.state === 'redundant') tell('unable', 0);
      });
    };
    follow();
    registration.addEventListener('updatefound', follow);
    await look();
  } catch {
    tell('unable', 0);
  }
};
