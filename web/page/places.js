// The elements of the stage by the names of their places, as data-place has them. Things travel
// between these (motion.js).

/** @type {Map<string, HTMLElement>} */
export const places = new Map();
