// A web page of another origin: on another port of this machine, or under another name.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface OtherSite {
  /** `http://127.0.0.1:<port>`: the same host as the sandbox. */
  samePlace: string;
  /** `http://localhost:<port>`: another site for browsers. */
  otherPlace: string;
  /** The targets of all requests. */
  requests: string[];
}

/** An application that works only if its script runs. */
export const application = `<!doctype html><title>Application</title><p id="state">Blocked</p>
<script>document.getElementById('state').textContent = 'The script ran'</script>`;

/** Serves the same HTML for every request. */
export async function openSite(html = '<!doctype html><title>Other</title>'): Promise<OtherSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    samePlace: `http://127.0.0.1:${port}`,
    otherPlace: `http://localhost:${port}`,
    requests,
  };
}
