// Makes Blobs for kept.js: each takes as long as the browser needs to copy it.
'use strict';

onmessage = ({data: {bytes}}) => { if (bytes) postMessage(new Blob([bytes])); };
