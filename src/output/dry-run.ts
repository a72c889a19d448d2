// Prints the requests of a dry run, as requests or as curl commands.
import type { DryRun, UnsentRequest } from '../api/dry-run.ts';
import { curlCommand } from '../core/curl.ts';
import { stringifyExact } from '../core/lossless-json.ts';
import { parseDigits } from '../core/lossless-json-parser.ts';
import { counted } from '../core/text.ts';
import { isSecretInRequest } from '../service/secret-fields.ts';
import { mask, masked } from './mask.ts';
import { fieldColumns, type Result } from './result.ts';
import { safeJson } from './safe-text.ts';

export function dryRunResult(dryRun: DryRun, form: 'requests' | 'curl', reveal: boolean): Result {
  const requests = dryRun.requests.map((request) => withoutSecrets(request, reveal));
  if (form === 'curl') {
    return { type: 'text', text: `${requests.map(curl).join('\n\n')}\n` };
  }
  const { total } = dryRun;
  return {
    type: 'dryRun',
    value: total === undefined ? requests : { requests, total },
    lines: requests.flatMap((request, index) => [
      ...(index === 0 ? [] : ['']),
      ...requestLines(request),
    ]),
    columns: fieldColumns(['method', 'url', 'body']),
    ids: requests.map(({ method, url }) => `${method} ${url}`),
  };
}

/** The note on standard error that accompanies a dry run. */
export function dryRunNote({ requests, total }: DryRun): string {
  if (total === undefined) return 'Dry run: nothing was sent.';
  const more = total.requests - requests.length;
  const others = more > 0 ? ` and ${more} similar ${more === 1 ? 'one' : 'ones'}` : '';
  return `Dry run: nothing was sent. ${counted(total.items, 'item')} would be sent in ${counted(total.requests, 'request')}: ${requests.length > 1 ? 'these' : 'this one'}${others}.`;
}

interface PrintedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

function withoutSecrets(
  { method, url, headers, body }: UnsentRequest,
  reveal: boolean,
): PrintedRequest {
  const value = body === undefined ? undefined : parseDigits(body);
  return {
    method,
    url,
    headers: { ...headers, authorization: `ApiKey ${mask}` },
    ...(value === undefined ? {} : { body: reveal ? value : masked(value, isSecretInRequest) }),
  };
}

const requestLines = ({ method, url, headers, body }: PrintedRequest) => [
  `${method} ${url}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ...(body === undefined ? [] : ['', ...stringifyExact(body, 2).split('\n')]),
];

function curl({ method, url, headers, body }: PrintedRequest): string {
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name === 'idempotency-key',
  );
  const text = body === undefined ? undefined : safeJson(stringifyExact(body));
  return curlCommand({ method, url, headers: kept, body: text });
}
