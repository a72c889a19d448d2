// `svc contexts get`
import { command } from '../../cli/command.ts';
import { optional, required } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { contextColumns, contextId } from './view.ts';

export const get = command({
  summary: 'Show a context',
  arguments: {
    type: required('<type>', 'Type of the context, or type:id', 'contexts'),
    id: optional('[id]', 'Id of the context'),
  },
  output: 'The context.',
  examples: [
    { line: 'svc contexts get tenant org-acme', description: 'Show one context' },
    {
      line: 'svc contexts get tenant:org-acme',
      description: 'Use type:id, as other commands print it',
    },
  ],
  operations: ['getContext'],
  writes: false,
  async run(context, { args }) {
    const client = await context.client();
    const value = await client.call('getContext', { path: contextPath(args.type, args.id) });
    return result.one({ value, fields: contextColumns, id: contextId });
  },
});

/** Accepts `tenant org-acme` and `tenant:org-acme`. */
function contextPath(type: string, id: string | undefined): { type: string; id: string } {
  if (id !== undefined) return { type, id };
  const colon = type.indexOf(':');
  if (colon > 0) return { type: type.slice(0, colon), id: type.slice(colon + 1) };
  throw usageError(`\`${type}\` is a context type. The id of the context is missing.`, {
    next: [`svc contexts get ${type} <id>`, `svc contexts list --type ${type}`],
  });
}
