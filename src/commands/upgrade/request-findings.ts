// Requests of applications to routes that a later version advises against or refuses.

import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { asObject, jsonOr } from '../../core/objects.ts';
import { counted } from '../../core/text.ts';
import { isStandardInput } from '../../input/bytes.ts';
import { openRecords } from '../../input/records.ts';
import type { Deprecation, Operation } from '../../service/operation.ts';
import { inboxClient } from '../../service/operations/inbox-client.ts';
import { operationIds, record } from '../../service/operations/index.ts';
import { otherRoutes, restrictedRoutes } from '../../service/routes.ts';
import { isSince } from '../../service/versions.ts';
import type { Finding } from './check.ts';

export interface LoggedRequest {
  method: string;
  /** Path, perhaps with a query. */
  target: string;
}

interface Route {
  method: string;
  path: string;
  deprecated?: Deprecation | undefined;
  isRefused?: true;
}

/** The first invalid field of an error response, else its message. */
export function rejectionText(response: unknown): string {
  const { message = 'unknown error', errors } = asObject(response);
  const [first] = Object.values(asObject(errors)).flatMap((field) => asObject(field).messages);
  return String(first ?? [message].flat()[0]);
}

/** Returns the function that finds the route of a request; undefined for one that is not of the service. */
export async function openRoutes() {
  const { createRouter } = await import('../../sandbox/http/router.ts');
  const declared: Operation[] = [...operationIds.map(record), ...Object.values(inboxClient)];
  const operations = declared.flatMap(({ method, path, aliases = [], deprecated }): Route[] =>
    [path, ...aliases].map((one) => ({ method, path: one, deprecated })),
  );
  const others = Object.entries(otherRoutes).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => ({ method, path })),
  );
  const find = createRouter<Route>([...restrictedRoutes, ...operations, ...others]);
  return ({ method, target }: LoggedRequest): Route | undefined => {
    try {
      return find(method, target.replace(/[?#].*/s, ''))?.route;
    } catch {
      // An escape such as %zz.
      return undefined;
    }
  };
}

/** The routes among these requests that version `to` advises against or refuses. */
export async function routeFindings(
  requests: AsyncIterable<LoggedRequest> | Iterable<LoggedRequest>,
  to: string,
): Promise<Finding[]> {
  const findRoute = await openRoutes();
  const counts = new Map<Route, number>();
  for await (const request of requests) {
    const route = findRoute(request);
    if (route?.deprecated && isSince(to, route.deprecated))
      counts.set(route, (counts.get(route) ?? 0) + 1);
  }
  return [...counts].map(([{ method, path, deprecated, isRefused }, count]): Finding => {
    const { by = '', since = '' } = deprecated ?? {};
    const thing = `${method} ${path}`;
    const sent = counted(count, 'request');
    if (isRefused) {
      const message = `${sent}. From ${since} on, the service refuses an API key here. Use \`${by}\`.`;
      return { id: 'refused-route', thing, message, next: `${by} --help` };
    }
    const id = operationIds.find((one) => `${record(one).method} ${record(one).path}` === by);
    const message = `${sent}. The route is deprecated. Use ${by}.`;
    return { id: 'deprecated-route', thing, message, ...(id && { next: `svc schema ${id}` }) };
  });
}

/** Reads a log with a request in each line. Lines without one are counted in a note. */
export async function* loggedRequests(
  context: Context,
  file: string,
): AsyncGenerator<LoggedRequest> {
  const { stdin, cwd } = context.host;
  const place = isStandardInput(file) ? file : path.resolve(cwd, file);
  const records = await openRecords({ file: place, stdin, format: 'lines' });
  let others = 0;
  try {
    for await (const chunk of records.chunks)
      for (const { cells } of chunk) {
        const request = readRequest(cells?.()[0] ?? '');
        if (request) yield request;
        else others += 1;
      }
  } finally {
    records.close();
  }
  if (others > 0) context.note(`${counted(others, 'line')} of ${file} without a request.`);
}

/** A line of JSON, perhaps with the request in a member, or one with the first line of the request. */
function readRequest(line: string): LoggedRequest | undefined {
  const { request, ...members } = asObject(jsonOr(line, undefined));
  const { method, path, url, uri, target } = { ...members, ...asObject(request) };
  const place = [path, url, uri, target].find((value) => typeof value === 'string');
  const firstLine = typeof request === 'string' ? request : line;
  const text = typeof method === 'string' && place ? `${method} ${place}` : firstLine;
  // A proxy can add a prefix.
  const found = /\b(GET|POST|PUT|PATCH|DELETE) (?:[^\s?"]*?)(\/v[12]\/[^\s"]*)/i.exec(text);
  return found ? { method: `${found[1]}`.toUpperCase(), target: `${found[2]}` } : undefined;
}
