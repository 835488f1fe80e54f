// Makes the page work without a network after the first visit. The page itself
// comes from the network where that answers soon; what bears this version comes
// from the cache; traces are never kept.
'use strict';

const version = '%VERSION%';
const assets = %ASSETS%;
const cacheName = 'informerscope-' + version;
const patience = 2500;

const address = (name) => name === 'index.html' ? './' : name + '?v=' + version;

self.addEventListener('install', (e) => e.waitUntil((async () => {
  const cache = await caches.open(cacheName);
  await cache.addAll(assets.map((name) => new Request(address(name), {cache: 'reload'})));
  await self.skipWaiting();
})()));

self.addEventListener('activate', (e) => e.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith('informerscope-') && name !== cacheName) await caches.delete(name);
  }
  await self.clients.claim();
})()));

const page = async (request) => {
  const cache = await caches.open(cacheName);
  const kept = await cache.match('./');
  if (!kept) return fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  const fresh = fetch(request).then((r) => r.ok ? r : null, () => null);
  return await Promise.race([fresh, late]) || kept.clone();
};

self.addEventListener('fetch', (e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== 'GET' || url.origin !== location.origin) return;
  if (e.request.mode === 'navigate') {
    e.respondWith(page(e.request));
  } else if (url.searchParams.get('v') === version) {
    e.respondWith(caches.open(cacheName).then((c) => c.match(e.request)).then((kept) => kept || fetch(e.request)));
  }
});
