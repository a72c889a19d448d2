// Two concurrent imports with the same `--rejects` file.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';

it('two concurrent imports with the same --rejects file lose no rejected row', async () => {
  const home = openHome();
  const { baseUrl, key } = await useSandbox(home);
  const state = path.join(home.folder, 'state');
  Object.assign(home.env, { SVC_BASE_URL: baseUrl, SVC_API_KEY: key, SVC_STATE_DIR: state });
  const line = ['subscribers', 'bulk-import', '-', '--format', 'csv', '--rejects', 'bad.csv'];
  const imports = ['one', 'other'].map((name) => ({
    name,
    run: home.start(line, { stdio: ['pipe', 'pipe', 'pipe'] }),
  }));
  for (const { run } of imports) run.process.stdin?.write('subscriberId,email\nfirst,\n');
  const runs = path.join(state, 'runs');
  const listLedgers = () => {
    try {
      return readdirSync(runs, { recursive: true }).filter((name) =>
        String(name).endsWith('ledger.ndjson'),
      );
    } catch {
      return [];
    }
  };
  // A run checks whether the rejects file exists before it creates its ledger.
  while (listLedgers().length < 2) await wait(10);
  for (const { name, run } of imports) run.process.stdin?.end(`${name},nonsense\n${name}-2,\n`);
  const results = await Promise.all(imports.map(({ run }) => run.ended));
  expect(results.map(({ code }) => code)).toEqual([3, 3]);
  const texts = ['bad.csv', 'bad-2.csv'].map((name) =>
    readFileSync(path.join(home.folder, name), 'utf8'),
  );
  expect(texts.map((text) => text.split('\n')[0])).toEqual(
    Array(2).fill('_line,_error,subscriberId,email'),
  );
  expect(texts.map((text) => text.split('\n')[1]?.split(',').at(-2)).sort()).toEqual([
    'one',
    'other',
  ]);
  const messages = results.map(({ stderr }) => stderr).join('');
  expect(messages).toContain(
    'bad.csv was changed or created by another program, so it is not replaced',
  );
});
