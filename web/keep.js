// How a worker that unpacks hands over what is to be kept.
'use strict';

// The function returned is asked for each piece, and says what to send with it:
// the other side keeps its array, or, beyond so many bytes, gives that back and
// keeps a Blob. This worker makes it, because to do so is to wait for the browser.
self.informerscopeKeep = (most = 1 << 27) => {
  let inMemory = 0;
  return (bytes) => {
    inMemory += bytes.length;
    return inMemory > most ? {keep: true, blob: new Blob([bytes])} : {keep: true};
  };
};
