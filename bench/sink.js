// A service that accepts everything at once, or after a while: `node bench/sink.js [latency in ms]`. Prints its
// port. It names the ids it got, as the service does, and serves endless listings.
import { createServer } from 'node:http';

const latency = Number(process.argv[2] ?? 0);
const items = Number(process.argv[3] ?? 1_000_000);

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = request.method === 'GET' ? listing(request.url) : imported(Buffer.concat(chunks));
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

/** Ids of the rows, found without parsing. */
function imported(bytes) {
  const text = bytes.toString('latin1');
  const mark = '"subscriberId":"';
  const named = [];
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at)) {
    const end = text.indexOf('"', at + mark.length);
    named.push(`{"subscriberId":"${text.slice(at + mark.length, end)}"}`);
    at = end;
  }
  return `{"created":[${named.join(',')}],"updated":[],"failed":[]}`;
}

/** A page of topics by cursor, or of activity by number. */
function listing(url) {
  const query = new URL(url, 'http://x').searchParams;
  if (url.startsWith('/v1/environments')) return '[]';
  const limit = Number(query.get('limit') ?? 10);
  const from = url.startsWith('/v2/topics')
    ? Number(query.get('after') ?? 0)
    : Number(query.get('page') ?? 0) * limit;
  const count = Math.max(0, Math.min(limit, items - from));
  const data = Array.from({ length: count }, (_unused, index) => item(from + index));
  const more = from + count < items;
  return JSON.stringify({
    data,
    hasMore: more,
    page: Number(query.get('page') ?? 0),
    pageSize: count,
    next: more ? String(from + count) : null,
    previous: null,
    totalCount: items,
    totalCountCapped: false,
  });
}

const item = (number) => ({
  _id: `id${number}`,
  key: `topic-${number}`,
  name: `Topic ${number}`,
  transactionId: `txn_${number}`,
  createdAt: '2026-01-15T12:00:00.000Z',
  updatedAt: '2026-01-15T12:00:00.000Z',
  jobs: [],
});
