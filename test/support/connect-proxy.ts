// An HTTP proxy on loopback that connects every host name to this machine.
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type CertificateName, readCertificate } from './certificates.ts';

export interface ProxyOptions {
  /** Rejects each CONNECT with this status. */
  refuse?: number;
  /** Accepts each CONNECT and never responds. */
  hang?: boolean;
  /** Uses TLS for the connection to the proxy. */
  certificate?: CertificateName;
}

export async function openProxy({ refuse, hang, certificate }: ProxyOptions = {}) {
  /** The target and the login of each CONNECT request. */
  const asked: { target: string | undefined; login: string | undefined }[] = [];
  const sockets = new Set<Duplex>();
  const track = (socket: Duplex) => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy());
  };
  const server = certificate ? createTlsServer(readCertificate(certificate)) : createServer();
  server.on('connect', ({ url, headers }: IncomingMessage, socket: Duplex) => {
    track(socket);
    asked.push({ target: url, login: headers['proxy-authorization'] });
    if (hang) return;
    if (refuse) return void socket.end(`HTTP/1.1 ${refuse} No\r\nContent-Length: 0\r\n\r\n`);
    const upstream = connect(Number(url?.split(':').pop()), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    track(upstream);
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
