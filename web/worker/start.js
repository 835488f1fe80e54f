// Starts workers for a worker, by way of the page (page/workers.js says why). The two speak through
// a MessagePort, which the started worker gets with its first message.

let count = 0;
/** What hears that a worker died or never started, by the worker's number. @type {Map<number, (why: string) => void>} */
const broken = new Map();
addEventListener('message', ({data}) => broken.get(data?.broken)?.(data.why));

/**
 * Gives the bytes of arrays back at once. The collector hardly sees how large an array is, and lets
 * a hundred MB of them gather. Measured in Chromium: transfer(0) doesn't give the bytes back, and a
 * port that knows of its end sends nothing, but what is sent to a port that was just closed is gone.
 * @param {ArrayBuffer[]} arrays
 */
export const letGo = (arrays) => {
  const {port1, port2} = new MessageChannel();
  port2.close();
  port1.postMessage(null, arrays);
  port1.close();
};

/**
 * Starts a worker.
 * @param {'reader' | 'digest' | 'convert'} name
 */
export const start = (name) => {
  const id = ++count;
  const {port1: port, port2} = new MessageChannel();
  postMessage({start: name, id, port: port2}, [port2]);
  let ended = false;
  return {
    /** @param {any} message @param {ArrayBuffer[]} [give] */
    send: (message, give = []) => {
      if (ended) letGo(give);
      else port.postMessage(message, give);
    },
    /**
     * Says who hears from the worker.
     * @param {(message: any) => void} receive takes each message
     * @param {(why: string) => void} died takes the reason when the worker ends by itself
     */
    listen: (receive, died) => {
      port.onmessage = ({data}) => receive(data);
      broken.set(id, died);
    },
    /** Ends the worker. Arrays that are sent to it from now on are let go of. */
    end: () => {
      ended = true;
      broken.delete(id);
      port.close();
      postMessage({end: id});
    },
  };
};

/** The way to whoever started this worker. @type {Promise<MessagePort>} */
export const starter = new Promise((resolve) => {
  addEventListener('message', ({data}) => resolve(data.port), {once: true});
});
