// Passes every recorded response to a command that calls its operation: the command prints all of a successful response,
// and reports every error of the service with its message.
import { describe, expect, it } from 'vitest';
import { type Exchange, readCorpus } from '../support/recorded/corpus.ts';
import { isObject } from '../support/recorded/placeholders.ts';
import { openRig, type Rig, writeInput } from '../support/rig.ts';

type Answer = NonNullable<Exchange['answer']>;

const integrationId = '65a1b2c3d4e5f60718293a4b';

/** A command for each operation, by method and path. */
const commandLines: readonly [pattern: RegExp, line: string][] = [
  [/^DELETE \/v1\/events\/trigger\//, 'events cancel t1 --yes --wait-timeout 0s'],
  [/^DELETE \/v1\/integrations\//, `integrations delete ${integrationId} --yes`],
  [
    /^DELETE \/v1\/subscribers\/[^/]+\/credentials\//,
    'subscribers credentials delete u1 fcm --yes',
  ],
  [/^GET \/v1\/environments$/, 'environments list'],
  [/^GET \/v1\/notifications$/, 'activity list --limit 1'],
  [/^GET \/v1\/subscribers\/[^/]+\/notifications\/feed/, 'inbox list u1 --limit 1'],
  [/^GET \/v2\/contexts$/, 'contexts list --limit 1'],
  [/^GET \/v2\/contexts\/[^/]+\//, 'contexts get tenant org-acme'],
  [/^GET \/v2\/subscribers\/[^/]+\/preferences/, 'subscribers preferences get u1'],
  [/^GET \/v2\/topics\/?$/, 'topics list --limit 1'],
  [/^GET \/v2\/topics\/[^/]+$/, 'topics get news'],
  [/^GET \/v2\/workflows$/, 'workflows list --limit 1'],
  [/^GET \/v2\/workflows\/[^/]+$/, 'workflows get welcome'],
  [/^GET \/v2\/workflows\/[^/]+\/steps\//, 'workflows step welcome in-app'],
  [
    /^PATCH \/v1\/subscribers\/[^/]+\/credentials/,
    'subscribers credentials set u1 --provider fcm --device-token a',
  ],
  [/^PATCH \/v2\/subscribers\/[^/]+\/preferences/, 'subscribers preferences update u1 --email off'],
  [/^PATCH \/v2\/topics\//, 'topics rename news News'],
  [/^POST \/v1\/environments$/, 'environments create Staging --color #112233'],
  [/^POST \/v1\/events\/trigger\/bulk/, 'events trigger welcome --to u1'],
  [/^POST \/v1\/subscribers\/bulk/, 'subscribers bulk-import users.csv'],
  [
    /^POST \/v1\/subscribers\/[^/]+\/messages\/mark-as/,
    `inbox mark u1 read ${integrationId} --yes`,
  ],
  [/^POST \/v2\/topics\/[^/]+\/subscriptions/, 'topics subscribe news u1 --create'],
  [/^PUT \/v1\/integrations\//, `integrations update ${integrationId} --name Renamed --yes`],
];

const sampleValues: readonly [RegExp, string][] = [
  [/<iso>/g, '2026-01-15T12:00:00.000Z'],
  [/<objectId>|\{\{\w+\.\w+\}\}/g, integrationId],
  [/<txn>/g, 'txn_6774858005787ee036e9fda0'],
  [/<hex64>/g, 'a'.repeat(64)],
  [/<hex32>/g, 'b'.repeat(32)],
  [/<uuid>/g, '6f1e0d8c-3b5a-4c1d-9e2f-7a8b9c0d1e2f'],
];

/** Replaces the placeholders of a recorded body by values of their kind. */
const sampleBody = ({ body }: Answer): unknown =>
  JSON.parse(
    sampleValues.reduce(
      (text, [placeholder, value]) => text.replace(placeholder, value),
      JSON.stringify(body ?? null),
    ),
  );

interface Answered {
  title: string;
  command: string;
  method: string;
  answer: Answer;
}

const answered = readCorpus().flatMap(({ area, n, name, request, answer }) => {
  const line = `${request.method} ${request.path.split('?')[0]}`;
  const [, command] = commandLines.find(([pattern]) => pattern.test(line)) ?? [];
  const title = `${area} ${n}: ${name}`;
  return answer && command ? [{ title, command, method: request.method, answer }] : [];
});

/** Runs the command. Its request gets the recorded response, and other requests get one of the sandbox. */
async function run(rig: Rig, { command, method, answer }: Answered, ...more: string[]) {
  const { status, headers } = answer;
  const response = { status, headers, ...(status === 204 ? {} : { body: sampleBody(answer) }) };
  rig.answerBy((request) => (request.method === method ? response : undefined));
  return rig.svc([...command.split(' '), ...more, '--retries', '0', '--max-wait', '1s'], {
    tty: !more.includes('--json'),
  });
}

const isSuccess = ({ status }: Answer) => status < 300;
const readData = (body: unknown): unknown => {
  const data = isObject(body) && 'data' in body ? body.data : body;
  return isObject(data) && 'workflows' in data && 'totalCount' in data ? data.workflows : data;
};
const isRead = (command: string) => / (list|get|step)\b/.test(command);

it('almost every recorded exchange has a command', () => {
  const all = readCorpus().filter(({ answer }) => answer);
  expect(answered.length).toBeGreaterThan(350);
  // The others have paths that no operation has.
  expect(all.length - answered.length).toBeLessThan(15);
});

describe.each(answered.filter(({ answer }) => isSuccess(answer)))(
  'the recorded response of $title',
  (recorded) => {
    const { command, answer } = recorded;
    it('is printed on a terminal and as JSON', async () => {
      const rig = await openRig();
      writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
      const shown = await run(rig, recorded);
      // A response to another request can say that some items failed, or name none of them.
      expect({ ...shown, isKnown: [0, 3, 6].includes(shown.code) }).toMatchObject({
        isKnown: true,
      });
      expect(shown.stdout + shown.stderr).toMatch(/\S/);
      const { code, stdout } = await run(rig, recorded, '--json');
      expect(code).toBe(shown.code);
      if (!isRead(command)) return;
      const printed = JSON.parse(stdout);
      const data = readData(sampleBody(answer));
      expect(printed).toEqual(Array.isArray(data) ? data.slice(0, 1) : data);
    });
  },
);

describe.each(answered.filter(({ answer }) => !isSuccess(answer)))(
  'the recorded error of $title',
  (recorded) => {
    const { answer } = recorded;
    it('is reported with its status and message', async () => {
      const rig = await openRig();
      writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
      const { code, stdout, stderr } = await run(rig, recorded, '--json');
      expect(exitCodes(answer)).toContain(code);
      const body = sampleBody(answer) as { message: string | string[] };
      const printed = (stdout + stderr).replaceAll('\\"', '"');
      const texts = [
        `"status":${answer.status},`,
        ...errorMessages(body),
        ...[body.message].flat(),
      ];
      expect(texts.filter((text) => printed.includes(text.slice(0, 100)))).not.toEqual([]);
    });
  },
);

function exitCodes({ status }: Answer): number[] {
  if (status === 401) return [4];
  if (status === 404) return [5];
  // A 400 can mean that a subscriber does not exist.
  return status >= 500 ? [7] : [3, 5, 6];
}

/** The messages about single fields, without the position of the item in the request. */
const errorMessages = (body: unknown): string[] =>
  isObject(body) && isObject(body.errors)
    ? Object.values(body.errors)
        .flatMap((error) => (isObject(error) ? (error.messages as string[]) : []))
        .map((message) => message.replace(/^\w+\.\d+\./, ''))
    : ['exceeds the maximum request size'];
