// Makes the report of a problem: lines of JSON about the page, the browser and the console, of
// which the second program leaves what is on a list, and words of messages. It stays on the page.
import {compile} from '../program.js';
import {folder, reason} from './site.js';
import {told} from './console.js';
import {start} from './workers.js';

/**
 * Has the second program take out what nobody should see.
 * @param {string} text lines of JSON
 * @param {string} options what that is asked to do: a Conversion of wasm/link
 * @returns {Promise<string>}
 */
const redacted = async (text, options) => {
  const module = await compile('convert.wasm');
  const {worker, end} = start('convert');
  const {port1: port, port2: its} = new MessageChannel();
  try {
    return await new Promise((resolve, reject) => {
      /** @type {BlobPart[]} */
      const pieces = [];
      worker.onerror = (e) => reject(new Error(e.message));
      port.onmessage = ({data}) => {
        if (!data.done) {
          pieces.push(data.bytes);
          port.postMessage(null); // it may send another one
        } else if (data.why) reject(new Error(data.why));
        else resolve(new Blob(pieces).text());
      };
      worker.postMessage({port: its}, [its]);
      port.postMessage({files: [new Blob([text])], options, module});
    });
  } finally {
    end();
  }
};

/** Without what the second program would take for names and addresses. @param {string} text */
const plain = (text) => text.replaceAll('github.com/informerscope/informerscope/', '').replace(/\/(\d+)(\.\d+){3}/g, '/$1').replaceAll(folder.href, './');

/**
 * @param {string} options for the second program
 * @param {string} release
 * @param {string} program
 * @param {string} states
 * @param {string} commands
 * @param {(text: string, failed: string) => void} done
 */
export const report = async (options, release, program, states, commands, done) => {
  const lines = [
    {informerscope: 'report', version: folder.pathname.split('/').at(-2), release, program},
    {browser: plain(navigator.userAgent), languages: navigator.languages, cores: navigator.hardwareConcurrency, window: [innerWidth, innerHeight, devicePixelRatio], online: navigator.onLine},
    {states, page: {...document.documentElement.dataset}},
    {commands},
    ...told().map((line) => ({console: plain(line)})),
  ];
  try {
    done(await redacted(lines.map((line) => JSON.stringify(line) + '\n').join(''), options), '');
  } catch (error) {
    done('', reason(error));
  }
};
