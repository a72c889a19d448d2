// Finds environments in the list of the organization.
import type { Environment } from '../../api/schemas/environments.ts';
import type { Context, Service } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';

/** Returns the environment with this id, name or identifier. Throws notFound for any other text. */
export function environmentNamed(environments: readonly Environment[], text: string): Environment {
  const found =
    environments.find(({ _id }) => _id === text) ??
    environments.find(({ name }) => name === text) ??
    environments.find(({ name, identifier }) =>
      [name.toLowerCase(), identifier].includes(text.toLowerCase()),
    );
  if (found) return found;
  throw new SvcError('notFound', `Environment \`${text}\` does not exist.`, {
    suggestion: { input: text, candidates: environments.map(({ name }) => name) },
    next: ['svc environments list'],
  });
}

/** Returns the environment of the active key; undefined if the service does not show its key. */
export async function ownEnvironment(
  { connection }: Context,
  environments: readonly Environment[],
): Promise<Environment | undefined> {
  const key = await connection.apiKey();
  return environments.find(({ apiKeys }) => apiKeys?.some((one) => one.key === key));
}

/** The id of the environment of a service; undefined if the service does not show its key. */
export async function environmentIdOf({
  client,
  apiKey,
  environmentId,
}: Service): Promise<string | undefined> {
  if (environmentId !== undefined) return environmentId;
  const environments = await client.call('listEnvironments', {});
  return environments.find(({ apiKeys }) => apiKeys?.some(({ key }) => key === apiKey))?._id;
}
