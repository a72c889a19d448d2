import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { contextArguments, contextColumns, contextId, contextPath } from './view.ts';

export const get = command({
  summary: 'Show a context',
  arguments: contextArguments,
  output: 'The context.',
  examples: {
    'svc contexts get tenant org-acme': 'Show one context',
    'svc contexts get tenant:org-acme': 'Use type:id, as other commands print it',
  },
  operations: ['getContext'],
  writes: false,
  tool: 'read',
  async run(context, { args }) {
    const value = await context.call('getContext', { path: contextPath(args, 'get') });
    return result.one({ value, fields: contextColumns, id: contextId });
  },
});
