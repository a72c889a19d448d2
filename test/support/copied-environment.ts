// The files of an environment in one sandbox, pushed to an environment without anything in another one.
import path from 'node:path';
import { expect } from 'vitest';
import { parseYaml } from '../../src/core/yaml.ts';
import { openFolder } from '../commands/workflows/workflow-folder.ts';
import { openRig, type Ran, type Rig, type RigOptions } from './rig.ts';
import type { SandboxState } from './sandbox-311.ts';

/** Every environment has an in-app integration, each with an identifier of its own. */
const empty: SandboxState = {
  version: 1,
  environments: [
    {
      name: 'Development',
      integrations: [
        { identifier: 'other-inbox', name: 'Other', providerId: 'novu', channel: 'in_app' },
      ],
    },
  ],
};

interface Listed {
  identifier: string;
  credentials?: Record<string, { $env?: string }>;
}

/** Runs a command that must succeed. */
async function run({ svc }: Rig, argv: string[], env: Record<string, string> = {}): Promise<Ran> {
  const ran = await svc(argv, { env });
  const { code, stderr } = ran;
  expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' });
  return ran;
}

/** `secretOf` returns the value of a secret credential for the push. Both folders are named `files`. */
export async function copyEnvironment(
  options: RigOptions,
  secretOf: (identifier: string, credential: string) => string,
) {
  const source = await openRig(options);
  const target = await openRig({ ...options, seed: empty });
  await run(source, ['environments', 'pull', 'files']);
  const { value } = parseYaml(openFolder(source).read('files/integrations.yaml'));
  const secrets = (value as Listed[]).flatMap(({ identifier, credentials = {} }) =>
    Object.entries(credentials).flatMap(([name, { $env }]) =>
      $env === undefined ? [] : [[$env, secretOf(identifier, name)] as const],
    ),
  );
  const env = Object.fromEntries(secrets);
  const folder = path.join(source.folder, 'files');
  const line = ['environments', 'push', folder, '--delete', '--yes', '--json'];
  const push = (rig: Rig, ...more: string[]) => run(rig, [...line, ...more], env);
  const hasCredentials = (value as Listed[]).some(({ credentials }) => credentials !== undefined);
  await push(target, ...(hasCredentials ? ['--with-credentials'] : []));
  await run(target, ['environments', 'pull', 'files']);
  return {
    ...{ source, target, push, variables: secrets.map(([name]) => name) },
    contents: (rig: Rig) => openFolder(rig).contents('files'),
  };
}
