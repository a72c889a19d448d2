// Fills another environment with the initial data of Development, for tests that run at the same time.
import type { CopyTarget } from '../store/scope.ts';
import { integrationsOf } from './default-integrations.ts';
import type { SandboxState } from './schema.ts';
import { type SeedTarget, seedState } from './seed-state.ts';

export function seedCopy(
  store: SeedTarget,
  { environments, ...state }: SandboxState,
  { id, name, identifier }: CopyTarget,
): void {
  const [first] = environments;
  const source = environments.find((environment) => environment.name === 'Development') ?? first;
  if (!source) return;
  const { parent: _, ...development } = source;
  const integrations = integrationsOf(development);
  const copy = { ...development, name, identifier, type: 'dev' as const, integrations };
  seedState(store, { ...state, environments: [copy] }, { copyId: id });
}
