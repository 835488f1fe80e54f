// Two releases of client-go, as a viewer chooses them: a select of the minor versions for each, and one of the patch
// releases beside it. A name such as v0.32 means the last patch release of that minor, as everywhere.

/** @typedef {{name: string, last: number, called?: string, beta?: string}} Minor a minor version, and the number of its last patch release; of one that has only a pre-release also what it is called, and the end of the pre-release's name */
/** @typedef {{minor: HTMLSelectElement, patch: HTMLSelectElement}} Release where a release is chosen */

/**
 * Offers the patch releases of the minor that is chosen, and chooses the last.
 * @param {Minor[]} minors @param {Release} release
 */
const offer = (minors, {minor, patch}) => {
  const {last, beta} = minors[minor.selectedIndex];
  patch.replaceChildren(...Array.from({length: last + 1}, (_, n) => new Option(beta || `.${n}`)));
  patch.selectedIndex = last;
};

/** The newest minor that has been released. @param {Minor[]} minors */
export const newest = (minors) => minors.filter(({beta}) => !beta).slice(-1)[0].name;

/**
 * Chooses the release of a name. A patch release that is newer than the last known one counts as that.
 * @param {Minor[]} minors @param {Release} release @param {string} name
 * @returns {boolean} whether there is such a release
 */
export const choose = (minors, release, name) => {
  const parts = /^(v0\.\d+)(?:\.(\d+))?$/.exec(name);
  const at = minors.findIndex((minor) => minor.name === parts?.[1]);
  if (at < 0) return false;
  release.minor.selectedIndex = at;
  offer(minors, release);
  const number = parts?.[2];
  if (number !== undefined && Number(number) < minors[at].last) release.patch.selectedIndex = Number(number);
  return true;
};

/**
 * The names of two releases, as an address has them.
 * @param {Minor[]} minors @param {Release[]} both
 */
export const address = (minors, both) => both.map(({minor, patch}) => {
  const {name, last} = minors[minor.selectedIndex];
  return patch.selectedIndex === last ? name : `${name}.${patch.selectedIndex}`;
}).join('-');

/**
 * Reports whether two releases differ in a gate. Has tells for each minor from which patch release on it has the gate
 * as the newest release has it, or is - where it never has.
 * @param {string} has @param {Release[]} both
 */
export const differ = (has, both) => {
  const [a, b] = both.map(({minor, patch}) => {
    const from = has.split(' ')[minor.selectedIndex];
    return from !== '-' && patch.selectedIndex >= Number(from);
  });
  return a !== b;
};

/**
 * Calls changed when the viewer has chosen another release.
 * @param {Minor[]} minors @param {Release[]} both @param {() => void} changed
 */
export const listen = (minors, both, changed) => {
  for (const release of both) {
    release.minor.addEventListener('change', () => {
      offer(minors, release);
      changed();
    });
    release.patch.addEventListener('change', changed);
  }
};
