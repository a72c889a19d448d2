// An HTTP server on loopback with the responses of a test, for cases that the sandbox does not cover. Closed at the end
// of the test.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type CertificateName, readCertificate } from './certificates.ts';
import { testKey } from './fixed.ts';

export interface Seen {
  method: string;
  /** Path and query, unchanged. */
  target: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Time of arrival: milliseconds of the real clock. */
  at: number;
}

export type Answerer = (seen: Seen, response: ServerResponse, requests: number) => void;

export interface FakeService {
  baseUrl: string;
  /** All requests in the order of arrival. */
  seen: Seen[];
  /** Environment variables that make svc use this service. */
  env: { SVC_BASE_URL: string; SVC_API_KEY: string };
}

/**
 * Calls `respond` for each request after its body is read; `requests` is the number of requests so far. With the name of
 * a certificate in test/support/tls the server uses TLS.
 */
export async function openService(
  respond: Answerer,
  certificate?: CertificateName,
): Promise<FakeService> {
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      const received = { method, target, headers, body, at: Date.now() };
      respond(received, response, seen.push(received));
    });
  };
  const server = certificate
    ? createTlsServer(readCertificate(certificate), listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`;
  return { baseUrl, seen, env: { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey } };
}

/** Sends a JSON response. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Sends an empty listing. */
export const nothing: Answerer = (_seen, response) =>
  json(response, 200, { data: [], next: null, previous: null, totalCount: 0 });
