import type { Context } from '../../../app/context.ts';
import { reportDeletions, runNamed } from '../../../bulk/command/run-named.ts';
import { requestPerId } from '../../../bulk/operations/id-list.ts';
import { command, type Group } from '../../../cli/command.ts';
import { required, rest, text } from '../../../cli/options.ts';
import { ifExists } from '../../../core/errors.ts';
import { counted, listText } from '../../../core/text.ts';
import { readEnvironmentId } from '../../../environment/environments.ts';
import type { Column } from '../../../output/result.ts';
import * as result from '../../../output/result.ts';
import type { EnvironmentVariable } from '../../../service/schemas/environment-variables.ts';
import { set } from './set.ts';

const keyOf = ({ key }: EnvironmentVariable) => key;

/** Servers until 3.18.0 show the values of the other environments, too. */
async function variableColumns(context: Context): Promise<readonly Column<EnvironmentVariable>[]> {
  const id = await readEnvironmentId(await context.connection.service());
  const isOwn = ({ _environmentId }: { _environmentId: string }) =>
    id === undefined || _environmentId === id;
  return [
    { field: 'key', header: 'KEY', tone: () => 'strong' },
    {
      field: 'values',
      header: 'VALUE',
      shrink: true,
      value: ({ values }) => values.find(isOwn)?.value ?? '',
    },
    { field: 'isSecret', header: 'SECRET', drop: 2 },
    { field: 'updatedAt', header: 'UPDATED', time: true, drop: 1 },
  ];
}

const keyArgument = required('<key>', 'Key of the variable, such as BASE_URL', 'variables');

const list = command({
  summary: 'List the variables of the environment with their values',
  details: 'The service hides the values of secrets.',
  options: { search: text('--search <text>', 'Only variables whose key contains this text') },
  output:
    'A list of variables. As JSON, [{key, isSecret, values: [{_environmentId, value}]}]; with -o ids, the keys.',
  examples: [
    { line: 'svc environments variables list', description: 'List all variables' },
    {
      line: "svc environments variables list --jq '.[] | select(.values == []) | .key'",
      description: 'Print the variables without a value in this environment',
    },
  ],
  operations: ['listEnvironmentVariables', 'listEnvironments'],
  writes: false,
  tool: 'read',
  async run(context, { options: { search } }) {
    const client = await context.client();
    const query = search === undefined ? {} : { search };
    const variables = await client.call('listEnvironmentVariables', { query });
    return result.list({
      pages: result.onePage(variables),
      columns: await variableColumns(context),
      id: keyOf,
      empty: 'No variables.',
    });
  },
});

const get = command({
  summary: 'Show a variable with its value in the environment',
  details: 'The service hides the value of a secret.',
  arguments: { key: keyArgument },
  output: 'The variable.',
  examples: [
    { line: 'svc environments variables get BASE_URL', description: 'Show one variable' },
    {
      line: "svc environments variables get BASE_URL --jq '.values[0].value'",
      description: 'Print only its value',
    },
  ],
  operations: ['getEnvironmentVariable', 'listEnvironments'],
  writes: false,
  tool: 'read',
  async run(context, { args: { key } }) {
    const client = await context.client();
    const value = await client.call('getEnvironmentVariable', { path: { variableKey: key } });
    return result.one({ value, fields: await variableColumns(context), id: keyOf });
  },
});

const usage = command({
  summary: 'List the workflows whose templates use a variable',
  arguments: { key: keyArgument },
  output: 'A list of {workflowId, name}; with -o ids, the identifiers of the workflows.',
  examples: [
    { line: 'svc environments variables usage BASE_URL', description: 'Show where it is used' },
    {
      line: 'svc environments variables usage BASE_URL -o ids | xargs -n 1 svc workflows get',
      description: 'Show these workflows',
    },
  ],
  fields: ['workflowId', 'name'],
  operations: ['getEnvironmentVariableUsage'],
  writes: false,
  tool: 'read',
  async run(context, { args: { key } }) {
    const client = await context.client();
    const path = { variableKey: key };
    const { workflows } = await client.call('getEnvironmentVariableUsage', { path });
    return result.list({
      pages: result.onePage(workflows),
      columns: [
        { field: 'workflowId', header: 'WORKFLOW', tone: () => 'strong' },
        { field: 'name', header: 'NAME', shrink: true },
      ],
      id: ({ workflowId }) => workflowId,
      empty: 'No workflow uses the variable.',
    });
  },
});

const deleteVariables = command({
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
  examples: [
    {
      line: 'svc environments variables delete BASE_URL --yes',
      description: 'Delete without confirmation',
    },
    {
      line: 'svc environments variables delete BASE_URL TOKEN --dry-run',
      description: 'Show the requests without sending them',
    },
  ],
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
  const { call } = await context.client();
  const path = { variableKey: key };
  const { workflows = [] } = (await ifExists(call('getEnvironmentVariableUsage', { path }))) ?? {};
  const ids = workflows.map(({ workflowId }) => workflowId);
  if (ids.length > 0)
    context.note(`${key} is used by ${counted(ids.length, 'workflow')}: ${listText(ids)}.`);
}

export const group: Group = {
  summary: 'List, set and delete the variables that templates read as {{env.KEY}}',
  details:
    'A variable belongs to the organization and has a value for each environment. These commands show and change the value of the environment of the API key, on servers since 3.15. `svc environments pull` and `push` keep them in variables.yaml.',
  commands: { list, get, set, delete: deleteVariables, usage },
};
