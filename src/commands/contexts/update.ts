import { command } from '../../cli/command.ts';
import { json } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { readJsonObject } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { contextArguments, contextColumns, contextId, contextPath } from './view.ts';

export const update = command({
  summary: 'Replace the data of a context',
  details: 'The service replaces the data as a whole: fields that are not given are removed.',
  arguments: contextArguments,
  options: { data: json('--data <json|@file>', 'New data as a JSON object; required') },
  output: 'The updated context.',
  examples: {
    'svc contexts update tenant org-acme --data \'{"name":"Acme","plan":"pro"}\'':
      'Replace the data of a context',
    "svc contexts update tenant:org-acme --data '{}' --dry-run":
      'Show the request that removes all data',
  },
  operations: ['updateContext'],
  writes: true,
  async run(context, { args, options: { data } }) {
    const path = contextPath(args, 'update');
    if (data === undefined) {
      throw usageError('--data is required.', {
        next: [`svc contexts update ${shellWord(path.type)} ${shellWord(path.id)} --data '{}'`],
      });
    }
    const body = { data: await readJsonObject(data, '--data', context.host) };
    const value = await context.call('updateContext', { path, body });
    const headline = `Updated context ${path.type}:${path.id}`;
    return result.one({ value, fields: contextColumns, id: contextId, headline });
  },
});
