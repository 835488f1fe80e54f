// Tells the program which version of the page runs here, and which one its server has by now. The
// build writes both into version.json; the folder of a version has the same name.
import {folder, site} from './site.js';

const own = folder.pathname.split('/').at(-2) ?? '';

/** The server is asked at most so often, in milliseconds, and only while somebody looks. */
const often = 10 * 60_000;

/**
 * Tells the versions at once, and again when the server has answered.
 * @param {(own: string, served: string, release: string, program: string) => void} tell release is
 *   the name of what is served: a tag, or a commit. program is the version of the informerscope that
 *   serves it, if that is another one
 */
export const version = (tell) => {
  tell(own, own, '', '');
  let asked = -often;
  const ask = async () => {
    if (document.hidden || performance.now() - asked < often) return;
    asked = performance.now();
    try {
      const answer = await fetch(new URL('version.json', site), {cache: 'no-cache'});
      if (!answer.ok) return;
      const served = await answer.json();
      tell(own, String(served.version ?? own), String(served.release ?? ''), String(served.program ?? ''));
    } catch { /* without a server there is nothing newer */ }
  };
  ask();
  document.addEventListener('visibilitychange', ask);
  setInterval(ask, often);
};
