// `svc workflows types`: TypeScript types of payloads.
import { describe, expect, it } from 'vitest';
import { toDeclarations } from '../../../src/commands/workflows/payload-types.ts';
import { firstLine, openStaging, openWorkflowRig, smsFile } from './workflow-folder.ts';

const declarePayload = (payloadSchema: Record<string, unknown> | null) => {
  const text = toDeclarations([{ workflowId: 'a-b', payloadSchema }]);
  return /export (?:type|interface) ABPayload =? ?([\s\S]*?);?\n\n\/\*\*/.exec(text)?.[1];
};

it.each([
  ['no schema', null, 'Record<string, unknown>'],
  ['any object', { type: 'object' }, 'Record<string, unknown>'],
  [
    'required and optional members with comments',
    {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'As shown to people */ x' },
        count: { type: 'integer' },
        'first-name': { type: ['string', 'null'] },
      },
    },
    '{\n  /** As shown to people *\\/ x */\n  name: string;\n  count?: number;\n  "first-name"?: string | null;\n}',
  ],
  [
    'lists, choices and nested objects',
    {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { enum: ['a', 1, null] } },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        post: { type: 'object', properties: { id: { const: 'x' } }, additionalProperties: true },
        extra: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
    },
    '{\n  tags?: ("a" | 1 | null)[];\n  pair?: [string, number];\n  post?: {\n    id?: "x";\n    [name: string]: unknown;\n  };\n  extra?: Record<string, boolean>;\n}',
  ],
  [
    'references, also to itself',
    {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    },
    '{\n  tree?: {\n    next?: unknown;\n  };\n}',
  ],
  [
    'alternatives',
    { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] },
    '{\n  a?: string;\n} | null',
  ],
])('the type of %s', (_what, schema, expected) => {
  expect(declarePayload(schema)).toBe(expected);
});

const orderFile = `${firstLine}\nworkflowId: order-update\npayloadSchema: { type: object, required: [id], properties: { id: { type: string } } }\n`;

describe('svc workflows types', () => {
  it('prints a type for each workflow and a map of all', async () => {
    const { svc, files } = await openWorkflowRig({ bare: true });
    files.write('workflows/order-update.yaml', orderFile);
    files.write('workflows/hello.yaml', smsFile('hello'));
    const { code, stdout, requests } = await svc(['workflows', 'types']);
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    expect(stdout).toMatchInlineSnapshot(`
      "// Made by \`svc workflows types\` from the payload schemas of workflows. Do not edit.

      /** The payload of \`hello\`. */
      export type HelloPayload = Record<string, unknown>;

      /** The payload of \`order-update\`. */
      export interface OrderUpdatePayload {
        id: string;
      }

      /** The payload of each workflow, by its id. */
      export interface WorkflowPayloads {
        hello: HelloPayload;
        "order-update": OrderUpdatePayload;
      }

      export type WorkflowId = keyof WorkflowPayloads;
      "
    `);
  });

  it('writes and compares a file', async () => {
    const { svc, files } = await openWorkflowRig({ bare: true });
    files.write('workflows/order-update.yaml', orderFile);
    const line = ['workflows', 'types', '--out', 'payloads.d.ts'];
    expect((await svc([...line, '--check'])).code).toBe(10);
    expect(await svc(line)).toMatchObject({ code: 0, stdout: 'payloads.d.ts\n' });
    expect(files.read('payloads.d.ts')).toContain('  id: string;\n');
    expect((await svc([...line, '--check', '--json'])).stdout).toContain('"unchanged"');
    files.edit('workflows/order-update.yaml', 'required: [id], ', '');
    const different = await svc([...line, '--check']);
    expect(different).toMatchObject({ code: 10, stderr: '' });
    expect(files.read('payloads.d.ts')).toContain('  id: string;\n');
    expect(await svc(['workflows', 'types', '--check'])).toMatchObject({ code: 2 });
  });

  it('reads an environment', async () => {
    const { svc } = await openStaging();
    const { code, stdout } = await svc(['workflows', 'types', '--from', 'development']);
    expect(code).toBe(0);
    expect(stdout).toContain('  welcome: WelcomePayload;\n');
  });
});
