// Where the files of this version lie, and which of them are started as workers. A folder that is named
// after the content of the files holds all of them, so no page can mix two versions.
//
// The build copies this script into its bundles. Each bundle lies in a folder of the version's folder.

/** The folder of this version. Its address also names its cache (sw.js) and its lock. */
export const folder = new URL('../', import.meta.url);

/** The folder of the page itself, one above. */
export const site = new URL('../', folder);

/** @typedef {'engine' | 'reader' | 'digest' | 'convert' | 'gif' | 'offline'} Script */

/** The only scripts that a script may start. @type {Record<Script, URL>} */
const scripts = {
  engine: new URL('worker/engine.js', folder),
  reader: new URL('worker/reader.js', folder),
  digest: new URL('worker/digest.js', folder),
  convert: new URL('worker/convert.js', folder),
  gif: new URL('worker/gif.js', folder),
  offline: new URL('sw.js', site),
};

/** @param {string} name */
const addressOf = (name) => {
  if (!Object.hasOwn(scripts, name)) throw new TypeError(`the project has no script named ${JSON.stringify(name)}`);
  return scripts[/** @type {Script} */ (name)].href;
};

// The page's Content-Security-Policy has the browser refuse strings as the addresses of scripts.
// This is the one Trusted Types policy that the page's policy lets a script create.
const policy = globalThis.trustedTypes?.createPolicy('informerscope', {createScriptURL: addressOf});

/**
 * The address of a script, in the form that the browser takes.
 * @param {Script} name
 */
export const script = (name) => policy ? policy.createScriptURL(name) : addressOf(name);

/**
 * What an error says, whatever was thrown.
 * @param {any} error
 * @returns {string}
 */
export const reason = (error) => String(error?.message || error);

/**
 * An error of ours: with an id and arguments, which the page says in its language, and in English. The
 * catalogues have it under "error." and the id.
 * @param {string} id
 * @param {Record<string, string>} args
 * @param {string} english
 */
export const fault = (id, args, english) => Object.assign(new Error(english), {
  said: JSON.stringify({id, args: Object.entries(args).map(([name, text]) => ({name, text}))}),
});

/**
 * The id and the arguments of an error, as JSON, or '' for one that isn't ours.
 * @param {any} error
 * @returns {string}
 */
export const said = (error) => String(error?.said ?? '');
