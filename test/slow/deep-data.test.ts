// Deeply nested responses: reported as an invalid response of the service, in every format.
import { describe, expect, it } from 'vitest';
import { dataFormats } from '../support/formats.ts';
import { openRig } from '../support/rig.ts';

const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const formats = [
  [],
  ['-o', 'table'],
  ...dataFormats,
  ['--json', '--reveal'],
  ['-o', 'yaml', '--reveal'],
];

const topic = (deep: string) => `{"_id":"1","key":"news","deep":${deep}}`;
const toPage = (items: string) => `{"data":${items},"next":null,"previous":null,"totalCount":1}`;

const responses: [name: string, line: string[], text: (deep: string) => string][] = [
  ['an item', ['topics', 'list'], (deep) => toPage(`[${topic(deep)}]`)],
  ['a record', ['topics', 'get', 'news'], topic],
  ['a response to svc api', ['api', 'GET', '/v2/topics'], (deep) => deep],
  [
    'pages for svc api',
    ['api', 'GET', '/v2/x', '--paginate'],
    (deep) => toPage(`[${topic(deep)}]`),
  ],
  [
    'a workflow',
    ['workflows', 'get', 'x'],
    (deep) => `{"_id":"1","workflowId":"x","name":"x","steps":[],"issues":${deep}}`,
  ],
  [
    'an event',
    ['activity', 'get', 't'],
    (deep) =>
      `{"data":[{"_id":"1","transactionId":"t","payload":${deep},"jobs":[]}],"hasMore":false,"page":0,"pageSize":50}`,
  ],
];

const kinds = [
  ['arrays', arrays],
  ['objects', objects],
] as const;

describe.each(kinds)('%s', (_kind, nested) => {
  describe.each([5_000, 100_000])('nested %i deep', (depth) => {
    it.each(responses)('in %s exit with 7 in every format', async (_name, line, text) => {
      const { svc, answer } = await openRig();
      for (const format of formats) {
        for (const tty of [false, true]) {
          answer({ status: 200, text: text(nested(depth)) });
          const { code, stderr } = await svc([...line, ...format], { tty });
          // On a terminal, the message is broken into lines.
          const message = stderr.replace(/\s+/g, ' ');
          expect({ format, tty, code, message }).toEqual({
            format,
            tty,
            code: 7,
            message: expect.stringContaining('nested too deeply: more than 120 levels'),
          });
        }
      }
    });

    it('in a field of --fields exit with 7', async () => {
      const { svc, answer } = await openRig();
      for (const format of ['json', 'csv', 'yaml', 'table']) {
        answer({ status: 200, text: toPage(`[${topic(nested(depth))}]`) });
        const { code } = await svc(['topics', 'list', '--fields', 'key,deep.x', '-o', format]);
        expect(code).toBe(7);
      }
    });

    it('in place of a list or its items exit with 7', async () => {
      const { svc, answer } = await openRig();
      for (const text of [nested(depth), toPage(nested(depth))]) {
        answer({ status: 200, text });
        expect((await svc(['topics', 'list', '--json', '--limit', '1'])).code).toBe(7);
      }
    });

    it('in an error response do not hide its status and message', async () => {
      const { svc, answer } = await openRig();
      for (const more of [[], ['--json'], ['--debug=body']]) {
        for (const member of ['errors', 'ctx', 'extra']) {
          const text = `{"statusCode":400,"message":"No such thing","${member}":${nested(depth)}}`;
          answer({ status: 400, text });
          const { code, stderr } = await svc(['topics', 'get', 'news', ...more]);
          expect(code).toBe(6);
          expect(stderr).toContain('No such thing');
        }
        answer({ status: 400, text: `{"message":${nested(depth)}}` });
        expect((await svc(['topics', 'get', 'news', ...more])).code).toBe(6);
        answer({ status: 400, text: nested(depth) });
        expect((await svc(['topics', 'get', 'news', ...more])).code).toBe(6);
      }
    });

    it('in the response to a write are reported with the success of the write', async () => {
      const { svc, answer } = await openRig();
      answer({ status: 200, text: topic(nested(depth)) });
      const { code, stderr } = await svc(['topics', 'rename', 'news', 'News', '--json']);
      expect(code).toBe(7);
      expect(stderr).toContain('The write succeeded; only its response cannot be read.');
    });
  });

  it.each(formats)('nested 115 deep are printed with %s %s', async (...format) => {
    const { svc, answer } = await openRig();
    answer({ status: 200, text: topic(nested(115)) });
    expect((await svc(['topics', 'get', 'news', ...format])).code).toBe(0);
  });
});
