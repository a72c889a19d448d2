import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { layoutArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';
import { layoutColumns } from './view.ts';

export const get = command({
  summary: 'Show a layout with its body',
  arguments: { layoutId: layoutArgument },
  output: 'The layout; its body is controls.values.email.body.',
  examples: {
    'svc layouts get default-layout': 'Show a layout',
    'svc layouts get default-layout --jq .controls.values.email.body': 'Print its body',
  },
  operations: ['getLayout', 'listLayouts'],
  writes: false,
  tool: 'read',
  async run(context, { args: { layoutId } }) {
    const client = await context.client();
    const path = { layoutId };
    const value = await withSuggestions(context, 'layout', layoutId, () =>
      client.call('getLayout', { path }),
    );
    const { body = '' } = value.controls.values.email ?? {};
    return result.one({
      value,
      fields: layoutColumns,
      parts: [{ title: 'Body', lines: body.split('\n') }],
      id: (layout) => layout.layoutId,
    });
  },
});
