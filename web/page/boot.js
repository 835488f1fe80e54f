// Starts the page: settings of the last visit, then the program. It runs twice, here and in the engine's worker.
import {run} from '../program.js';
import {embedded, framed, module, prepare, prepared as early} from './early.js';
import {folder, reason} from './site.js';
import {apply} from './apply.js';
import {note as noteLine} from './console.js';
import {grids} from './grid.js';
import {held} from './held.js';
import {menus} from './menu.js';
import {keep} from './offline.js';
import {version} from './version.js';
import {fullScreen, openNotes, room} from './room.js';
import {report} from './report.js';
import * as share from './share.js';
import {ended, layOver, leaveNote, note, stay, stayed} from './stay.js';
import {keeps, save, saved} from './storage.js';
import {wires} from './wires.js';

const root = document.documentElement;

const theme = saved('theme'); // embed.js has a frame's
if (theme && !root.dataset.theme) root.dataset.theme = theme;
// The program chooses the nearest language that it has. The first view has its own, and another tag for that would
// have the browser lay out all of it once more.
if (!embedded && !('first' in root.dataset)) root.lang = saved('lang') || navigator.language;

/**
 * Says that the program can't be started. The words are in the document, in every language,
 * because the catalogues of locales/ are not here yet.
 * @param {unknown} error
 */
const failed = (error) => {
  root.dataset.broken = 'true';
  const says = document.getElementById('boot-says');
  if (says) says.textContent = reason(error);
};

/**
 * Takes a picture of the stage and gives it to the viewer. The answer is the size of the file in bytes.
 * All frames of a GIF make one file: the answer is 0 until that file is there.
 * @param {'svg' | 'png' | 'gif'} as
 * @param {'light' | 'dark'} theme
 * @param {string} title a sentence
 * @param {boolean} says the sentence stands below the stage, too
 * @param {string} name of the file
 * @param {number} millis how long a frame is shown
 * @param {boolean} more this is not the last frame
 */
const shoot = async (as, theme, title, says, name, millis, more) => {
  const camera = await import('./picture.js'); // nobody else needs it
  const stage = /** @type {HTMLElement} */ (document.querySelector('main'));
  const film = as === 'gif';
  const picture = await camera.picture(stage, {theme, title, says, film});
  const file = film ? await (await import('./film.js')).frame(picture, millis, !more) : await camera[as](picture);
  if (!file) return 0;
  share.give(file, name);
  return file.size;
};

/** Drops the frames of a GIF that was not made to its end. */
const unshoot = async () => (await import('./film.js')).drop();

/** How many pictures of handouts are kept. No lesson has as many moments. */
const maxDrawings = 200;

/** The addresses of the pictures in a handout. @type {string[]} */
const drawings = [];

/**
 * Takes a picture of the stage for a handout. The answer is the picture's address.
 * @param {string} title
 */
const drawn = async (title) => {
  const camera = await import('./picture.js');
  const stage = /** @type {HTMLElement} */ (document.querySelector('main'));
  const {text} = await camera.picture(stage, {theme: 'light', title});
  const url = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
  drawings.push(url);
  while (drawings.length > maxDrawings) URL.revokeObjectURL(/** @type {string} */ (drawings.shift()));
  return url;
};

const boot = document.getElementById('boot'); // the program removes it
const before = ended();

/** How long the page waits before it starts another program. The browser may have stopped this one because the viewer goes to another page, which must come first. */
const calm = 2000; // milliseconds

/** How soon after its start a program that follows one that has ended may end, until it is taken to have the same fault. */
const soon = 20_000; // milliseconds

/** Ends the engine's worker. */
let stopEngine = () => { /* it was not started */ };

/**
 * Says that the program has ended, and starts another one where the viewer was.
 * @param {unknown} error
 */
const again = (error) => {
  stopEngine();
  if (!boot || boot.isConnected) {
    failed(error);
    return;
  }
  delete root.dataset.ready;
  root.dataset.ended = 'true';
  /** @type {Element} */ (boot.querySelector('#boot-says')).textContent = reason(error);
  document.body.append(boot);
  if (leaveNote(reason(error)) && !(before && performance.now() < soon)) setTimeout(() => location.reload(), calm);
};

if (framed) {
  const away = document.createElement('a');
  away.href = location.href;
  away.target = '_blank';
  away.textContent = location.href;
  document.getElementById('boot-says')?.replaceChildren(away);
  root.dataset.framed = 'true';
}

/** The first worker, until the program takes it. @type {typeof early} */
let prepared = early;
if (prepared) stopEngine = prepared.stop;

/**
 * Gives the program an engine's worker.
 * @param {(reply: Uint8Array) => void} receive takes each reply
 * @param {(why: string, memory: number) => void} died takes the reason when the worker ends by itself,
 *     and if there was no more memory, how many bytes there were
 */
const engine = (receive, died) => {
  const {port, stop, dead} = prepared ?? prepare();
  prepared = null;
  let over = false;
  /** @param {string} why @param {number} [memory] */
  const end = (why, memory = 0) => {
    if (over) return;
    over = true;
    stop();
    died(why, memory);
  };
  dead.then((why) => end(why));
  port.onmessage = ({data}) => {
    if (over) return;
    if (data.died) end(data.died, data.memory);
    else if (data.told) noteLine(data.told);
    else if (data.file) share.give(data.file, data.name);
    else receive(data.bytes);
  };
  stopEngine = () => {
    over = true;
    stop();
  };
  return {
    /** @param {Uint8Array<ArrayBuffer>} bytes @param {Blob[] | null} files */
    send: (bytes, files) => port.postMessage({bytes, files}, [bytes.buffer]),
    stop: stopEngine,
  };
};

grids();
menus();
if (!framed && !embedded) held();
if ('first' in root.dataset) requestAnimationFrame(wires); // the program begins to be compiled before that
else document.getElementById('app')?.replaceChildren(); // this visit begins with another view: first.js

// The program begins with what was open before a reload. In a frame, it keeps no files for use
// offline, and takes the traces that the page around it offers.
/** @type {typeof keep} */
const keepNothing = async (tell) => tell('unable', 0);
/** @type {typeof version} */
const sameVersion = () => { /* it is the page around it that is reloaded */ };
Promise.all([module, stayed(), embedded ? import('./embed.js') : null]).then(([compiled, kept, embed]) => {
  // What wasm/dom calls: the one global of the project.
  globalThis.informerscope = {role: 'page', folder: folder.href, apply, engine, keep: embed ? keepNothing : keep, version: embed ? sameVersion : version, wires, share, report, shoot, unshoot, drawn, stay, stayed: kept, layOver, note, ended: before, keeps, save, saved, room, fullScreen, openNotes, embed};
  return run(compiled);
}).then(() => again('the program ended'), again);
