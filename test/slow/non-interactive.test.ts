// Commands that need a confirmation, without a terminal: they exit immediately and name the option to pass.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { useSandbox } from '../support/served-sandbox.ts';

const id = '677485809bebc841f620134a';

const lines = [
  `svc integrations delete ${id}`,
  `svc integrations update ${id} --credential apiKey==x --clear-others`,
  'svc subscribers credentials delete u1 slack',
  'svc events cancel txn_6774858005787ee036e9fda0',
  'svc events trigger welcome --to-topic announcements',
  'svc events trigger welcome --to u1 --to u2',
  'svc inbox mark u1 read --all',
  'svc sandbox reset',
  'svc profiles delete spare',
  'svc config reset',
];

it('without a terminal, every command exits with 2, says what it would do and names --yes', async () => {
  const home = openHome();
  const { baseUrl, key } = await useSandbox(home);
  const login = ['login', '--base-url', baseUrl, '--profile', 'spare', '--with-key'];
  expect((await home.svc(login, { stdin: key })).code).toBe(0);
  const results = await runParallel(lines, async (line) => {
    const words = line.replace(/^svc/, `timeout 2 "${process.execPath}" "$SVC"`);
    const { code, stdout, stderr } = await home.shell(`${words} </dev/null`);
    return { line, code, stdout, error: stderr.replaceAll('\n', ' ') };
  });
  expect(results).toEqual(
    lines.map((line) => ({
      line,
      code: 2,
      stdout: '',
      error: expect.stringMatching(
        /Error: Confirmation is required to [a-z][^?]+\. Nothing was done\. Confirm with --yes\. $/,
      ),
    })),
  );
});
