// Takes pictures of the stage, for slides and handouts. The page fetches this when the first one is
// wanted.
import {draw, turn} from './svg.js';

/** A picture, and its size in CSS pixels. @typedef {{text: string, width: number, height: number}} Picture */

/**
 * What a picture has beside the stage.
 * @typedef {object} Options
 * @property {'light' | 'dark' | ''} [theme] '' is the page's
 * @property {string} [title] a sentence that says what the picture shows
 * @property {boolean} [says] the title stands below the stage, too
 * @property {boolean} [film] the picture is as high as others, however long the title is
 */

/** How many pixels a PNG has for each CSS pixel, unless it would be larger than this. */
const sharp = 2, most = 8192;

/**
 * Gives a copy what cloneNode leaves behind: styles that were set by a script, and how far lists are
 * scrolled.
 * @param {Element} from
 * @param {Element} to
 */
const develop = (from, to) => {
  if (from instanceof HTMLElement && to instanceof HTMLElement) {
    if (from.style.length) to.style.cssText = from.style.cssText;
    if (from.scrollTop || from.scrollLeft) to.scrollTo(from.scrollLeft, from.scrollTop);
  }
  to.classList.remove('arriving');
  for (let i = 0; i < from.children.length; i++) develop(from.children[i], to.children[i]);
};

/**
 * Takes a picture of an element as it is now, in either theme. It is copied to a place that nobody
 * sees, so the page may go on, and its own look stays.
 * @param {HTMLElement} stage
 * @param {Options} [options]
 * @returns {Promise<Picture>}
 */
export const picture = async (stage, {theme = '', title = '', says = false, film = false} = {}) => {
  const {width} = stage.getBoundingClientRect(), height = stage.scrollHeight; // all of it, where it scrolls
  const room = document.createElement('div');
  room.className = 'darkroom';
  room.inert = true;
  room.style.width = width + 'px';
  if (theme) room.style.colorScheme = theme;
  const copy = /** @type {HTMLElement} */ (stage.cloneNode(true));
  copy.dataset.cut = 'true'; // nothing fades
  room.append(copy);
  if (says && (title || film)) {
    const sentence = document.createElement('p');
    sentence.className = film ? 'darkroom-says of-film' : 'darkroom-says';
    sentence.textContent = title;
    room.append(sentence);
  }
  document.body.append(room);
  try {
    copy.style.width = width + 'px';
    copy.style.height = height + 'px';
    develop(stage, copy);
    await turn(); // laying it out takes as long as all else at a stretch
    return await draw(room, title || stage.getAttribute('aria-label') || '');
  } finally {
    room.remove();
  }
};

/**
 * Paints a picture on a canvas, scale times as large.
 * @param {Picture} picture
 * @param {HTMLCanvasElement} canvas
 * @param {number} scale
 */
export const paintOn = async ({text, width, height}, canvas, scale) => {
  const image = new Image(), address = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
  try {
    image.src = address;
    await image.decode();
    await turn();
    canvas.getContext('2d')?.drawImage(image, 0, 0, Math.round(width * scale), Math.round(height * scale));
  } finally {
    URL.revokeObjectURL(address);
  }
};

/** @param {Picture} picture */
export const svg = async ({text}) => new Blob([text], {type: 'image/svg+xml'});

/**
 * @param {Picture} picture
 * @returns {Promise<Blob>}
 */
export const png = async (picture) => {
  const canvas = document.createElement('canvas'), scale = Math.min(sharp, most / picture.width, most / picture.height);
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  await paintOn(picture, canvas, scale);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => blob ? done(blob) : failed(new Error('the browser could not make a PNG of it')), 'image/png');
  });
};
