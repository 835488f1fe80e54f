// What the browser keeps for the page. It may forbid that, or have no room for more: then a use of storage throws, and
// even to ask for the storage may.

/**
 * What a use of storage returns, or otherwise where it throws.
 * @template T
 * @param {() => T} use
 * @param {T} otherwise
 */
export const tried = (use, otherwise) => {
  try {
    return use();
  } catch {
    return otherwise;
  }
};

/** A setting of another visit, or ''. @param {string} name */
export const saved = (name) => tried(() => localStorage.getItem(name), null) ?? '';

/** Keeps a setting for other visits. Returns whether the browser does. @param {string} name @param {string} value */
export const save = (name, value) => tried(() => {
  localStorage.setItem(name, value);
  return true;
}, false);

/** Whether the browser keeps settings. */
export const keeps = () => save('probe', 'x') && tried(() => {
  localStorage.removeItem('probe');
  return true;
}, false);
