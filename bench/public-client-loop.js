// The other baseline: a loop over the service's public client, one bulk call of 500 rows after the other.
// `node bench/public-client-loop.js <file> <port> <rows>` prints the rows a second.
import { createReadStream } from 'node:fs';
import { Novu } from '@novu/api';
import { parse } from 'csv-parse';

const [, , file, port, count] = process.argv;
const client = new Novu({ secretKey: 'x', serverURL: `http://127.0.0.1:${port}` });
let subscribers = [];
let rows = 0;
const began = performance.now();

for await (const { plan, ...subscriber } of createReadStream(file).pipe(parse({ columns: true }))) {
  subscribers.push({ ...subscriber, data: { plan } });
  rows += 1;
  if (subscribers.length === 500) {
    await client.subscribers.createBulk({ subscribers });
    subscribers = [];
  }
  if (rows >= Number(count)) break;
}
process.stdout.write(`${Math.round((rows * 1000) / (performance.now() - began))}\n`);
