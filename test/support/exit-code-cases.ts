// Command lines and responses that produce each exit code.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readActivity } from './late-jobs.ts';
import { json, openService } from './service.ts';

interface CannedResponse {
  status: number;
  body?: unknown;
  text?: string;
}

export interface ExitCodeCase {
  when: string;
  line: string;
  /** Responses of the service in order; the last one is repeated. Undefined if the command sends no request. */
  responses?: readonly CannedResponse[];
  env?: Record<string, string>;
  before?: (home: { folder: string }) => void;
  stdin?: string;
  /** The case needs a process of its own. */
  needsProcess?: true;
}

const id = '677485809bebc841f620134a';
const errorResponse = (status: number, message = `status ${status}`): CannedResponse => ({
  status,
  body: { statusCode: status, message, path: '/v2/topics', timestamp: '2026-01-15T12:00:00Z' },
});
const imported = (...failed: string[]): CannedResponse => ({
  status: 201,
  body: {
    created: ['a', 'b']
      .filter((id) => !failed.includes(id))
      .map((subscriberId) => ({ subscriberId })),
    updated: [],
    failed: failed.map((subscriberId) => ({ subscriberId, message: 'no room' })),
  },
});
const triggered = (status: string) => ({
  status: 201,
  body: [{ acknowledged: true, status, error: ['not there'] }],
});
const two = 'subscriberId\na\nb\n';
const bulk = 'subscribers bulk-import - --format csv';
const list = 'topics list --retries 0';
const finished = {
  status: 200,
  body: { data: [readActivity('txn_1', ['completed'])], page: 0, pageSize: 50, hasMore: false },
};
const noTopics = { status: 200, body: { data: [], next: null, previous: null, totalCount: 0 } };

/** The cases by exit code. */
export const exitCodeCases: Record<number, readonly ExitCodeCase[]> = {
  0: [
    { when: 'a list is empty', line: list, responses: [noTopics] },
    {
      when: 'a cancel has nothing left to cancel',
      line: 'events cancel txn_1 --yes',
      responses: [{ status: 200, body: false }, finished],
    },
  ],
  1: [
    {
      when: 'svc has a defect',
      needsProcess: true,
      line: 'topics rename news News',
      env: { NODE_OPTIONS: '--require ./broken.cjs' },
      before: ({ folder }) =>
        writeFileSync(
          path.join(folder, 'broken.cjs'),
          'Buffer.concat = Buffer.byteLength = () => { throw new TypeError("broken"); };',
        ),
      responses: [{ status: 200, body: { key: 'news', name: 'News' } }],
    },
  ],
  2: [
    { when: 'an option is unknown', line: 'topics list --limt 3' },
    { when: 'an argument is missing', line: 'topics get' },
    { when: 'a value is invalid', line: 'topics list --limit many' },
    { when: '--read-only forbids the write', line: 'topics rename news News --read-only' },
    { when: 'a confirmation is missing', line: `integrations delete ${id}` },
    { when: 'an input file does not exist', line: 'subscribers bulk-import nowhere.csv' },
    { when: 'the input has no id column', line: bulk, stdin: 'colour\nred\n' },
  ],
  3: [
    { when: 'a row is invalid', line: bulk, stdin: `${two}c,d\n`, responses: [imported()] },
    { when: 'the service rejects an item', line: bulk, stdin: two, responses: [imported('b')] },
    {
      when: '--max-errors stops a run',
      line: `${bulk} --max-errors 0`,
      stdin: two.replace('\n', '\nc,d\n'),
      responses: [imported()],
    },
    {
      when: 'the input is truncated',
      line: 'subscribers bulk-import - --format ndjson',
      stdin: '{"subscriberId":"a"}\n{"subscriberId":',
      responses: [imported()],
    },
    {
      when: 'one of several events is not processed',
      line: 'events trigger --file - --yes',
      stdin: '{"name":"w","to":["a"]}\n{"name":"w","to":["b"]}\n',
      responses: [
        { status: 201, body: [...triggered('processed').body, ...triggered('error').body] },
      ],
    },
  ],
  4: [
    { when: 'the key is missing', line: list, env: { SVC_API_KEY: '' } },
    { when: 'the base URL is missing', line: list, env: { SVC_BASE_URL: '', SVC_API_KEY: '' } },
    { when: 'the service rejects the key', line: list, responses: [errorResponse(401)] },
    { when: 'the key lacks permission', line: list, responses: [errorResponse(403)] },
    { when: 'a run gets status 401', line: bulk, stdin: two, responses: [errorResponse(401)] },
  ],
  5: [
    {
      when: 'the resource does not exist',
      line: 'contexts get tenant acme',
      responses: [errorResponse(404)],
    },
    {
      when: 'a step does not exist',
      line: 'workflows step w s',
      responses: [
        {
          status: 400,
          body: { statusCode: 400, message: 'No step found', stepId: 's', workflowId: 'w' },
        },
      ],
    },
    {
      when: 'a subscriber does not exist',
      line: 'inbox list u404',
      responses: [
        errorResponse(
          400,
          'Subscriber not found for this environment with the id: u404. Make sure to create a subscriber before fetching the feed.',
        ),
      ],
    },
  ],
  6: [
    ...[400, 402, 409, 413, 422].map((status) => ({
      when: `the service responds with ${status}`,
      line: 'topics rename news News --retries 0',
      responses: [errorResponse(status)],
    })),
    { when: 'all items are rejected', line: bulk, stdin: two, responses: [imported('a', 'b')] },
    { when: 'a run gets status 402', line: bulk, stdin: two, responses: [errorResponse(402)] },
    {
      when: 'an event is not processed',
      line: 'events trigger w --to a',
      responses: [triggered('error')],
    },
  ],
  7: [
    { when: 'no server listens', line: list, env: { SVC_BASE_URL: 'http://127.0.0.1:9' } },
    { when: 'the response times out', line: `${list} --timeout 300ms`, responses: [{ status: 0 }] },
    ...[302, 408, 429, 500, 502, 503].map((status) => ({
      when: `the service responds with ${status}`,
      line: list,
      responses: [errorResponse(status)],
    })),
    {
      when: 'the response is a web page',
      line: list,
      responses: [{ status: 200, text: '<!doctype html><title>Hotel</title>' }],
    },
    {
      when: 'the response is truncated',
      line: list,
      responses: [{ status: 200, text: '{"data":[{"key":' }],
    },
    {
      when: 'the service fails during a run',
      line: `${bulk} --retries 0 --max-wait 0s`,
      stdin: two,
      responses: [errorResponse(503)],
    },
  ],
  8: [
    {
      when: 'the configuration is invalid',
      line: 'topics list',
      before: ({ folder }) => {
        mkdirSync(path.join(folder, '.config', 'svc'), { recursive: true });
        writeFileSync(path.join(folder, '.config', 'svc', 'config.json'), '{"profiles":');
      },
    },
    {
      when: 'the folder for runs cannot be created',
      line: bulk,
      stdin: two,
      env: { SVC_STATE_DIR: '/dev/null/state' },
    },
    {
      when: 'the base URL belongs to another service',
      line: list,
      responses: [errorResponse(404, 'Cannot GET /v2/topics')],
    },
  ],
  9: [
    {
      when: 'a delivery does not finish in time',
      line: 'events trigger w --to a --wait --wait-timeout 1s',
      responses: [
        { status: 200, body: [] },
        triggered('processed'),
        { status: 200, body: { data: [], hasMore: false, page: 0, pageSize: 10 } },
      ],
    },
  ],
  10: [
    {
      when: 'workflow files differ from the environment',
      line: 'workflows push --check',
      before: ({ folder }) => {
        mkdirSync(path.join(folder, 'workflows'));
        const text = '# svc workflow, format 1, compat novu\nworkflowId: hello\n';
        writeFileSync(path.join(folder, 'workflows', 'hello.yaml'), text);
      },
      responses: [
        errorResponse(404),
        { status: 200, body: { workflows: [], layouts: [], totalCount: 0 } },
      ],
    },
  ],
  126: [{ when: 'a command cannot be executed', line: `sandbox exec ${import.meta.dirname}` }],
  127: [{ when: 'a command does not exist', line: 'sandbox exec no-such-command' }],
};

interface Runner {
  folder: string;
  svc(
    line: readonly string[],
    more: { stdin: string; env: Record<string, string> },
  ): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Runs a case with more options; returns its end and the number of requests. */
export async function runCase(
  runner: Runner,
  { line, responses, env = {}, before, stdin = '' }: ExitCodeCase,
  options: readonly string[] = [],
) {
  const service = await openService((_seen, response, requests) => {
    const canned = responses?.[Math.min(requests, responses.length) - 1];
    if (!canned || canned.status === 0) return;
    if (canned.text === undefined) return json(response, canned.status, canned.body);
    response.writeHead(canned.status, { 'content-type': 'application/json' }).end(canned.text);
  });
  before?.(runner);
  const result = await runner.svc([...line.split(' '), ...options], {
    stdin,
    env: { ...service.env, ...env },
  });
  return { ...result, requests: service.seen.length };
}
