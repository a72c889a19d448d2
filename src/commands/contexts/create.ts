import { command } from '../../cli/command.ts';
import { json, optional, required } from '../../cli/options.ts';
import { readJsonObject } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { contextColumns, contextId, contextPath } from './view.ts';

export const create = command({
  summary: 'Create a context',
  arguments: {
    type: required('<type>', 'Type of the context, or type:id', 'contextTypes'),
    id: optional('[id]', 'Id of the context', { value: 'id' }),
  },
  options: { data: json('--data <json|@file>', 'Data of the context as a JSON object') },
  output: 'The context.',
  examples: {
    'svc contexts create tenant org-initech --data \'{"name":"Initech"}\'':
      'Create a context with data',
    'svc contexts create app:notes --dry-run': 'Show the request without sending it',
  },
  operations: ['createContext', 'getContext'],
  writes: true,
  async run(context, { args, options: { data } }) {
    const path = contextPath(args, 'create');
    const body = {
      ...path,
      ...(data === undefined ? {} : { data: await readJsonObject(data, '--data', context.host) }),
    };
    const { createContext } = await import('../../environment/listed-access.ts');
    const value = await createContext(await context.client(), body);
    const headline = `Created context ${path.type}:${path.id}`;
    return result.one({ value, fields: contextColumns, id: contextId, headline });
  },
});
