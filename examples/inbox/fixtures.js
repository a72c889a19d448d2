// Each worker of Playwright has its own sandbox, and its own server of the application, which uses that sandbox.
import { Novu } from '@novu/api';
import { test as base } from '@playwright/test';
import { startSandbox } from 'svc-cli/testing';
import { createServer } from 'vite';

/** Values of `import.meta.env` in the application. */
const variables = ({ url, applicationIdentifier }) => ({
  'import.meta.env.NOVU_API_URL': JSON.stringify(url),
  'import.meta.env.NOVU_SOCKET_URL': JSON.stringify(url),
  'import.meta.env.NOVU_APPLICATION_IDENTIFIER': JSON.stringify(applicationIdentifier),
});

export const test = base.extend({
  sandbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
    async ({}, use) => {
      const sandbox = await startSandbox({ seed: 'workflows' });
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ sandbox }, use) => {
      const server = await createServer({ define: variables(sandbox), server: { port: 0 } });
      await server.listen();
      await use(server.resolvedUrls.local[0]);
      await server.close();
    },
    { scope: 'worker' },
  ],
  novu: async ({ sandbox }, use) => {
    await use(new Novu({ serverURL: sandbox.url, secretKey: sandbox.key }));
  },
  baseURL: async ({ app }, use) => use(app),
});
