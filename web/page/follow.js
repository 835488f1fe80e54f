// Keeps what happens in sight where the stage scrolls, as on a phone.
import {find} from './places.js';

/** The step that was followed last, so that scrolling by hand lasts until the next one. */
let last = '';

/** The step on the page, and the lesson that it belongs to. */
const step = () => {
  const {step, lesson} = document.documentElement.dataset;
  return `${step ?? ''} ${lesson ?? ''}`;
};

/** Where the stage stood when the step had been followed. The viewer has scrolled if it stands elsewhere. */
let left = -1;

/** @param {Element} stage */
const scrolls = (stage) => stage.scrollHeight > stage.clientHeight + 1 && getComputedStyle(stage).overflowY !== 'visible';

/**
 * Scrolls the stage as little as possible, so that these stations are in sight. The last one comes
 * first where not all of them have room.
 * @param {(Element | null | undefined)[]} stations
 */
const bring = (stations) => {
  const stage = document.querySelector('main');
  if (!stage || !scrolls(stage)) return;
  const view = stage.getBoundingClientRect(), room = 12;
  for (const station of stations) {
    if (!station) continue;
    const r = station.getBoundingClientRect(), v = view;
    const above = r.top - room - v.top, below = r.bottom + room - v.bottom;
    const by = above < 0 || r.height + 2 * room > v.height ? above : Math.max(0, below);
    if (by < 0 || below > 0) stage.scrollBy({top: by, behavior: 'instant'});
  }
};

/**
 * Brings into sight what is about to move, before it is measured: the stations between which it
 * goes, and then the very place where it arrives, since a station may be larger than the window.
 * @param {{from: string, to: string}[]} moves
 */
export const followMoves = (moves) => {
  if (!moves.length) return;
  const {from, to} = moves[0], goals = moves.map((move) => find(move.to)).reverse();
  bring([find(from)?.closest('[data-station]'), find(to)?.closest('[data-station]'), ...goals]);
};

/**
 * The listener in whose ring notifications wait, the first one of several.
 * @param {Element | null} within
 */
const behind = (within) => within?.querySelector('.ring[data-full]')?.closest('.lane');

/**
 * Brings into sight the station at which the step on the page was made. Where a lesson has its stations alone, and isn't about
 * that one, or it is a process loop that waits again, the last of them comes, which has what the step before left. In a lesson
 * that has no use for that one in the whole machine, the first one comes that it needs. A processor has a lane for each listener, and the one that is behind is looked for.
 */
const followStep = () => {
  const {lesson} = document.documentElement.dataset;
  const now = document.querySelector('main')?.dataset.now, station = now && document.querySelector(`.station[data-station=${now}]${lesson ? ':not(.aside)' : ''}`);
  const alone = [...document.querySelectorAll('.taught .station:not(.aside)')].pop();
  const needed = alone || (lesson && document.querySelector('.station:not(.aside)'));
  if (station && !(alone && now === 'loop' && !station.querySelector('[data-full]'))) bring([station, behind(station)]);
  else if (needed) bring([needed, behind(document.querySelector('main'))]);
  left = document.querySelector('main')?.scrollTop ?? -1;
};

/** Follows the step again where the stage gets another size, as when a lesson's text comes below it. */
const sizes = new ResizeObserver(() => { if (document.querySelector('main')?.scrollTop === left) followStep(); });

/**
 * Follows a new step, after the page has changed.
 * @param {boolean} moved whether what moves was brought into sight before
 */
export const followed = (moved) => {
  if (step() === last) return;
  last = step();
  left = -1;
  const stage = document.querySelector('main');
  if (stage) sizes.observe(stage);
  // Before the next painting the browser lays the page out anyway.
  if (!moved) requestAnimationFrame(followStep);
};

// What scrolls along: a second machine's stage shows the same part as the first one's.
document.addEventListener('scroll', ({target}) => {
  if (!(target instanceof HTMLElement)) return;
  if (target.className === 'write-text') { // the numbers of its lines stand over it
    /** @type {Element} */ (target.previousElementSibling).scrollTop = target.scrollTop;
    return;
  }
  if (target.tagName !== 'MAIN') return;
  const second = document.querySelector('.beside > .stage');
  const room = target.scrollHeight - target.clientHeight;
  if (second && room > 0) second.scrollTop = target.scrollTop / room * (second.scrollHeight - second.clientHeight);
}, {capture: true, passive: true});
