// Lets the arrow keys go from tile to tile in a grid of buttons, an element with data-grid. One of
// its tiles is in the order of Tab: the one that had the focus last.

/** How far each key goes, in tiles and in rows. @type {Record<string, [number, number]>} */
const ways = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-Infinity, 0], End: [Infinity, 0],
};

/**
 * The tiles of the grid that an element is in.
 * @param {EventTarget | null} target
 * @returns {HTMLElement[]}
 */
const tilesAround = (target) => {
  const grid = target instanceof HTMLElement && target.closest('[data-grid]');
  return grid ? [...grid.querySelectorAll('button')] : [];
};

/** @param {KeyboardEvent} e */
const move = (e) => {
  const way = ways[e.key];
  if (!way || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
  const tiles = tilesAround(e.target), at = tiles.findIndex((tile) => tile === e.target);
  if (at < 0) return;
  e.preventDefault();
  e.stopPropagation(); // the page's program would take it for a step
  const top = tiles[0].offsetTop, second = tiles.findIndex((tile) => tile.offsetTop > top);
  const to = at + way[0] + way[1] * (second < 0 ? tiles.length : second);
  if (way[1] && !tiles[to]) return;
  tiles[Math.min(Math.max(to, 0), tiles.length - 1)].focus();
};

/** @param {FocusEvent} e */
const focused = (e) => {
  const tiles = tilesAround(e.target);
  if (!tiles.length) return;
  for (const tile of tiles) {
    if (tile.tabIndex === 0) tile.tabIndex = -1;
  }
  /** @type {HTMLElement} */ (e.target).tabIndex = 0;
};

/** Listens. Must be called before the page's program listens. */
export const grids = () => {
  addEventListener('keydown', move, true);
  addEventListener('focusin', focused, true);
};
