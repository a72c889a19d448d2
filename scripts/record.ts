// Records the responses of a real service to the exchanges of test/recorded/corpus:
// npm run record -- --base-url URL --api-key KEY --to FOLDER [--prepare]
// --prepare first creates the state of the recorded server in an empty environment.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCorpus, recordedFolder } from '../test/support/recorded/corpus.ts';
import { play } from '../test/support/recorded/play.ts';
import { send } from '../test/support/recorded/send.ts';

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    'api-key': { type: 'string' },
    to: { type: 'string' },
    prepare: { type: 'boolean', default: false },
  },
});
const { 'base-url': baseUrl, 'api-key': key, to } = values;
if (!baseUrl || !key || !to) {
  process.stderr.write('Give --base-url, --api-key and --to.\n');
  process.exit(2);
}

if (values.prepare) {
  const requests = JSON.parse(readFileSync(path.join(recordedFolder, 'prepare.json'), 'utf8'));
  for (const { method, path: target, body } of requests) {
    const headers = { Authorization: `ApiKey ${key}`, 'Content-Type': 'application/json' };
    const response = await send(baseUrl, {
      method,
      path: target,
      headers,
      body: JSON.stringify(body),
    });
    if (response.status >= 300)
      process.stderr.write(
        `${method} ${target}: ${response.status} ${JSON.stringify(response.body)}\n`,
      );
  }
}

const played = await play({ baseUrl, key, wait: (ms) => setTimeout(ms) }, readCorpus());
const areas = new Map<string, object[]>();
for (const { exchange, received } of played) {
  const { area, ...rest } = exchange;
  areas.set(area, [...(areas.get(area) ?? []), { ...rest, answer: received }]);
}
mkdirSync(to, { recursive: true });
for (const [area, exchanges] of areas) {
  const lines = exchanges.map((exchange) => ` ${JSON.stringify(exchange)}`).join(',\n');
  const text = `{"area":${JSON.stringify(area)},"exchanges":[\n${lines}\n]}\n`;
  writeFileSync(path.join(to, `${area}.json`), text);
}
process.stdout.write(`Recorded ${played.length} exchanges in ${to}.\n`);
process.exit(0);
