// The commands that start a sandbox, as other commands and a failed start suggest them.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openNetworkRig } from '../../support/network-rig.ts';
import { saveSandboxProfile } from '../../support/served-sandbox.ts';
import { openSandboxRig } from './sandbox-rig.ts';

/** Returns the address of a port on which no server listens. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

it('svc sandbox start is suggested by other commands and by doctor if the sandbox of the profile is not running', async () => {
  const rig = openNetworkRig();
  saveSandboxProfile(rig, await freeAddress());
  const { code, stderr } = await rig.svc(['topics', 'list', '--retries', '0']);
  expect(code).toBe(7);
  expect(stderr).toContain(
    `the connection was refused\n  (/v2/topics)\nStart the sandbox.\n  svc sandbox start --detach\n`,
  );
  await rig.svc(['profiles', 'rename', 'sandbox', 'main']);
  const line = ['topics', 'list', '--retries', '0'];
  expect((await rig.svc(line)).stderr).toContain(
    '  svc sandbox start --detach --profile-name main\n',
  );
  await rig.svc(['profiles', 'rename', 'main', 'sandbox']);
  const doctor = await rig.svc(['doctor', '--retries', '0', '-o', 'table']);
  expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '→ Start the sandbox: svc sandbox start --detach',
  );
});

describe('a start for which the sandbox of the profile is in the way', () => {
  const line = ['sandbox', 'start', '--profile-name', 'sandbox', '--log', '--data'];
  const another = 'svc sandbox start --port 0';

  it.each([
    [[], 'novu', 8],
    [['--reuse', '--compat', 'specification'], 'novu', 2],
    // Earlier versions did not name the mode of the specification.
    [['--reuse', '--compat', 'novu'], null, 2],
  ])(
    'suggests another one with --log and without the data of the running one: %j, %j',
    async (more, compat, code) => {
      const rig = await openSandboxRig();
      const storage = path.join(rig.folder, 'data');
      const status = { name: 'svc-sandbox', storage, pid: 1, compat };
      rig.answerBy(() => ({ status: 200, body: status }));
      const mode = code === 2 ? ` --compat ${more[2]}` : '';
      const same = await rig.svc([...line, 'data', ...more]);
      expect(same.code).toBe(code);
      expect(same.stderr).toContain(`  ${another}${mode} --profile-name sandbox-2 --log\n`);
      const other = await rig.svc([...line, 'other data', ...more]);
      expect(other.stderr).toContain(
        `  ${another} --data 'other data'${mode} --profile-name sandbox-2 --log\n`,
      );
    },
  );

  it('says what to do if another process has reserved the profile', async () => {
    const rig = await openSandboxRig();
    rig.answerBy(() => ({ status: 404, body: {} }));
    mkdirSync(path.join(rig.folder, 'config/sandboxes'));
    const holder = { pid: 12, host: 'other' };
    writeFileSync(path.join(rig.folder, 'config/sandboxes/sandbox'), JSON.stringify(holder));
    const ca = ['--ca-file', 'ca.pem'];
    writeFileSync(path.join(rig.folder, 'ca.pem'), '-----BEGIN CERTIFICATE-----');
    const { code, stderr } = await rig.svc([...line, 'data', ...ca]);
    expect(code).toBe(8);
    expect(stderr).toContain(
      'log in with the key that it printed. Otherwise stop that process, or use another --profile-name.\n  svc login --profile sandbox --ca-file ca.pem\n',
    );
  });
});
