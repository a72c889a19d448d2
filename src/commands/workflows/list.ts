import { command } from '../../cli/command.ts';
import {
  choice,
  integer,
  listOptions,
  orderDirection,
  orderOption,
  several,
  severalOf,
  text,
} from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { workflowOrders, workflowStatuses } from '../../service/schemas/vocabulary.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { workflowColumns } from './view.ts';

export const list = command({
  summary: 'List workflows',
  options: {
    query: text('--query <text>', 'Only workflows whose name or identifier contains this'),
    tag: several('--tag <tag>', 'Only workflows with this tag'),
    status: severalOf('--status <status>', workflowStatuses, 'Only workflows with this status'),
    orderBy: choice('--order-by <field>', workflowOrders, 'Sort by this field', {
      group: 'List options',
    }),
    ...orderOption,
    ...listOptions,
    offset: integer('--offset <n>', 'Skip the first n workflows', {
      min: 0,
      group: 'List options',
    }),
  },
  output: 'A list of workflows; with -o ids, their identifiers.',
  examples: {
    'svc workflows list': 'The first 50 workflows',
    'svc workflows list --status ERROR': 'Workflows with errors',
  },
  operations: ['listWorkflows'],
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const { query: search, tag, status, orderBy, order, offset } = options;
    const query = {
      query: search,
      tags: tag,
      status,
      orderBy,
      orderDirection: orderDirection(order),
      offset,
    };
    return result.list({
      pages: context.pages('listWorkflows', { query }, options),
      columns: workflowColumns,
      id: ({ workflowId }) => workflowId,
      ...result.emptyList(
        'workflows',
        { search, tag, status },
        { 'Create some from files': 'svc workflows push <folder-or-file>' },
      ),
      ...nextPageHint('svc workflows list', context, options),
    });
  },
});
