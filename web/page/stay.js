// Keeps where the viewer is while the page is reloaded: the text that the program gives, in the
// storage of this tab, and the files, with the service worker. A browser gives no page the files of
// another, but a service worker outlives a reload, and holds a file without reading it.

import {folder} from './site.js';
import {tried} from './storage.js';

const name = 'stay', mark = 'ended', trial = 'trial';

/** How long the service worker may take to give the files back, in milliseconds. */
const patience = 10_000;

/**
 * Keeps a text and files until the page is loaded again. Returns false where the browser does not keep the text.
 * @param {string} text
 * @param {(Blob[] | null)[]} files of several choices
 */
export const stay = (text, files) => tried(() => {
  const id = crypto.randomUUID();
  sessionStorage.setItem(name, JSON.stringify({text, id}));
  if (files.some(Boolean)) navigator.serviceWorker?.controller?.postMessage({leave: id, files});
  return true;
}, false);

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

/** Whether the browser had room for that. */
let room = true;

/**
 * Notes what stay would keep. It is for a program that ends before it can call stay. Returns false where the browser
 * would not keep the text.
 * @param {string} text '' for nothing
 * @param {(Blob[] | null)[]} files
 */
export const note = (text, files) => {
  const before = noted;
  noted = text ? {text, files} : null;
  if (text === before?.text) return room;
  room = tried(() => {
    sessionStorage.setItem(trial, text);
    sessionStorage.removeItem(trial);
    return true;
  }, false);
  return room;
};

/**
 * Keeps what was noted, for the program that follows one that has ended, and why that one ended.
 * Returns false where the browser forbids storage.
 * @param {string} why
 */
export const leaveNote = (why) => {
  if (noted) stay(noted.text, noted.files);
  return tried(() => {
    sessionStorage.setItem(mark, why);
    return true;
  }, false);
};

/** Whether this page was loaded again because its program had ended. */
export const follows = () => tried(() => sessionStorage.getItem(mark) !== null, false);

/** Why the program before this one ended, or ''. It is told once. */
export const ended = () => tried(() => {
  const why = sessionStorage.getItem(mark) ?? '';
  sessionStorage.removeItem(mark);
  return why;
}, '');

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
