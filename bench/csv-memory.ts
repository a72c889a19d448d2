// `node scripts/run.js bench/csv-memory.ts <file> <rows>`: the resident memory in MB after every tenth of the rows.
import { Readable } from 'node:stream';
import { openRecords } from '../src/input/records.ts';

const [, , file = '', rows = '1000000'] = process.argv;
const seen: number[] = [];
const source = await openRecords({ file, stdin: Readable.from([]) });
let row = 0;
for await (const records of source.chunks) {
  row += records.length;
  if (row >= ((seen.length + 1) * Number(rows)) / 10)
    seen.push(Math.round(process.memoryUsage.rss() / 1e6));
}
process.stdout.write(`${seen.join(' ')}\n`);
