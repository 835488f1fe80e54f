// The worker of the page's program that glances at parts of a file for the engine's worker. spread.js asks it.
import {run} from '../program.js';
import {reason} from '../page/site.js';
import {readNow} from './kept.js';
import {letGo, starter} from './start.js';

/**
 * What is sent: that the program is ready, the digest of the bytes between two places, or why there is none.
 * @typedef {{ready: true} | {from: number, bytes: Uint8Array<ArrayBuffer>} | {why: string}} Message
 */

starter.then((port) => {
  /** @param {Message} message @param {ArrayBuffer[]} [give] */
  const send = (message, give = []) => port.postMessage(message, give);
  port.onmessage = async ({data: {module, blob}}) => {
    // What wasm/dom calls: the one global of the project.
    globalThis.informerscope = {
      role: 'digest',
      /** @param {(piece: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>} digest */
      serve: (digest) => {
        port.onmessage = ({data: {from, to}}) => {
          try {
            const piece = readNow(blob.slice(from, to)), bytes = digest(piece);
            letGo([piece.buffer]);
            send({from, bytes}, [bytes.buffer]);
          } catch (error) {
            send({why: reason(error)});
          }
        };
        send({ready: true});
      },
    };
    try {
      await run(module);
      send({why: 'the program ended'});
    } catch (error) {
      send({why: reason(error)});
    }
  };
});
