import { command } from '../../cli/command.ts';
import { cursorOptions, cursorQuery, id, listOptions, text } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { contextColumns, contextId } from './view.ts';

export const list = command({
  summary: 'List contexts',
  options: {
    id: id('--id <id>', 'Only contexts with this id'),
    type: text('--type <type>', 'Only contexts of this type', { complete: 'contextTypes' }),
    search: text('--search <text>', 'Only contexts whose type:id contains this'),
    ...listOptions,
    ...cursorOptions,
  },
  output: 'A list of contexts; with -o ids, type:id.',
  examples: {
    'svc contexts list': 'List the newest 50 contexts',
    'svc contexts list --type tenant -o ids':
      'Print type:id of every tenant, to pipe to another command',
  },
  operations: ['listContexts'],
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const { id, type, search } = options;
    const query = { id, type, search, ...cursorQuery(options) };
    return result.list({
      pages: context.pages('listContexts', { query }, options),
      columns: contextColumns,
      id: contextId,
      ...result.emptyList(
        'contexts',
        { id, type, search },
        { 'Create one': 'svc contexts create <type> <id>' },
      ),
      ...nextPageHint('svc contexts list', context, options),
    });
  },
});
