// Protects the sandbox from web pages: every page its user opens could send requests to loopback.
import { forbidden } from './http-error.ts';

/** Rejects other origins, and host names that are not in `hosts` (undefined: all are allowed). */
export function checkHostAndOrigin(request: Request, hosts: readonly string[] | undefined): void {
  const url = new URL(request.url);
  const host = (request.headers.get('host') ?? url.host).toLowerCase();
  if (hosts && !hosts.includes(withoutPort(host))) {
    throw forbidden(`Host ${JSON.stringify(host)} is not allowed`);
  }
  const origin = request.headers.get('origin');
  if (origin !== null && origin.toLowerCase() !== `${url.protocol}//${host}`) {
    throw forbidden('Requests from other origins are not allowed');
  }
}

const withoutPort = (host: string) => host.replace(/:\d*$/, '');
