// Commands that need a confirmation, without a terminal: they exit immediately and name the option to pass.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const id = '677485809bebc841f620134a';

describe('without a terminal', () => {
  it.each([
    `svc integrations delete ${id}`,
    `svc integrations update ${id} --credential apiKey==x`,
    'svc subscribers credentials delete u1 slack',
    'svc events cancel txn_6774858005787ee036e9fda0',
    'svc events trigger welcome --to-topic announcements',
    'svc events trigger welcome --to u1 --to u2',
    'svc inbox mark u1 read --all',
    'svc sandbox reset',
    'svc profiles delete spare',
    'svc config reset',
  ])('%s </dev/null exits with 2 and names --yes', async (line) => {
    const home = openHome();
    const { baseUrl, key } = await home.sandbox();
    const login = ['login', '--base-url', baseUrl, '--profile', 'spare', '--with-key'];
    await home.svc(login, { stdin: key });
    const words = line.replace(/^svc/, `timeout 2 "${process.execPath}" "$SVC"`);
    const { code, stdout, stderr } = await home.shell(`${words} </dev/null`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--yes');
  });
});
