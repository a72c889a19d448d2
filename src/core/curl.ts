import { shellQuote } from './text.ts';

interface CurlRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | undefined;
}

/**
 * A curl command that reads the key from the environment, so the key is not stored in the shell history. It reads the
 * header from a pipe, because every user of the machine can read the arguments of curl. `printf` is part of the shell.
 */
export const curlCommand = ({ method, url, headers, body }: CurlRequest): string =>
  [
    `printf 'Authorization: ApiKey %s\\n' "$SVC_API_KEY" | curl --request ${method} ${shellQuote(url)}`,
    '--header @-',
    ...headers.map(([name, value]) => `--header ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuote(body)}`]),
  ].join(' \\\n  ');
