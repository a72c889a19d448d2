import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { confirmationRequired, notConfirmed, SvcError } from '../../core/errors.ts';
import {
  environmentNamed,
  listedEnvironments,
  ownEnvironment,
} from '../../environment/environments.ts';
import * as result from '../../output/result.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import { affectsNamed } from '../shared/affected-environments.ts';

export const deleteEnvironment = command({
  summary: 'Delete an environment with everything in it',
  details:
    'svc asks for the name of the environment; --yes skips the question. A protected environment also needs --confirm with the name of its profile, or with its own name if it has no profile. The service refuses to delete Development and Production. Some servers report an error after they have deleted the environment, so svc checks the list of environments.',
  arguments: { environment: required('<environment>', 'Id or name of the environment') },
  output: '{deleted, id, name}.',
  examples: {
    'svc environments delete "Staging EU" --dry-run': 'Show the request without sending it',
    'svc environments delete "Staging EU" --yes --confirm "Staging EU"':
      'Delete without prompts; --confirm is for a protected environment',
  },
  fields: ['deleted', 'id', 'name'],
  operations: ['deleteEnvironment', 'listEnvironments'],
  writes: true,
  affects: (context, { args }) => affectsNamed(context, args.environment),
  async run(context, { args }) {
    const client = await context.client();
    const environments = await listedEnvironments(context);
    const environment = environmentNamed(environments, args.environment);
    const { _id: id, name } = environment;
    const own = await ownEnvironment(context, environments);
    await confirmName(context, environment, own?._id === id);
    await client
      .call('deleteEnvironment', { path: { environmentId: id } })
      .catch((error: unknown) => throwUnlessGone(context, id, error));
    return result.report({
      value: { deleted: true, id, name },
      headline: `Deleted environment ${name} (${id})`,
      ids: [id],
    });
  },
});

/** Asks for the name of the environment, or for its id if the name is blank. Throws a usage error for other text. */
async function confirmName(
  { globals, prompt, connection }: Context,
  { _id, name }: Environment,
  isOwn: boolean,
): Promise<void> {
  if (globals.yes || globals.dryRun !== undefined) return;
  const action = `Delete environment ${name} (${_id}) with everything in it ${connection.place()}`;
  const own = isOwn ? 'It is the environment of this key, which will stop working. ' : '';
  const warning = `${own}This cannot be undone.`;
  if (!prompt.isPossible) throw confirmationRequired(action, warning);
  const word = name.trim() === '' ? _id : name;
  if ((await prompt.text(`${action}? ${warning} Type ${word} to continue:`)) === word) return;
  throw notConfirmed();
}

/** Throws the error unless the environment is gone although the service reported a failure. */
async function throwUnlessGone(context: Context, id: string, error: unknown): Promise<void> {
  const isUncertain = error instanceof SvcError && error.exitReason === 'unavailable';
  if (!isUncertain) throw error;
  const client = await context.client();
  const left = await client.call('listEnvironments', {}).catch(() => undefined);
  if (!Array.isArray(left) || left.some(({ _id }) => _id === id)) throw error;
  context.note('The service reported an error, but the environment is gone.');
}
