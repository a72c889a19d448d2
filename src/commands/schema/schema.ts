// `svc schema`
import type { OperationDescription } from '../../api/describe.ts';
import { command } from '../../cli/command.ts';
import { optional } from '../../cli/options.ts';
import * as result from '../../output/result.ts';

export const schema = command({
  summary: 'Show the operations of the service as data, or one with its JSON Schema',
  arguments: { operation: optional('[operation]', 'Name of the operation') },
  output: 'The operations as data, with JSON Schemas of body and answer.',
  examples: [
    { line: 'svc schema', description: 'What there is' },
    { line: 'svc schema triggerEvents --jq .body', description: 'The JSON Schema of a body' },
  ],
  writes: false,
  async run(context, { args: { operation } }) {
    const found = await context.describe(operation);
    const [only] = found;
    if (operation !== undefined && only) return result.json(only, { unmasked: true });
    return result.list<OperationDescription>({
      pages: result.onePage(found),
      columns: [
        { field: 'operation', header: 'OPERATION', tone: () => 'strong' },
        { field: 'method', header: 'METHOD' },
        { field: 'path', header: 'PATH', shrink: 36 },
        { field: 'summary', header: 'WHAT IT DOES', shrink: true, drop: 1 },
      ],
      id: (described) => described.operation,
      empty: 'No operations.',
    });
  },
});
