// Baseline for imports: csv-parse → objects → JSON → requests of 500 rows through an undici pool of 8. It has no
// validation, no ordering and no journal. `node bench/csv-parse-pipeline.js <file> <port>` prints rows per second.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { Pool } from 'undici';

const [, , file, port] = process.argv;
const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 });
const inFlight = new Set();
let batch = [];
let rows = 0;
const startedAt = performance.now();

async function send(subscribers) {
  while (inFlight.size >= 8) await Promise.race(inFlight);
  const sending = pool
    .request({
      method: 'POST',
      path: '/v1/subscribers/bulk',
      headers: { 'content-type': 'application/json', authorization: 'ApiKey x' },
      body: JSON.stringify({ subscribers }),
    })
    .then(({ body }) => body.json())
    .finally(() => inFlight.delete(sending));
  inFlight.add(sending);
}

for await (const row of createReadStream(file).pipe(parse({ columns: true }))) {
  const { subscriberId, firstName, lastName, email, phone, locale, timezone, ...data } = row;
  batch.push({ subscriberId, firstName, lastName, email, phone, locale, timezone, data });
  rows += 1;
  if (batch.length === 500) {
    await send(batch);
    batch = [];
  }
}
if (batch.length > 0) await send(batch);
await Promise.all(inFlight);
process.stdout.write(`${Math.round((rows * 1000) / (performance.now() - startedAt))}\n`);
await pool.close();
