// Runs many commands with a key, then searches all output and files for it. Only the key store may contain it.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openNetworkRig } from '../support/network-rig.ts';
import { serveSandbox } from '../support/sandbox-311.ts';
import { saveSandboxProfile } from '../support/served-sandbox.ts';

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

it('the key is only in config.json and the data of the sandbox, in any encoding', async () => {
  const rig = openNetworkRig();
  const sandbox = await serveSandbox({
    isBackground: true,
    host: '127.0.0.1',
    port: 0,
    directory: path.join(rig.folder, 'sandbox-data'),
  });
  onTestFinished(() => sandbox.close());
  const { key } = sandbox;
  saveSandboxProfile(rig, sandbox.baseUrl, key);
  writeFileSync(
    path.join(rig.folder, 'users.csv'),
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
    const { stdout, stderr } = await rig.svc(line);
    for (const form of forms) {
      expect(stdout, `svc ${line.join(' ')}`).not.toContain(form);
      expect(stderr, `svc ${line.join(' ')}`).not.toContain(form);
    }
  }
  const filesWithKey = filesBelow(rig.folder).filter((file) => {
    const bytes = readFileSync(file);
    return forms.some((form) => bytes.includes(form));
  });
  const expected = [path.join('.config', 'svc', 'config.json'), path.join('sandbox-data')];
  const files = filesWithKey.map((file) => path.relative(rig.folder, file));
  expect(files).toContain(expected[0]);
  expect(files.filter((file) => !expected.some((name) => file.startsWith(name)))).toEqual([]);
});
