// Commands that need a sandbox that is not running.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { openNetworkRig } from '../../support/network-rig.ts';
import { saveSandboxProfile } from '../../support/served-sandbox.ts';

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
