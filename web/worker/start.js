// Starts workers for a worker, by way of the page (page/workers.js says why). The two speak through
// a MessagePort, which the started worker gets with its first message.

let count = 0;
/** What hears that a worker died or never started, by the worker's number. @type {Map<number, (why: string) => void>} */
const broken = new Map();
addEventListener('message', ({data}) => broken.get(data?.broken)?.(data.why));

/**
 * Starts a worker.
 * @param {'reader' | 'convert'} name
 */
export const start = (name) => {
  const id = ++count;
  const {port1: port, port2} = new MessageChannel();
  postMessage({start: name, id, port: port2}, [port2]);
  return {
    /** @param {any} message @param {Transferable[]} [give] */
    send: (message, give = []) => port.postMessage(message, give),
    /**
     * Says who hears from the worker.
     * @param {(message: any) => void} receive takes each message
     * @param {(why: string) => void} died takes the reason when the worker ends by itself
     */
    listen: (receive, died) => {
      port.onmessage = ({data}) => receive(data);
      broken.set(id, died);
    },
    /** Ends the worker. What is sent to it from now on is let go of. */
    end: () => {
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
