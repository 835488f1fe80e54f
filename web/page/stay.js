// Keeps where the viewer is while the page is reloaded: the text that the program gives, in the
// storage of this tab, and the files, with the service worker. A browser gives no page the files of
// another, but a service worker outlives a reload, and holds a file without reading it.

import {folder} from './site.js';

const name = 'stay', mark = 'ended';

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

/**
 * Puts the file of this version at a path, or with '' the files of another choice, before files: a reload opens them
 * together.
 * @param {string} path
 * @param {Blob[]} under
 * @param {Blob[]} files
 */
export const layOver = async (path, under, files) => {
  files.unshift(...path ? [await (await fetch(new URL(path, folder))).blob()] : under);
};

/** What would be kept now. @type {{text: string, files: (Blob[] | null)[]} | null} */
let noted = null;

/**
 * Notes what stay would keep. It is for a program that ends before it can call stay.
 * @param {string} text '' for nothing
 * @param {(Blob[] | null)[]} files
 */
export const note = (text, files) => { noted = text ? {text, files} : null; };

/**
 * Keeps what was noted, for the program that follows one that has ended, and why that one ended.
 * Returns false where the browser forbids storage.
 * @param {string} why
 */
export const leaveNote = (why) => {
  if (noted) stay(noted.text, noted.files);
  try {
    sessionStorage.setItem(mark, why);
    return true;
  } catch {
    return false;
  }
};

/** Whether this page was loaded again because its program had ended. */
export const follows = () => {
  try {
    return sessionStorage.getItem(mark) !== null;
  } catch {
    return false;
  }
};

/** Why the program before this one ended, or ''. It is told once. */
export const ended = () => {
  try {
    const why = sessionStorage.getItem(mark) ?? '';
    sessionStorage.removeItem(mark);
    return why;
  } catch {
    return '';
  }
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
