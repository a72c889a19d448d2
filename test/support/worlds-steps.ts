// Arbitrary texts and steps of workflows, for properties.
import fc from 'fast-check';
import type { WorkflowState } from '../../src/sandbox/state/schema.ts';

const oddTexts = [
  'x'.repeat(250),
  'שלום עולם',
  '\u202eright to left',
  '😀👩‍👩‍👧‍👦🏳️‍🌈',
  '"double" and \'single\' \\',
  'two\nlines\tand a tab',
  '\u0007bell \u001b[31mred\u001b[0m \u2028 separator',
  '42',
  '-1',
  '1e3',
  '0x10',
  'true',
  'null',
  '--help',
  '-rf',
  '__proto__',
  'constructor',
  '<b>bold</b> & <script>alert(1)</script>',
  '../up',
  'a%2Fb?c=d#e',
  '# comment: [a, {b',
  ' blanks around ',
  '\ufeffmark',
];

/** A text that is not blank. */
export const oddName: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.constantFrom('Ada', 'Welcome', 'Order update') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .map((text) => (/\S/.test(text) ? text : 'blank')),
  },
);
/** As a service stores it: without blanks around it, and not too long. */
export const storedName = oddName.map((text) => text.slice(0, 60).toWellFormed().trim());
export const oddText = fc.oneof({ weight: 4, arbitrary: oddName }, fc.constantFrom('', ' '));

/** Without members that are undefined, which are not JSON. */
export const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

export const anyPayload = fc.record({
  name: fc.oneof(fc.constantFrom('Ada', '', 'Дмитрий'), oddText),
  vip: fc.boolean(),
  until: fc.constantFrom('2026-01-16T12:00:00.000Z', '2020-01-01T00:00:00.000Z', 'soon'),
});

type Step = Pick<NonNullable<WorkflowState['steps']>[number], 'type' | 'controlValues'>;
type Controls = { [Type in Step['type']]?: fc.Arbitrary<object> };

interface Contents {
  content: fc.Arbitrary<string>;
  url: fc.Arbitrary<string>;
  /** Null and undefined are a layout, too. */
  layoutId: fc.Arbitrary<string | null | undefined>;
  wait: fc.Arbitrary<object>;
}

const valid: Contents = {
  content: fc.constantFrom(
    ...['Hello', 'Hi {{subscriber.firstName}}', 'To {{payload.name}}', 'two\r\nlines\n'],
  ),
  url: fc.constantFrom('https://example.com/a', '/orders/1'),
  layoutId: fc.constantFrom(undefined, null),
  wait: fc.record({
    type: fc.constant('regular'),
    amount: fc.constantFrom(1, 5),
    unit: fc.constantFrom('minutes', 'days'),
  }),
};

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: usual }, odd);

/** Most of them are valid. */
const any: Contents = {
  content: mostly(
    valid.content,
    fc.constantFrom(
      ...['', '{{payload.missing}}', '{{payload.name', '<script>x</script><b>bold</b>'],
      ...['{% if payload.vip %}VIP{% endif %}', '{{steps.wait.eventCount}}'],
    ),
  ),
  url: mostly(valid.url, fc.constantFrom('nonsense', '', 'mailto:a@b.c')),
  layoutId: mostly(valid.layoutId, fc.constantFrom('plain', 'missing')),
  wait: fc.oneof(
    valid.wait,
    fc.record(
      {
        type: fc.constantFrom('regular', 'dynamic'),
        amount: fc.constantFrom(1, 5, 0, 100_000),
        unit: fc.constantFrom('minutes', 'days', 'fortnights'),
        dynamicKey: fc.constantFrom('payload.until', 'payload.missing'),
      },
      { requiredKeys: [] },
    ),
  ),
};

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const controlsOf = ({ content, url, layoutId, wait }: Contents): Controls => ({
  in_app: fc.record({
    subject: maybe(content),
    body: content,
    redirect: maybe(fc.record({ url })),
    avatar: maybe(url),
    data: fc.constantFrom(undefined, { html: '<script>x</script>' }),
  }),
  email: fc.record({
    ...{ subject: content, body: content, layoutId },
    disableOutputSanitization: fc.constantFrom(undefined, true),
  }),
  sms: fc.record({ body: content }),
  push: fc.record({ subject: content, body: content }),
  delay: wait,
  digest: wait,
});
const otherControls = ({ content }: Contents): Controls => ({
  chat: fc.record({ body: content }),
  throttle: fc.record({
    type: fc.constant('fixed'),
    amount: fc.constantFrom(1, 5),
    unit: fc.constantFrom('minutes', 'days'),
    threshold: fc.constantFrom(1, 2),
  }),
});

const condition = { '==': [{ var: 'payload.name' }, 'Ada'] };
const skip = fc.constantFrom(undefined, undefined, undefined, condition, { '!': [condition] });

const stepOf = (byType: Controls): fc.Arbitrary<Step> =>
  fc.oneof(
    ...Object.entries(byType).map(([type, controls]) =>
      fc
        .tuple(controls, skip)
        .map(([values, condition]) =>
          toJson({ type, controlValues: { ...values, skip: condition } } as Step),
        ),
    ),
  );

export const anyStep = stepOf({ ...controlsOf(any), ...otherControls(any) });
/** A step that the service accepts. */
export const validStep = stepOf({ ...controlsOf(valid), ...otherControls(valid) });
/** A step whose preview and run can be compared. */
export const previewableStep = stepOf(controlsOf(any));
