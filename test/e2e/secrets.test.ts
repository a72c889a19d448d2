// Runs many commands with a key, then searches all output and files for it. Only the key store may contain it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

describe('the key', () => {
  it('is only in config.json and the data of the sandbox, in any encoding', async () => {
    const home = openHome();
    const { key } = await home.sandbox(['--data', path.join(home.folder, 'sandbox-data')]);
    writeFileSync(
      path.join(home.folder, 'users.csv'),
      'subscriberId,email\na,a@example.com\nb,nonsense\n',
    );
    const lines = [
      ['topics', 'list', '--debug=body'],
      ['topics', 'get', 'nothing', '--debug=body', '--json'],
      ['environments', 'list', '--json'],
      ['environments', 'list', '--save-profiles', '-o', 'yaml'],
      ['whoami', '--json'],
      ['doctor'],
      ['profiles', 'list', '--json'],
      ['profiles', 'show', '--json'],
      ['config', 'list'],
      ['api', 'GET', '/v1/environments', '--include'],
      ['topics', 'rename', 'announcements', 'News', '--dry-run=curl'],
      ['topics', 'rename', 'announcements', 'News', '--debug=body'],
      ['subscribers', 'bulk-import', 'users.csv', '--debug=body'],
      ['runs', 'list', '--json'],
      ['events', 'trigger', 'welcome', '--to', 'u1', '--wait', '--debug'],
      ['sandbox', 'export'],
      ['sandbox', 'status', '--json'],
      ['completion', 'bash'],
      ['topics', 'list', '--retries', '0', '--timeout', '1ms'],
    ];
    const forms = [
      key,
      Buffer.from(key).toString('base64').replace(/=+$/, ''),
      encodeURIComponent(`ApiKey ${key}`),
    ];
    for (const line of lines) {
      const { stdout, stderr } = await home.svc(line);
      for (const form of forms) {
        expect(stdout, `svc ${line.join(' ')}`).not.toContain(form);
        expect(stderr, `svc ${line.join(' ')}`).not.toContain(form);
      }
    }
    const filesWithKey = filesBelow(home.folder).filter((file) => {
      const bytes = readFileSync(file);
      return forms.some((form) => bytes.includes(form));
    });
    const expected = [path.join('.config', 'svc', 'config.json'), path.join('sandbox-data')];
    expect(
      filesWithKey
        .map((file) => path.relative(home.folder, file))
        .filter((file) => !expected.some((one) => file.startsWith(one))),
    ).toEqual([]);
  });

  it('is not in the process list', async () => {
    const home = openHome();
    const { key } = await home.sandbox();
    const run = home.start(['activity', 'list', '--follow', '-o', 'ids']);
    await run.says('txn_');
    expect(
      execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(run.process.pid)]).toString(),
    ).not.toContain(key);
    run.process.kill('SIGINT');
    await run.ended;
  });
});
