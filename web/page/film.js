// Makes a GIF of pictures of the stage, frame after frame. The page fetches this when the first one
// is wanted.
import {paintOn} from './picture.js';
import {turn} from './svg.js';
import {start} from './workers.js';

/** The most pixels that a frame is wide. */
const widest = 1600;

/**
 * The film that is being made. The worker packs one frame while the next one is drawn.
 * @type {{worker: Worker, canvas: HTMLCanvasElement, scale: number, packed: Promise<Blob | null>} | null}
 */
let film = null;

/** Drops the film that is being made. */
export const drop = () => {
  film?.worker.terminate();
  film = null;
};

/**
 * Adds a frame. The answer is the whole film after the last one, and null before. What went wrong
 * with a frame may be told at the next one.
 * @param {import('./picture.js').Picture} picture
 * @param {number} millis how long it is shown
 * @param {boolean} end it is the last
 * @returns {Promise<Blob | null>}
 */
export const frame = async (picture, millis, end) => {
  if (!film) {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d', {willReadFrequently: true});
    film = {worker: start('gif').worker, canvas, scale: Math.min(1, widest / picture.width), packed: Promise.resolve(null)};
    canvas.width = Math.round(picture.width * film.scale);
    canvas.height = Math.round(picture.height * film.scale);
  }
  const made = film, {worker, canvas, scale} = made;
  await paintOn(picture, canvas, scale);
  await turn();
  const image = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
  if (!image) throw new Error('the browser gave no canvas');
  try {
    await made.packed;
    made.packed = new Promise((done, failed) => {
      worker.onmessage = ({data}) => {
        if (data.why) failed(new Error(data.why));
        else done(data.file ?? null);
      };
      worker.onerror = (e) => failed(new Error(e.message || 'the worker does not start'));
      worker.postMessage({pixels: image.data.buffer, width: image.width, height: image.height, millis, end}, [image.data.buffer]);
    });
    if (end) return await made.packed;
    made.packed.catch(() => {}); // the next frame tells it
    return null;
  } catch (error) {
    drop();
    throw error;
  } finally {
    if (end) drop();
  }
};
