// The thread in which jq runs (see jq.ts). Plain JavaScript, because Node starts a thread from a file as it is.
const { parentPort, workerData } = require('node:worker_threads');

// The engine prints when it aborts; the error that it throws says as much.
console.log = () => {};
console.warn = () => {};
console.error = () => {};

const { raw } = require('jq-wasm');

// Strings raw, everything else compact, one value a line.
const flags = ['-r', '-c'];

parentPort.on('message', (json) => {
  raw(json, workerData.program, flags).then(
    (text) => parentPort.postMessage({ text }),
    (error) => parentPort.postMessage({ error: String(error?.message ?? error) }),
  );
});
