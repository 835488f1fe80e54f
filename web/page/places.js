// The elements of the stage by the names of their places, as data-place has them. Things travel
// between these (motion.js).

/** @type {Map<string, HTMLElement>} */
export const places = new Map();

/** Where a thing goes whose own place is not on the page. @type {Record<string, string>} */
const stations = {
  tape: 'server', loop: 'queue', store: 'store', cell: 'store', listener: 'processor', work: 'work', worker: 'work',
};

/**
 * The element of a place, or of the nearest place around it.
 * @param {string} name
 */
export const find = (name) => {
  for (let p = name; p; p = p.slice(0, Math.max(0, p.lastIndexOf('/')))) {
    const e = places.get(p);
    if (e?.getClientRects().length) return e; // it may be there, and not be shown
  }
  return places.get(stations[name.split('/')[0]]);
};
