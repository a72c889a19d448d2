// Arbitrary workflows for properties, and a folder that is removed after the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import {
  type Definition,
  type NormalWorkflow,
  toNormalWorkflow,
} from '../../src/environment/normal-form.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const awkwardTexts = [
  '',
  'line one\nline two\n',
  'windows\r\nline breaks\r\n',
  ' trailing blank \n\n',
  '\ufeffbyte order mark\n',
  'true',
  'null',
  '1e3',
  '0x10',
  '2026-01-15',
  '- a\n- b',
  '# comment\n',
  '{{payload.name | default: "x"}}',
  '"quotes" and \'quotes\' and \\',
  'tab\tand \u0007 bell \u2028 separator \u0085',
  '😀 half \ud83d',
  '---\na: b\n...\n',
  '<p>Hello</p>',
  '{"type":"doc","content":[]}',
];

export const anyText = fc.oneof(
  fc.constantFrom(...awkwardTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const anyName = fc.oneof(
  fc.constantFrom(
    'body',
    'subject',
    '$file',
    '$literal',
    '__proto__',
    '../x',
    'a b',
    '<<',
    '10',
    'Body',
  ),
  fc.stringMatching(/^[a-z]{1,6}$/),
);

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(anyName, tie('value'), { maxKeys: 3 }),
  ),
}));

export const anyObject = fc
  .dictionary(anyName, anyValue, { maxKeys: 5, noNullPrototype: true })
  // As the service would return it.
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

type Arbitraries = Record<string, fc.Arbitrary<unknown>>;

/** `ofStep` and `ofWorkflow` are further members. */
function workflows(
  id: RegExp,
  types: readonly string[],
  ofStep: Arbitraries,
  ofWorkflow: Arbitraries,
) {
  const step = fc.record({
    stepId: fc.stringMatching(id),
    name: anyText.map((text) => text.slice(0, 64) || 'Step'),
    type: fc.constantFrom(...types),
    controlValues: anyObject,
    ...ofStep,
  });
  return fc
    .record({
      workflowId: fc.stringMatching(id),
      name: anyText.map((text) => text.slice(0, 64) || 'Workflow'),
      description: anyText,
      tags: fc.uniqueArray(anyText, { maxLength: 3 }),
      active: fc.boolean(),
      severity: fc.constantFrom('none', 'low', 'medium', 'high'),
      validatePayload: fc.boolean(),
      payloadSchema: fc.option(anyObject),
      isTranslationEnabled: fc.boolean(),
      steps: fc.uniqueArray(step, { maxLength: 3, selector: ({ stepId }) => stepId }),
      ...ofWorkflow,
    })
    .map(toNormalWorkflow);
}

/** Workflows of servers up to 3.19, and with a member that svc does not know. */
export const anyWorkflow: fc.Arbitrary<NormalWorkflow> = workflows(
  /^[a-zA-Z]{1,4}([-_.][a-z0-9]{1,3}){0,2}$/,
  ['in_app', 'email', 'sms', 'digest', 'delay', 'tool', 'other'],
  { quorum: anyValue },
  { agent: anyObject },
);

/** Workflows of server 3.11, which the sandbox stores as they are. */
export const anyOlderWorkflow: fc.Arbitrary<NormalWorkflow> = workflows(
  /^[a-z]{1,4}(-[a-z0-9]{1,3})?$/,
  ['in_app', 'email', 'sms', 'digest', 'delay', 'custom'],
  {},
  {},
);

export const asResource = (value: NormalWorkflow): Definition => ({
  kind: 'workflow',
  id: value.workflowId,
  value,
});
