// Lets the program that opened the page know for how long it is open: informerscope open ends
// when the page is closed.
import {site} from './site.js';

// All ports of a host share their cookies, so the cookie's name has the port.
const cookie = `informerscope-${location.port || '80'}-held=`;

/** Asks for an answer without an end, if a program waits for that. One tab asks for all of them: a browser has six connections to a server. */
export const held = () => {
  if (!document.cookie.split('; ').some((c) => c.startsWith(cookie))) return;
  const ask = async () => {
    try {
      const answer = await fetch(new URL('opened/held', site));
      if (answer.ok) await answer.body?.pipeTo(new WritableStream());
    } catch { /* the program has ended */ }
  };
  navigator.locks?.request('held', ask).catch(ask); // a browser that forbids storage has no locks
};
