import { command } from '../../cli/command.ts';
import { choice, flag, integer, listOptions, pageOption, text } from '../../cli/options.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import type { RecordedRequest } from '../../sandbox/control/client.ts';
import { httpMethods } from '../../service/schemas/vocabulary.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { resolveTime } from '../shared/server-facts.ts';
import { callControl, connectSandbox, controlPages, noteChosenSandbox } from './connect.ts';

const target = ({ path, query }: RecordedRequest): string => {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
};

const columns: readonly Column<RecordedRequest>[] = [
  { field: 'id', header: 'ID', drop: 3, right: true, tone: () => 'muted' },
  { field: 'time', header: 'WHEN', time: true, drop: 1 },
  {
    field: 'status',
    header: 'STATUS',
    tableText: ({ status }) => `${status ?? 'closed'}`,
    tone: ({ error, notEmulated }) => (notEmulated ? 'warn' : error === undefined ? 'good' : 'bad'),
  },
  { field: 'method', header: 'METHOD' },
  { field: 'path', header: 'PATH', shrink: 30, squeeze: true, tableText: target },
  { field: 'error', header: 'ERROR', shrink: 20, drop: 2, optional: true },
];

export const requests = command({
  summary: 'List the requests that applications sent to the sandbox, newest first',
  details:
    'The sandbox keeps the last 1,000 requests of an environment until it stops or is reset, with their bodies, and masks their secrets. The requests of `svc sandbox` itself and of the page are not among them. `svc upgrade check --requests` reads the list in the format ndjson.',
  options: {
    since: text('--since <2h|ISO>', 'Only requests after this time, by the clock of the sandbox'),
    method: choice('--method <method>', httpMethods, 'Only requests with this method'),
    path: text('--path <route>', 'Only requests with this path; * stands for any text'),
    status: integer('--status <code>', 'Only requests with this status', { min: 100, max: 599 }),
    failed: flag('--failed', 'Only requests that failed', { conflicts: ['notEmulated'] }),
    notEmulated: flag('--not-emulated', 'Only requests for routes that the sandbox does not have'),
    ...listOptions,
    ...pageOption,
  },
  output:
    'A list of requests, newest first; as JSON, [{id, time, method, path, query, body, status, error, notEmulated}]. The status is null if a fault closed the connection.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox requests --failed -p sandbox': 'List failed requests',
    "svc sandbox requests --method POST --path '/v1/events/*' --json -p sandbox":
      'Print the triggers of an application with their bodies',
    'svc sandbox requests --all -o ndjson -p sandbox > requests.ndjson':
      'Write a log for `svc upgrade check --requests`',
  },
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const connected = await connectSandbox(context);
    noteChosenSandbox(context, connected);
    const { method, path, status, failed, notEmulated } = options;
    const outcome = failed ? 'failed' : notEmulated ? 'notEmulated' : undefined;
    const since = await resolveTime(options.since, '--since', async () =>
      Date.parse((await callControl(connected, ({ clock }) => clock())).now),
    );
    const filters = { method, path, status, since, outcome };
    return result.list({
      pages: controlPages(connected, options, ({ requests }, part) =>
        requests({ ...part, ...filters }),
      ),
      columns,
      id: ({ id }) => `${id}`,
      empty: Object.values(filters).some((value) => value !== undefined)
        ? 'No requests match.'
        : `No requests. Applications send them to ${connected.baseUrl}.`,
      ...nextPageHint('svc sandbox requests', context, options),
    });
  },
});
