// An HTTP proxy on loopback that knows every host name: all of them are this machine.
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type CertificateName, certificateOf } from './certificates.ts';

export interface ProxyOptions {
  /** Answers each CONNECT with this status, and connects nothing. */
  refuse?: number;
  /** Takes each CONNECT and never answers. */
  hang?: boolean;
  /** Speaks TLS itself. */
  certificate?: CertificateName;
}

export async function openProxy({ refuse, hang, certificate }: ProxyOptions = {}) {
  /** What it was asked to connect, and with which login. */
  const asked: { target: string | undefined; login: string | undefined }[] = [];
  const sockets = new Set<Duplex>();
  const kept = (socket: Duplex) => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy());
  };
  const server = certificate ? createTlsServer(certificateOf(certificate)) : createServer();
  server.on('connect', ({ url, headers }: IncomingMessage, socket: Duplex) => {
    kept(socket);
    asked.push({ target: url, login: headers['proxy-authorization'] });
    if (hang) return;
    if (refuse) return void socket.end(`HTTP/1.1 ${refuse} No\r\nContent-Length: 0\r\n\r\n`);
    const upstream = connect(Number(url?.split(':').pop()), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    kept(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${certificate ? 'https' : 'http'}://localhost:${port}`, port, asked };
}
