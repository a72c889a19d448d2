import type { Context } from '../../../app/context.ts';
import { required } from '../../../cli/options.ts';
import { readEnvironmentId } from '../../../environment/environments.ts';
import type { Column } from '../../../output/result.ts';
import type { EnvironmentVariable } from '../../../service/schemas/environment-variables.ts';

export const keyOf = ({ key }: EnvironmentVariable) => key;

/** Servers until 3.18.0 show the values of the other environments, too. */
export async function variableColumns(
  context: Context,
): Promise<readonly Column<EnvironmentVariable>[]> {
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

export const keyArgument = required('<key>', 'Key of the variable, such as BASE_URL', 'variables');
