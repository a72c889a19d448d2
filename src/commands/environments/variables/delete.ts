import type { Context } from '../../../app/context.ts';
import { reportDeletions, runNamed } from '../../../bulk/command/run-named.ts';
import { requestPerId } from '../../../bulk/operations/id-list.ts';
import { command } from '../../../cli/command.ts';
import { rest } from '../../../cli/options.ts';
import { ifExists } from '../../../core/errors.ts';
import { counted, listText } from '../../../core/text.ts';

export const deleteVariables = command({
  summary: 'Delete the values of variables in the environment',
  details:
    'Other environments keep their values. The service deletes the variable with its last value. svc names the workflows that use a variable, and asks.',
  arguments: {
    keys: rest(
      '<key|-...>',
      'Keys of the variables; - reads them from standard input, one per line',
      'variables',
    ),
  },
  output: '[{key, deleted, error}]; with -o ids, the keys that were deleted.',
  exitCodes: ['partial'],
  examples: {
    'svc environments variables delete BASE_URL --yes': 'Delete without confirmation',
    'svc environments variables delete BASE_URL TOKEN --dry-run':
      'Show the requests without sending them',
  },
  fields: ['key', 'deleted', 'error'],
  operations: ['deleteEnvironmentVariable', 'getEnvironmentVariableUsage'],
  writes: true,
  run: (context, { args: { keys } }) =>
    runNamed(context, {
      ids: keys,
      noun: 'variable',
      next: ['svc environments variables list'],
      async confirm(target, ids = []) {
        for (const key of ids) await noteUsage(context, key);
        await context.confirm(`Delete the value of ${target}`, 'This cannot be undone.');
      },
      openSender: (readId) =>
        requestPerId('deleteEnvironmentVariable', readId, { field: 'variableKey' }),
      report: reportDeletions('key', 'variable'),
    }),
});

/** Names the workflows that use a variable. */
async function noteUsage(context: Context, key: string): Promise<void> {
  const path = { variableKey: key };
  const { workflows = [] } =
    (await ifExists(context.call('getEnvironmentVariableUsage', { path }))) ?? {};
  const ids = workflows.map(({ workflowId }) => workflowId);
  if (ids.length > 0)
    context.note(`${key} is used by ${counted(ids.length, 'workflow')}: ${listText(ids)}.`);
}
