// Keeps web pages away: a sandbox on loopback can be reached by every page its user opens.
import { forbidden } from './http-error.ts';

/** Refuses foreign origins, and host names beside the given ones (absent: none are refused). */
export function guard(request: Request, hosts: readonly string[] | undefined): void {
  const url = new URL(request.url);
  const host = (request.headers.get('host') ?? url.host).toLowerCase();
  if (hosts && !hosts.includes(withoutPort(host))) {
    throw forbidden(`Host ${JSON.stringify(host)} is not served here`);
  }
  const origin = request.headers.get('origin');
  if (origin !== null && origin.toLowerCase() !== `${url.protocol}//${host}`) {
    throw forbidden('Requests from other origins are not served');
  }
}

const withoutPort = (host: string) => host.replace(/:\d*$/, '');
