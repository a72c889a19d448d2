// Each worker of Playwright has its own sandbox and its own server of the application.
import { test as base } from '@playwright/test';
import { startSandbox } from 'svc-cli/testing';
import { startApp } from './app.js';

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
      const server = await startApp({ novuUrl: sandbox.url, novuKey: sandbox.key });
      await use(`http://127.0.0.1:${server.address().port}`);
      server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ app }, use) => use(app),
});
