// `svc api`

import type { Method } from '../../api/operation.ts';
import type { RawRequest } from '../../api/request.ts';
import type { Context } from '../../app/context.ts';
import { command, type Values } from '../../cli/command.ts';
import { flag, oneOf, required, several, text } from '../../cli/options.ts';
import { usageError, withVerifyCommand } from '../../core/errors.ts';
import { exactText } from '../../core/lossless-json.ts';
import { readFields } from '../../input/assignments.ts';
import { readJsonValue, textOrStdin } from '../../input/values.ts';
import * as result from '../../output/result.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const options = {
  field: several(
    '-f, --field <key=text>',
    'A member of the body, or of the query with GET; a.b=x nests',
  ),
  jsonField: several('-F, --json-field <key:=json>', 'The same with a JSON value'),
  body: text('--body <json|@file|->', 'The whole body'),
  requestHeader: several('-H, --request-header <name:value>', 'A header more'),
  include: flag('--include', 'Print the status and headers of the answer too'),
  paginate: flag(
    '--paginate',
    'With GET, ask for page after page and print all items as one array',
  ),
};

export const api = command({
  summary: 'Send any request to the service with the key of the profile',
  details:
    'For what svc has no command for, and for servers that have more than the interface. The answer is printed as JSON, as it came; secrets are masked unless --reveal is given.',
  arguments: {
    method: oneOf('<method>', methods, 'Method of the request'),
    path: required('<path>', 'Path below the base URL, such as /v2/topics?limit=5'),
  },
  options,
  output: 'The answer as JSON, as it came.',
  examples: [
    { line: 'svc api GET /v2/topics -f limit=5', description: 'A query' },
    { line: 'svc api PATCH /v2/topics/announcements -f name=News', description: 'A body' },
    { line: 'svc api GET /v2/topics --paginate --jq length', description: 'How many there are' },
  ],
  writes: ({ args }) => args.method !== 'GET',
  async run(context, { args: { method, path }, options: given }) {
    const request = await requestOf(context, method, path, given);
    if (given.paginate) {
      if (method !== 'GET') throw usageError('--paginate: only GET has pages.');
      return result.json(await context.fetchAllItems(request));
    }
    const client = await context.client();
    const { value, status, headers } = await client.send(request).catch((error) => {
      throw withVerifyCommand(error, `svc api GET ${request.target}`);
    });
    const head = given.include
      ? [`${status}`, ...Object.entries(headers).map(([name, one]) => `${name}: ${one}`), '']
      : [];
    return result.json(value, { head });
  },
});

type Given = Partial<Values<typeof options>>;

async function requestOf(
  context: Context,
  method: Method,
  path: string,
  given: Given,
): Promise<RawRequest> {
  const fields = await readFields(given.field, given.jsonField);
  const inQuery = method === 'GET' && given.body === undefined;
  const target = targetOf(path, inQuery ? fields : {});
  const body = await bodyOf(context, given, inQuery ? {} : fields);
  return {
    method,
    target,
    hasDataField: true,
    isUserPath: true,
    headers: headersOf(given.requestHeader),
    signal: context.host.shutdownSignal,
    ...(body === undefined ? {} : { body: Buffer.from(exactText(body)) }),
  };
}

/** The path with its query. Another address would get the key of this one. */
function targetOf(path: string, query: Record<string, unknown>): string {
  const relative = path.startsWith('/') ? path : `/${path}`;
  if (/^[a-z]+:/i.test(path) || relative.startsWith('//')) {
    throw usageError(`\`${path}\` is an address: give the path below the base URL alone.`);
  }
  const url = new URL(relative, 'http://base');
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      url.searchParams.append(name, String(one));
  }
  return `${url.pathname}${url.search}`;
}

async function bodyOf({ host }: Context, { body }: Given, fields: Record<string, unknown>) {
  const hasFields = Object.keys(fields).length > 0;
  if (body === undefined) return hasFields ? fields : undefined;
  if (hasFields) throw usageError('Give --body or fields, not both.');
  return readJsonValue(await textOrStdin(body, host.stdin), '--body');
}

/** What the value of a header may have: blanks, and what is visible in Latin-1. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function headersOf(typed: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    typed.map((one) => {
      const at = one.indexOf(':');
      const name = one.slice(0, at).trim().toLowerCase();
      const value = one.slice(at + 1).trim();
      if (at > 0 && /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && name !== 'authorization') {
        if (headerValue.test(value)) return [name, value];
        throw usageError(`-H: the value of ${name} has characters that no header can carry.`);
      }
      throw usageError(
        `-H: \`${one}\` is not of the form name:value${name === 'authorization' ? ', and the key comes from the profile' : ''}.`,
      );
    }),
  );
}
