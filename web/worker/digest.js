// The worker of the page's program that glances at parts of a file for the engine's worker. spread.js asks it.
import {run} from '../program.js';
import {reason} from '../page/site.js';
import {readNow} from './kept.js';
import {starter} from './start.js';

/**
 * What is sent: that the program is ready, the bytes from a place on with their digest, or why there is none.
 * @typedef {{ready: true} | {from: number, piece: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>} | {why: string}} Message
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
            send({from, piece, bytes}, [piece.buffer, bytes.buffer]);
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
