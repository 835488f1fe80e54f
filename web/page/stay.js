// Keeps where the viewer is while he reloads the page: the text that the program gives, in the
// storage of this tab, and the files, with the service worker. A browser gives no page the files of
// another, but a service worker outlives a reload, and holds a file without reading it.

const name = 'stay';

/** How long the service worker may take to give the files back, in milliseconds. */
const patience = 1000;

/**
 * Keeps a text and files until the page is loaded again.
 * @param {string} text
 * @param {(Blob[] | null)[]} files of several choices
 */
export const stay = (text, files) => {
  try {
    const id = crypto.randomUUID();
    sessionStorage.setItem(name, JSON.stringify({text, id}));
    if (files.some(Boolean)) navigator.serviceWorker?.controller?.postMessage({leave: id, files});
  } catch { /* the browser may forbid storage */ }
};

/** @param {string} id @returns {Promise<(Blob[] | null)[] | null>} */
const filesOf = (id) => new Promise((resolve) => {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) {
    resolve(null);
    return;
  }
  const {port1, port2} = new MessageChannel();
  port1.onmessage = ({data}) => resolve(data);
  worker.postMessage({take: id}, [port2]);
  setTimeout(() => resolve(null), patience);
});

/** What stay kept, where this page is the same one loaded again; otherwise null. */
export const stayed = async () => {
  try {
    const kept = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    const [visit] = performance.getEntriesByType('navigation');
    const again = /** @type {PerformanceNavigationTiming | undefined} */ (visit)?.type;
    if (!kept || again !== 'reload' && again !== 'back_forward') return null;
    const {text, id} = JSON.parse(kept);
    return {text, files: await filesOf(id)};
  } catch {
    return null;
  }
};
