// Command lines and answers that bring about each ending of the table.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../support/built.ts';
import { activityOf } from '../support/late-jobs.ts';

interface Answer {
  status: number;
  body?: unknown;
  text?: string;
}

export interface Trial {
  when: string;
  line: string;
  /** What the service answers, in order; the last answer for all that follow. None: it is not asked. */
  answers?: readonly Answer[];
  env?: Record<string, string>;
  before?: (home: Home) => void;
  stdin?: string;
}

const id = '677485809bebc841f620134a';
const refusal = (status: number, message = `answered with ${status}`): Answer => ({
  status,
  body: { statusCode: status, message, path: '/v2/topics', timestamp: '2026-01-15T12:00:00Z' },
});
const imported = (...failed: string[]): Answer => ({
  status: 201,
  body: {
    created: ['a', 'b']
      .filter((one) => !failed.includes(one))
      .map((subscriberId) => ({ subscriberId })),
    updated: [],
    failed: failed.map((subscriberId) => ({ subscriberId, message: 'no room' })),
  },
});
const triggered = (status: string) => ({
  status: 201,
  body: [{ acknowledged: true, status, transactionId: 'txn_1', error: ['not there'] }],
});
const two = 'subscriberId\na\nb\n';
const bulk = 'subscribers bulk-import - --format csv';
const list = 'topics list --retries 0';
const finished = {
  status: 200,
  body: { data: [activityOf('txn_1', ['completed'])], page: 0, pageSize: 50, hasMore: false },
};
const noTopics = { status: 200, body: { data: [], next: null, previous: null, totalCount: 0 } };

/** For each exit code, by number. */
export const trials: Record<number, readonly Trial[]> = {
  0: [
    { when: 'a list is empty', line: list, answers: [noTopics] },
    {
      when: 'a cancel has nothing left to cancel',
      line: 'events cancel txn_1 --yes',
      answers: [{ status: 200, body: false }, finished],
    },
  ],
  1: [
    {
      when: 'svc itself is broken',
      line: 'topics rename news News',
      env: { NODE_OPTIONS: '--require ./broken.cjs' },
      before: ({ folder }) =>
        writeFileSync(
          path.join(folder, 'broken.cjs'),
          'Buffer.concat = Buffer.byteLength = () => { throw new TypeError("broken"); };',
        ),
      answers: [{ status: 200, body: { key: 'news', name: 'News' } }],
    },
  ],
  2: [
    { when: 'an option is unknown', line: 'topics list --limt 3' },
    { when: 'an argument is missing', line: 'topics get' },
    { when: 'a value is wrong', line: 'topics list --limit many' },
    { when: 'writing is forbidden', line: 'topics rename news News --read-only' },
    { when: 'a confirmation is missing', line: `integrations delete ${id}` },
    { when: 'an input file does not exist', line: 'subscribers bulk-import nowhere.csv' },
    { when: 'an input has no column for the id', line: bulk, stdin: 'colour\nred\n' },
  ],
  3: [
    { when: 'a row is invalid', line: bulk, stdin: `${two},\n`, answers: [imported()] },
    { when: 'the service refuses an item', line: bulk, stdin: two, answers: [imported('b')] },
    {
      when: 'a run stops for --max-errors',
      line: `${bulk} --max-errors 0`,
      stdin: `,\n${two}`.replace(',\nsubscriberId', 'subscriberId\n""'),
      answers: [imported()],
    },
    {
      when: 'the input breaks off',
      line: 'subscribers bulk-import - --format ndjson',
      stdin: '{"subscriberId":"a"}\n{"subscriberId":',
      answers: [imported()],
    },
    {
      when: 'one of several events is not processed',
      line: 'events trigger --file - --yes',
      stdin: '{"name":"w","to":["a"]}\n{"name":"w","to":["b"]}\n',
      answers: [
        { status: 201, body: [...triggered('processed').body, ...triggered('error').body] },
      ],
    },
  ],
  4: [
    { when: 'there is no key', line: list, env: { SVC_API_KEY: '' } },
    { when: 'there is no base URL', line: list, env: { SVC_BASE_URL: '', SVC_API_KEY: '' } },
    { when: 'the key is refused', line: list, answers: [refusal(401)] },
    { when: 'the key may not', line: list, answers: [refusal(403)] },
    { when: 'a run meets 401', line: bulk, stdin: two, answers: [refusal(401)] },
  ],
  5: [
    { when: 'the thing does not exist', line: 'contexts get tenant acme', answers: [refusal(404)] },
    {
      when: 'a step does not exist',
      line: 'workflows step w s',
      answers: [
        {
          status: 400,
          body: { statusCode: 400, message: 'No step found', stepId: 's', workflowId: 'w' },
        },
      ],
    },
    {
      when: 'a subscriber does not exist',
      line: 'inbox list nobody',
      answers: [
        refusal(
          400,
          'Subscriber not found for this environment with the id: nobody. Make sure to create a subscriber before fetching the feed.',
        ),
      ],
    },
  ],
  6: [
    ...[400, 402, 409, 413, 422].map((status) => ({
      when: `the service answers ${status}`,
      line: 'topics rename news News --retries 0',
      answers: [refusal(status)],
    })),
    { when: 'all items are refused', line: bulk, stdin: two, answers: [imported('a', 'b')] },
    { when: 'a run meets 402', line: bulk, stdin: two, answers: [refusal(402)] },
    {
      when: 'an event is not processed',
      line: 'events trigger w --to a',
      answers: [triggered('error')],
    },
  ],
  7: [
    { when: 'nobody listens', line: list, env: { SVC_BASE_URL: 'http://127.0.0.1:9' } },
    { when: 'the answer is late', line: `${list} --timeout 300ms`, answers: [{ status: 0 }] },
    ...[302, 408, 429, 500, 502, 503].map((status) => ({
      when: `the service answers ${status}`,
      line: list,
      answers: [refusal(status)],
    })),
    {
      when: 'the answer is a web page',
      line: list,
      answers: [{ status: 200, text: '<!doctype html><title>Hotel</title>' }],
    },
    {
      when: 'the answer is cut short',
      line: list,
      answers: [{ status: 200, text: '{"data":[{"key":' }],
    },
    {
      when: 'a run meets an outage',
      line: `${bulk} --retries 0 --max-wait 0s`,
      stdin: two,
      answers: [refusal(503)],
    },
  ],
  8: [
    {
      when: 'the configuration is broken',
      line: 'topics list',
      before: ({ folder }) => {
        mkdirSync(path.join(folder, '.config', 'svc'), { recursive: true });
        writeFileSync(path.join(folder, '.config', 'svc', 'config.json'), '{"profiles":');
      },
    },
    {
      when: 'the folder of runs cannot be made',
      line: bulk,
      stdin: two,
      env: { SVC_STATE_DIR: '/dev/null/state' },
    },
    {
      when: 'the base URL is another server',
      line: list,
      answers: [refusal(404, 'Cannot GET /v2/topics')],
    },
  ],
  9: [
    {
      when: 'a delivery does not end in time',
      line: 'events trigger w --to a --wait --wait-timeout 1s',
      answers: [
        triggered('processed'),
        { status: 200, body: { data: [], hasMore: false, page: 0, pageSize: 10 } },
      ],
    },
  ],
};
