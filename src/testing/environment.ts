// An environment of a sandbox for one of several tests that run at the same time.
import { createMembers, createTestControl, type Target, type UnhandledError } from './members.ts';
import type { Sandbox, SandboxEnvironment } from './types.ts';

export async function openEnvironment(
  target: Target,
  fetch: Sandbox['fetch'],
  unhandledError: UnhandledError,
): Promise<SandboxEnvironment> {
  const { environmentId, key, applicationIdentifier } =
    await createTestControl(target).copyEnvironment();
  const own = { ...target, key };
  const { export: _, ...members } = createMembers(own, unhandledError);
  return {
    ...{ url: target.url, key, applicationIdentifier, fetch },
    ...members,
    remove: async () => void (await createTestControl(own).removeEnvironment(environmentId)),
  };
}
