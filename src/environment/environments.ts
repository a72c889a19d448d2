// Finds environments in the list of the organization.
import type { Context, Service } from '../app/context.ts';
import { environmentOfKey } from '../config/environment-facts.ts';
import { SvcError, usageError } from '../core/errors.ts';
import type { Environment } from '../service/schemas/environments.ts';

/** The environments of the organization, from one request per command. */
export const listedEnvironments = perCommand(async (context): Promise<Environment[]> => {
  return context.call('listEnvironments', {});
});

/**
 * Returns the environment with this id, name or identifier. Throws a usage error if several environments have that
 * name, and notFound for any other text.
 */
export function environmentNamed(environments: readonly Environment[], text: string): Environment {
  const lowerCase = text.toLowerCase();
  const environment =
    onlyMatch(environments, text, ({ _id }) => _id === text) ??
    onlyMatch(environments, text, ({ name }) => name === text) ??
    onlyMatch(environments, text, ({ name, identifier }) =>
      [name.toLowerCase(), identifier].includes(lowerCase),
    );
  if (environment) return environment;
  throw new SvcError('notFound', `Environment \`${text}\` does not exist.`, {
    suggestion: {
      input: text,
      candidates: environments.map(({ name }) => name),
      existing: 'environments',
    },
    next: ['svc environments list'],
  });
}

function onlyMatch(
  environments: readonly Environment[],
  text: string,
  matches: (environment: Environment) => boolean,
): Environment | undefined {
  const [match, ...others] = environments.filter(matches);
  if (!match || others.length === 0) return match;
  const ids = [match, ...others].map(({ _id, name }) => `${_id} (${name})`);
  throw usageError(`\`${text}\` matches ${ids.length} environments: ${ids.join(', ')}.`, {
    hint: 'Use the id instead of the name.',
  });
}

/** Returns the environment of the active key; undefined if the service does not show its key. */
export async function ownEnvironment(
  { connection }: Context,
  environments: readonly Environment[],
): Promise<Environment | undefined> {
  return environmentOfKey(environments, await connection.apiKey());
}

/** The id of the environment of a service; undefined if the service does not show its key. */
export async function readEnvironmentId({
  client,
  apiKey,
  environmentId,
}: Service): Promise<string | undefined> {
  if (environmentId !== undefined) return environmentId;
  return environmentOfKey(await client.call('listEnvironments', {}), apiKey)?._id;
}

const environmentIds = new WeakMap<Service, Promise<string | undefined>>();

/** Requested once per service. Throws a usage error that says that `what`, such as its integrations, are unknown. */
export async function requireEnvironmentId(
  service: Service,
  what: string,
  hint = 'Save a profile with the environment.',
): Promise<string> {
  const loading = environmentIds.get(service) ?? readEnvironmentId(service);
  environmentIds.set(service, loading);
  const id = await loading;
  if (id !== undefined) return id;
  throw usageError(
    `The environment of the API key cannot be determined ${service.place}, so its ${what} are unknown.`,
    { hint, next: ['svc environments list --save-profiles'] },
  );
}

/** The same in a push or pull, which can leave out the kind. */
export const environmentIdFor = (service: Service, kinds: 'integrations' | 'variables') =>
  requireEnvironmentId(
    service,
    kinds,
    `Save a profile with the environment, or leave out ${kinds} with --only.`,
  );

/** `in Production (profile live)` → `Production (profile live)`. */
export const environmentName = (place: string): string => place.replace(/^(in|at) /, '');

// Loads something once per command: the check of its protection and the command itself both need it.

export function perCommand<A extends unknown[], T>(
  load: (context: Context, ...args: A) => Promise<T>,
): (context: Context, ...args: A) => Promise<T> {
  const loaded = new WeakMap<Context, Promise<T>>();
  return (context, ...args) => {
    const value = loaded.get(context) ?? load(context, ...args);
    loaded.set(context, value);
    return value;
  };
}
