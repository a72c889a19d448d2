import type { RawRequest } from '../../api/request.ts';
import type { Context } from '../../app/context.ts';
import { type Affected, command, type Values } from '../../cli/command.ts';
import { flag, json, oneOf, required, several } from '../../cli/options.ts';
import { usageError, withVerifyCommand } from '../../core/errors.ts';
import { parseJson, stringifyExact } from '../../core/lossless-json.ts';
import { isObject } from '../../core/objects.ts';
import { shellWord } from '../../core/text.ts';
import { listedEnvironments, perCommand } from '../../environment/environments.ts';
import { readFields } from '../../input/assignments.ts';
import { readJsonValue, textOrStdin } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import type { Method } from '../../service/operation.ts';
import { environmentsWithIds, listedIntegration } from '../shared/affected-environments.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const options = {
  field: several(
    '-f, --field <key=text>',
    'A field of the body or, with GET, of the query; a.b=x sets a nested field',
  ),
  jsonField: several('-F, --json-field <key:=json>', 'Like -f, with a JSON value'),
  body: json('--body <json|@file|->', 'The whole body'),
  requestHeader: several('-H, --request-header <name:value>', 'An additional request header'),
  include: flag('--include', 'Also print the status and headers of the response'),
  paginate: flag('--paginate', 'With GET, request all pages and print all items as one array'),
};

export const api = command({
  summary: 'Send any request to the service with the API key of the profile',
  details:
    'Use this command for operations that have no other svc command. The response is printed as JSON; secrets are masked unless --reveal is given. Headers and query parameters that can change the method or the target of a request, such as X-HTTP-Method-Override and Host, are refused.',
  arguments: {
    method: oneOf('<method>', methods, 'HTTP method'),
    path: required('<path>', 'Path below the base URL, such as /v2/topics?limit=5'),
  },
  options,
  output: 'The response as JSON.',
  exitCodes: ['notFound'],
  examples: {
    'svc api GET /v2/topics -f limit=5': 'Send query parameters',
    'svc api PATCH /v2/topics/announcements -f name=News': 'Send a body',
    'svc api GET /v2/topics --paginate --jq length': 'Count all topics',
  },
  writes: ({ args }) => args.method !== 'GET',
  affects: async (context, { args: { method, path }, options }) =>
    affectedByRequest(context, await requestOnce(context, method, path, options)),
  async run(context, { args: { method, path }, options }) {
    const request = await requestOnce(context, method, path, options);
    if (options.paginate) {
      if (method !== 'GET') throw usageError('--paginate works only with GET.');
      const { fetchAllItems } = await import('../../api/paginate.ts');
      return result.json(await fetchAllItems(await context.client(), request));
    }
    const client = await context.client();
    const { value, status, headers } = await client.send(request).catch((error) => {
      throw withVerifyCommand(error, `svc api GET ${shellWord(request.target)}`);
    });
    const head = options.include
      ? [`${status}`, ...Object.entries(headers).map(([name, header]) => `${name}: ${header}`), '']
      : [];
    return result.json(value, { head });
  },
});

type Options = Partial<Values<typeof options>>;

const requestOnce = perCommand(readRequest);

async function readRequest(
  context: Context,
  method: Method,
  path: string,
  options: Options,
): Promise<RawRequest> {
  const fields = await readFields(options.field, options.jsonField);
  const isInQuery = method === 'GET' && options.body === undefined;
  const target = buildTarget(path, isInQuery ? fields : {});
  const body = await readBody(context, options, isInQuery ? {} : fields);
  return {
    method,
    target,
    hasDataField: true,
    isUserPath: true,
    headers: readHeaders(options.requestHeader),
    signal: context.host.shutdownSignal,
    ...(body === undefined ? {} : { body: Buffer.from(stringifyExact(body)) }),
  };
}

/** Returns the path with its query. Throws a usage error for a full URL: the key must not go to another server. */
function buildTarget(path: string, query: Record<string, unknown>): string {
  const relative = path.startsWith('/') ? path : `/${path}`;
  // As URL parsers do: ignores tabs and line ends, and takes a backslash for a slash.
  const normalized = relative.replace(/[\t\r\n]/g, '').replaceAll('\\', '/');
  if (/^[a-z]+:/i.test(path) || normalized.startsWith('//')) {
    throw usageError(`\`${path}\` is a full URL. Give only the path below the base URL.`);
  }
  refuseDotSegments(path, normalized);
  const url = new URL(relative, 'http://base');
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      url.searchParams.append(name, String(item));
  }
  const overriding = [...url.searchParams.keys()].find((name) => overridingQuery.test(name));
  if (overriding !== undefined)
    throw usageError(`The query cannot contain ${overriding}: it can change the method.`, {
      hint: 'Give the method as an argument.',
    });
  return `${url.pathname}${url.search}`;
}

/** Throws a usage error for `.` and `..` in the path: they would be resolved, and another path would be requested. */
function refuseDotSegments(path: string, normalized: string): void {
  const [pathname = ''] = normalized.split(/[?#]/);
  const segments = pathname.split('/');
  const dots = segments.find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (dots !== undefined)
    throw usageError(`\`${path}\`: a URL path cannot contain the segment \`${dots}\`.`, {
      hint: 'Give the path that the request should have.',
    });
}

async function readBody({ host }: Context, { body }: Options, fields: Record<string, unknown>) {
  const hasFields = Object.keys(fields).length > 0;
  if (body === undefined) return hasFields ? fields : undefined;
  if (hasFields) throw usageError('--body cannot be combined with -f or -F.');
  return readJsonValue(await textOrStdin(body, host.stdin), '--body', host);
}

/** Tabs, spaces and printable Latin-1 characters. */
const validHeaderValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** From such a header, a server or proxy reads another method, address or environment, or another end of the request. */
const overridingHeader =
  /method|verb|host|forwarded(?![-_]for$)|rewrite|original|environment|organi[sz]ation|(?:^|[-_])(?:ur[il]|path|authority|destination|override)(?:[-_]|$)|^(?:content[-_]length|transfer[-_]encoding|te|trailer|upgrade|expect|keep[-_]alive)$|connection$/;

/** Parameters of a query that replace the method: `_method`, `$httpMethod`, `X-HTTP-Method-Override`. */
const overridingQuery = /^(?:[_$].*method|x[-_].*method.*|.*method[-_]?override)$/i;

function readHeaders(lines: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(lines.map(readHeader));
}

function readHeader(line: string): [name: string, value: string] {
  const at = line.indexOf(':');
  const name = line.slice(0, at).trim().toLowerCase();
  const value = line.slice(at + 1).trim();
  if (at <= 0 || !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
    throw usageError(`-H: \`${line}\` does not have the form name:value.`);
  if (/^(?:proxy[-_])?authorization$/.test(name))
    throw usageError(`-H: ${name} cannot be set. The API key comes from the profile.`);
  if (overridingHeader.test(name))
    throw usageError(
      `-H: ${name} cannot be set, because it can change the method or the target of the request.`,
      {
        hint: 'Give the method and the path as arguments, and select the service with -p or --base-url.',
      },
    );
  if (!validHeaderValue.test(value))
    throw usageError(`-H: the value of ${name} has characters that are not allowed in a header.`);
  return [name, value];
}

/** The environments that the path or the body of a request names, and the environment of its integration. */
async function affectedByRequest(
  context: Context,
  { target, body }: Pick<RawRequest, 'target' | 'body'>,
): Promise<Affected> {
  const integrationId = idAfter('integrations', target);
  const integration =
    integrationId === undefined ? undefined : await listedIntegration(context, integrationId);
  const environmentId = await idOfEnvironment(context, idAfter('environments', target));
  const value = body && (await parseJson(Buffer.from(body).toString('utf8')));
  const ids = [environmentId, integration?._environmentId, ...environmentIdsIn(value)].filter(
    (id) => id !== undefined,
  );
  // The protection of the active profile applies too, because svc does not know what the request does.
  return { environments: [undefined, ...(await environmentsWithIds(context, ids))] };
}

/** The segment after this one in the path: `…/integrations/<id>`. */
function idAfter(collection: string, target: string): string | undefined {
  const segments = new URL(target, 'http://base').pathname.split('/').map(decoded);
  const at = segments.findIndex((segment) => segment.toLowerCase() === collection);
  return at < 0 ? undefined : segments[at + 1] || undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Some operations take an identifier or slug instead of the id. Undefined if no environment has it. */
async function idOfEnvironment(
  context: Context,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const environments = await listedEnvironments(context);
  return environments.find(
    ({ _id, identifier, slug }) =>
      _id.toLowerCase() === text.toLowerCase() || [identifier, slug].includes(text),
  )?._id;
}

/** The values of members such as `_environmentId` and `targetEnvironmentId`. */
const environmentIdsIn = (body: unknown): string[] =>
  isObject(body)
    ? Object.entries(body).flatMap(([name, value]) =>
        /environmentId$/i.test(name) && typeof value === 'string' ? [value] : [],
      )
    : [];
