// Opens a rig with the profile `sandbox`, as created by `svc sandbox start`, and the given other profiles.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig, type RigOptions } from '../../support/rig.ts';

export async function openSandboxRig(
  { current = 'sandbox', ...others }: { current?: string } & Record<string, unknown> = {},
  options: RigOptions = {},
) {
  const rig = await openRig({ ...options, bare: true });
  const folder = path.join(rig.folder, 'config');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(
    path.join(folder, 'config.json'),
    JSON.stringify({
      current,
      profiles: { sandbox: { baseUrl, key: testKey, keySource: 'file', sandbox: true }, ...others },
      settings: {},
    }),
    { mode: 0o600 },
  );
  return rig;
}
