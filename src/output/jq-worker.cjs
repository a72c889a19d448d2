// The worker thread that runs jq (see jq.ts). Plain JavaScript, because Node starts a worker from a file on disk.
const { parentPort, workerData } = require('node:worker_threads');

// jq-wasm prints when it aborts. The error that it throws contains the same text.
console.log = () => {};
console.warn = () => {};
console.error = () => {};

const { raw } = require('jq-wasm');

// Raw strings, compact JSON, one value per line. After `--`, a program such as `-.value` is not read as an option.
const flags = ['-r', '-c', '--'];

parentPort.on('message', (json) => {
  raw(json, workerData.program, flags).then(
    (text) => parentPort.postMessage({ text }),
    (error) => parentPort.postMessage({ error: String(error?.message ?? error) }),
  );
});
