// Baseline for imports: reads the whole file, then sends bulk requests of 500 rows one after the other with the public
// client of the service. `node bench/public-client-loop.js <file> <port> <rows>` prints rows per second.
import { readFileSync } from 'node:fs';
import { Novu } from '@novu/api';
import { parse } from 'csv-parse/sync';

const [, , file, port, count] = process.argv;
const client = new Novu({ secretKey: 'x', serverURL: `http://127.0.0.1:${port}` });
const startedAt = performance.now();

const rows = parse(readFileSync(file), { columns: true, to: Number(count) });
for (let at = 0; at < rows.length; at += 500) {
  const subscribers = rows
    .slice(at, at + 500)
    .map(({ plan, ...subscriber }) => ({ ...subscriber, data: { plan } }));
  await client.subscribers.createBulk({ subscribers });
}
process.stdout.write(`${Math.round((rows.length * 1000) / (performance.now() - startedAt))}\n`);
