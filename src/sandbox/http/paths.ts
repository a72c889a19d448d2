// The paths of routes as patterns.

/** As the service matches a path: letter case and a slash at its end do not count. Each parameter is a named group. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`, 'i');
