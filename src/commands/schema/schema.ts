import type { OperationDescription } from '../../api/operation-fields.ts';
import { command } from '../../cli/command.ts';
import { optional } from '../../cli/options.ts';
import * as result from '../../output/result.ts';

export const schema = command({
  summary: 'Show the operations of the service, or the JSON Schemas of one, or of a state file',
  details:
    'The source of an operation is `specification` or `service`. A server may lack operations with the source `service`; a command that needs one then exits with 5. The list omits operations that only older clients call; `svc schema <operation>` shows them, too.',
  arguments: {
    operation: optional('[operation|state]', 'Name of an operation, or state for state files'),
  },
  output:
    'The list of operations; with an operation, the JSON Schemas of its body and response; with state, the JSON Schema of the state files of the sandbox.',
  examples: {
    'svc schema': 'List all operations',
    'svc schema triggerEvents --jq .body': 'Print the JSON Schema of a request body',
    'svc schema state > state.schema.json':
      'Let an editor complete and check the state files of the sandbox',
  },
  writes: false,
  tool: 'rare',
  offline: true,
  async run(context, { args: { operation } }) {
    if (operation === 'state') {
      const { stateJsonSchema } = await context.sandbox();
      return result.json(stateJsonSchema(), { unmasked: true });
    }
    const { describeOperations } = await import('../../api/operation-fields.ts');
    const operations = await describeOperations(operation);
    const [first] = operations;
    if (operation !== undefined && first) return result.json(first, { unmasked: true });
    return result.list<OperationDescription>({
      pages: result.onePage(operations),
      columns: [
        { field: 'operation', header: 'OPERATION', tone: () => 'strong' },
        { field: 'method', header: 'METHOD' },
        { field: 'path', header: 'PATH', shrink: 36 },
        { field: 'summary', header: 'SUMMARY', shrink: true, drop: 1 },
        { field: 'source', header: 'SOURCE', drop: 2 },
      ],
      id: (item) => item.operation,
      empty: 'No operations.',
    });
  },
});
