// Which addresses of endpoints the sandbox calls: this machine, and origins that its user allows. Without this rule,
// a client with a key could make it send requests into a network.
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress } from '../../core/loopback.ts';
import { bridgeError } from './bridge-error.ts';

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface CheckedAddress {
  url: URL;
  /** Undefined: any address of the host may be used. */
  lookup: LookupFunction | undefined;
}

/** Throws if the sandbox must not call the address. */
export function checkAddress(
  text: string,
  allowedOrigins: readonly string[],
  resolve: Resolve = lookup,
): CheckedAddress {
  if (!URL.canParse(text)) throw bridgeError('invalidUrl', text);
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp || url.username !== '' || url.password !== '') throw bridgeError('invalidUrl', text);
  if (allowedOrigins.includes(url.origin)) return { url, lookup: undefined };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLoopbackAddress(host)) return { url, lookup: undefined };
  if (host === 'localhost') return { url, lookup: loopbackOnly(resolve) };
  const reason = `the sandbox calls only 127.0.0.1, ::1 and localhost, unless --allow-bridge names ${url.origin}`;
  throw bridgeError('invalidUrl', text, { reason });
}

/** A resolver can return any address for `localhost`. */
const loopbackOnly =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, resolved) => {
      if (error) return callback(error, []);
      const addresses = resolved.filter(({ address }) => isLoopbackAddress(address));
      const [first] = addresses;
      if (!first) return callback(new Error(`${hostname} is not an address of this machine`), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
