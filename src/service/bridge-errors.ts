// The errors of a request to the endpoint of an application, in the words of the service.

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
