// Makes the page work without a network after the first visit. All of this version's files are
// kept. The address of each names the version, so old and new pages are never given each other's
// files. The page itself comes from the network where that answers soon.
'use strict';

/** @typedef {ServiceWorkerGlobalScope & typeof globalThis} Scope */
const scope = /** @type {Scope} */ (/** @type {unknown} */ (self));

const site = new URL('./', location.href).href;
const folder = site + '%VERSION%/';
const patience = 2500; // milliseconds
const together = 3; // files that are fetched at once

/** The folder of a version that an address lies in, or ''. @param {string} url */
const folderOf = (url) => {
  const name = url.startsWith(site) && /^[0-9a-f]{12}\//.exec(url.slice(site.length));
  return name ? site + name[0] : '';
};

// Caches are named by folders, so no two copies of the page on one origin share any.
const install = async () => {
  const list = await fetch(folder + 'files.json');
  const page = await fetch(site, {cache: 'no-cache'});
  const frame = await fetch(site + 'embed.html', {cache: 'no-cache'});
  if (!list.ok || !page.ok || page.redirected) throw new Error(`files.json: ${list.status}, ./: ${page.status}`);
  // The server may have gone on to another version meanwhile. Then this one is not worth keeping.
  if (!(await page.clone().text()).includes(folder.slice(site.length))) throw new Error('the page is of another version');
  const names = ['files.json', ...Object.keys(await list.json())];
  const cache = await caches.open(folder);
  // A few at a time: a browser has six connections to a server, and the page needs some.
  for (let i = 0; i < names.length; i += together) {
    await cache.addAll(names.slice(i, i + together).map((name) => folder + name));
  }
  await cache.put(site, page);
  if (frame.ok && !frame.redirected) await cache.put(site + 'embed.html', frame);
  await scope.skipWaiting();
};

// Deletes the caches of other versions, unless a page of theirs is open or a newer service worker
// fills one: these hold the lock of their version.
const tidy = async () => {
  const updates = () => scope.registration.installing || scope.registration.waiting;
  for (const name of await caches.keys()) {
    if (name === folder || folderOf(name) !== name) continue;
    await navigator.locks.request(name, {ifAvailable: true}, async (lock) => {
      if (lock && !updates()) await caches.delete(name);
    });
  }
};

/** Answers a visit of a page. @param {Request} request @param {string} page is its address */
const visit = async (request, page) => {
  const kept = await caches.match(page, {cacheName: folder});
  if (!kept) return fetch(request);
  /** @type {Promise<null>} */
  const late = new Promise((resolve) => { setTimeout(() => resolve(null), patience); });
  const fresh = fetch(request).then((r) => r.ok || r.type === 'opaqueredirect' ? r : null, () => null);
  return await Promise.race([fresh, late]) || kept;
};

/** Answers a request for a file of any version. @param {Request} request */
const file = async (request) =>
  await caches.match(request, {cacheName: folderOf(request.url), ignoreVary: true}) || fetch(request);

scope.addEventListener('install', (e) => e.waitUntil(navigator.locks.request(folder, {mode: 'shared'}, install)));

scope.addEventListener('activate', (e) => e.waitUntil(Promise.all([scope.clients.claim(), tidy()])));

// The files that pages leave here while they are reloaded. Nothing is written anywhere, and what
// isn't taken again soon is forgotten.
/** @type {Map<string, Blob[]>} */
const left = new Map();

scope.addEventListener('message', (e) => {
  const {leave, files, take} = e.data;
  if (leave) {
    left.set(leave, files);
    e.waitUntil(new Promise((resolve) => { setTimeout(resolve, 20_000); }).then(() => left.delete(leave)));
  } else if (take) {
    e.ports[0].postMessage(left.get(take) ?? null);
    left.delete(take);
  }
});

scope.addEventListener('fetch', (e) => {
  const {method, mode, url} = e.request;
  if (method !== 'GET') return;
  if (folderOf(url)) {
    e.respondWith(file(e.request));
    return;
  }
  const path = url.replace(/[?#].*/s, '');
  if (mode === 'navigate' && [site, site + 'index.html', site + 'embed.html'].includes(path)) {
    e.respondWith(visit(e.request, path.endsWith('/embed.html') ? path : site));
    e.waitUntil(tidy());
  }
});
