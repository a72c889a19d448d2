import { optional, required } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import type { Column } from '../../output/result.ts';
import type { Context } from '../../service/schemas/contexts.ts';

export const contextColumns: readonly Column<Context>[] = [
  { field: 'type', header: 'TYPE' },
  { field: 'id', header: 'ID', tone: () => 'strong' },
  { field: 'data', header: 'DATA', shrink: true, drop: 3 },
  { field: 'createdAt', header: 'CREATED', time: true, drop: 2 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 1 },
];

export const contextId = ({ type, id }: Context) => `${type}:${id}`;

// The arguments that name a context.

export const contextArguments = {
  type: required('<type>', 'Type of the context, or type:id', 'contexts'),
  id: optional('[id]', 'Id of the context', { value: 'id' }),
};

/** Accepts `tenant org-acme` and `tenant:org-acme`. `verb` is the command, for errors. */
export function contextPath(
  { type, id }: { type: string; id: string | undefined },
  verb: string,
): { type: string; id: string } {
  if (id !== undefined) return { type, id };
  const colon = type.indexOf(':');
  if (colon > 0) return { type: type.slice(0, colon), id: type.slice(colon + 1) };
  throw usageError(`\`${type}\` is a context type. The id of the context is missing.`, {
    next: [
      `svc contexts ${verb} ${shellWord(type)} <id>`,
      `svc contexts list --type ${shellWord(type)}`,
    ],
  });
}
