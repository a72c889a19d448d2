// A server on loopback that answers as a test says: for what no sandbox does. Closed when the test is over.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type CertificateName, certificateOf } from './certificates.ts';
import { testKey } from './fixed.ts';

export interface Seen {
  method: string;
  /** Path and query, as they arrived. */
  target: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** When it arrived, in milliseconds of the real clock. */
  at: number;
}

export type Answerer = (seen: Seen, response: ServerResponse, requests: number) => void;

export interface FakeService {
  baseUrl: string;
  /** Every request, in the order of arrival. */
  seen: Seen[];
  /** The variables that lead the program here. */
  env: { SVC_BASE_URL: string; SVC_API_KEY: string };
}

/**
 * Calls `answer` for each request once its body is there; `requests` counts them from 1. With the name of a
 * certificate in test/support/tls it speaks TLS.
 */
export async function openService(
  answer: Answerer,
  certificate?: CertificateName,
): Promise<FakeService> {
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      const one = { method, target, headers, body, at: Date.now() };
      answer(one, response, seen.push(one));
    });
  };
  const server = certificate
    ? createTlsServer(certificateOf(certificate), listener)
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

/** Answers with JSON and such headers. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A listing with nothing in it. */
export const nothing: Answerer = (_seen, response) =>
  json(response, 200, { data: [], next: null, previous: null, totalCount: 0 });
