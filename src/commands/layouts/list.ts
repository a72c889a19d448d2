import { command } from '../../cli/command.ts';
import {
  choice,
  integer,
  listOptions,
  orderDirection,
  orderOption,
  text,
} from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { layoutColumns } from './view.ts';

export const list = command({
  summary: 'List layouts',
  options: {
    query: text('--query <text>', 'Only layouts whose name or identifier contains this'),
    orderBy: choice(
      '--order-by <field>',
      ['createdAt', 'updatedAt', 'name'],
      'Sort by this field',
      { group: 'List options' },
    ),
    ...orderOption,
    ...listOptions,
    offset: integer('--offset <n>', 'Skip the first n layouts', { min: 0, group: 'List options' }),
  },
  output: 'A list of layouts without their bodies; with -o ids, their identifiers.',
  examples: {
    'svc layouts list': 'The first 50 layouts',
    'svc layouts list --all -o ids': 'The identifiers of all layouts',
  },
  operations: ['listLayouts'],
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const { query: search, orderBy, order, offset } = options;
    const query = { query: search, orderBy, orderDirection: orderDirection(order), offset };
    return result.list({
      pages: context.pages('listLayouts', { query }, options),
      columns: layoutColumns,
      id: ({ layoutId }) => layoutId,
      ...result.emptyList(
        'layouts',
        { search },
        { 'Create some from files': 'svc workflows push <folder-or-file>' },
      ),
      ...nextPageHint('svc layouts list', context, options),
    });
  },
});
