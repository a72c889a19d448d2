// A server that accepts every import, for benchmarks: `node bench/sink.js [latency in ms] [items in listings]`. Prints
// its port. Responses contain the received ids, as those of the service do.
import { createServer } from 'node:http';

const latency = Number(process.argv[2] ?? 0);
const items = Number(process.argv[3] ?? 1_000_000);

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body =
      request.method === 'GET' ? pageOf(request.url) : importResponse(Buffer.concat(chunks));
    const reply = () => {
      response.writeHead(request.method === 'GET' ? 200 : 201, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    };
    if (latency > 0) setTimeout(reply, latency);
    else reply();
  });
}).listen(0, '127.0.0.1', function listening() {
  process.stdout.write(`${this.address().port}\n`);
});

/** Returns the response to an import. Finds the ids without parsing the JSON, so that the server stays fast. */
function importResponse(bytes) {
  const text = bytes.toString('latin1');
  const prefix = '"subscriberId":"';
  const created = [];
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at)) {
    const end = text.indexOf('"', at + prefix.length);
    created.push(`{"subscriberId":"${text.slice(at + prefix.length, end)}"}`);
    at = end;
  }
  return `{"created":[${created.join(',')}],"updated":[],"failed":[]}`;
}

/** Returns a page of topics (by cursor) or of activity (by page number). */
function pageOf(url) {
  const query = new URL(url, 'http://x').searchParams;
  if (url.startsWith('/v1/environments')) return '[]';
  const limit = Number(query.get('limit') ?? 10);
  const from = url.startsWith('/v2/topics')
    ? Number(query.get('after') ?? 0)
    : Number(query.get('page') ?? 0) * limit;
  const count = Math.max(0, Math.min(limit, items - from));
  const data = Array.from({ length: count }, (_unused, index) => item(from + index));
  const hasMore = from + count < items;
  return JSON.stringify({
    data,
    hasMore,
    page: Number(query.get('page') ?? 0),
    pageSize: count,
    next: hasMore ? String(from + count) : null,
    previous: null,
    totalCount: items,
    totalCountCapped: false,
  });
}

const newest = Date.parse('2026-01-15T12:00:00.000Z');
const channels = ['in_app', 'email', 'sms', 'push'];
const details = [
  ['completed', 'Success', 'Message sent'],
  ['failed', 'Failed', 'Unexpected provider error'],
  ['canceled', 'Failed', 'Subscriber missing email address'],
];

/** A job as in the activity of the service; what happened depends on the number. */
function job(number) {
  const [status, detailStatus, detail] = details[number % details.length];
  return {
    type: channels[number % channels.length],
    status,
    executionDetails: [{ status: detailStatus, detail, raw: '{"message":"no route"}' }],
  };
}

const item = (number) => ({
  _id: `id${number}`,
  key: `topic-${number}`,
  name: `Topic ${number}`,
  transactionId: `txn_${number}`,
  createdAt: new Date(newest - number * 500).toISOString(),
  updatedAt: '2026-01-15T12:00:00.000Z',
  template: { name: 'Workflow', triggers: [{ identifier: `workflow-${number % 2_000}` }] },
  jobs: [job(number), job(number + 1)],
});
