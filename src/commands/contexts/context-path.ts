// The arguments that name a context.
import { optional, required } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';

export const contextArguments = {
  type: required('<type>', 'Type of the context, or type:id', 'contexts'),
  id: optional('[id]', 'Id of the context'),
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
