// How a worker that unpacks hands over what is to be kept.

/**
 * Returns a function that says what to send with each piece. The other side keeps the piece's
 * array, up to so many bytes in all. Beyond that it gives each array back and keeps a Blob, which
 * this worker makes, because making one means waiting for the browser.
 * @param {number} most
 */
export const keeper = (most = 1 << 27) => {
  let inMemory = 0;
  /** @param {Uint8Array<ArrayBuffer>} bytes @returns {{keep: true, blob?: Blob}} */
  return (bytes) => {
    inMemory += bytes.length;
    return inMemory > most ? {keep: true, blob: new Blob([bytes])} : {keep: true};
  };
};
