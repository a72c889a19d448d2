// The errors of a request to the endpoint of an application, and why versions since 3.17 send nothing to an address, in
// the words of the service.
import { isPrivateAddress } from '../core/loopback.ts';

interface BridgeErrorText {
  code: string;
  statusCode: number;
  message: (url: string) => string;
}

export const bridgeErrors = {
  invalidUrl: {
    code: 'InvalidBridgeUrl',
    statusCode: 400,
    message: (url) => `Invalid bridge URL: ${url}`,
  },
  unavailable: {
    code: 'BridgeEndpointUnavailable',
    statusCode: 400,
    message: (url) =>
      `Unable to reach Bridge Endpoint at \`${url}\`. Run npx novu@latest dev in Local mode, or ensure your Bridge app deployment is available.`,
  },
  wrongMethod: {
    code: 'BridgeMethodNotConfigured',
    statusCode: 400,
    message: (url) =>
      `Bridge Endpoint at \`${url}\` is not correctly configured. Ensure your \`@novu/framework\` integration exposes the \`POST\`, \`GET\`, and \`OPTIONS\` methods.`,
  },
  timeout: {
    code: 'BridgeRequestTimeout',
    statusCode: 408,
    message: (url) => `Bridge request timeout for \`${url}\``,
  },
  unreadable: {
    code: 'ResponseReadError',
    statusCode: 400,
    message: (url) => `Response body could not be read for \`${url}\``,
  },
  redirected: {
    code: 'MaximumRedirectsExceeded',
    statusCode: 400,
    message: (url) => `Maximum redirects exceeded for \`${url}\``,
  },
  tooLarge: {
    code: 'PayloadTooLarge',
    statusCode: 413,
    message: (url) => `Payload too large for \`${url}\``,
  },
  unknown: {
    code: 'UnknownBridgeRequestError',
    statusCode: 500,
    message: (url) => `Unknown bridge request error calling \`${url}\``,
  },
} satisfies Record<string, BridgeErrorText>;

export type BridgeErrorName = keyof typeof bridgeErrors;

/** A request is given up after this time. */
export const bridgeTimeoutMs = 5_000;

const blockedHosts = ['localhost', 'metadata.google.internal'];

/** Undefined for a host on another network. */
export function hostProblem(host: string): string | undefined {
  if (blockedHosts.includes(host)) return `Requests to "${host}" are not allowed.`;
  if (!isPrivateAddress(host)) return undefined;
  return `Requests to private or reserved IP addresses are not allowed (resolved: ${host}).`;
}

/** Undefined for the address of a page without a password. */
export function addressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Invalid URL format.';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:')
    return `URL scheme "${protocol}" is not allowed. Only http and https are permitted.`;
  return username || password ? 'URLs with embedded credentials are not allowed.' : undefined;
}
