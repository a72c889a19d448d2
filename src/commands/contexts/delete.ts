import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { contextArguments, contextPath } from './view.ts';

export const deleteContext = command({
  summary: 'Delete a context',
  arguments: contextArguments,
  output: '{deleted, type, id}.',
  examples: {
    'svc contexts delete app jira --yes': 'Delete without confirmation',
    'svc contexts delete tenant:org-acme --dry-run': 'Show the request without sending it',
  },
  fields: ['deleted', 'type', 'id'],
  operations: ['deleteContext'],
  writes: true,
  async run(context, { args }) {
    const path = contextPath(args, 'delete');
    const name = `${path.type}:${path.id}`;
    await context.confirm(`Delete context ${name}`, 'This cannot be undone.');
    await context.call('deleteContext', { path });
    return result.report({
      value: { deleted: true, ...path },
      headline: `Deleted context ${name}`,
      ids: [name],
    });
  },
});
