// Lets other messages in first, such as "cancel".
const {port1, port2} = new MessageChannel();
/** @type {(() => void)[]} */
const turns = [];
port1.onmessage = () => turns.shift()?.();

/** Calls f when the messages that wait have been received. @param {() => void} f */
export const later = (f) => {
  turns.push(f);
  port2.postMessage(0);
};
