// How responses mark routes that a client cannot use.

/** The message of a response with status 401 for a route that only the web interface of the service may use. */
export const closedRouteText = 'API endpoint not accessible';

/** The header with which a sandbox marks a route that only the service has. */
export const notEmulatedHeader = 'x-sandbox-not-emulated';
