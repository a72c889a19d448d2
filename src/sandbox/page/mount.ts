// Adds the page to the sandbox. Its views are loaded with the first request for them.
import type { Hono } from 'hono';
import type { PageOptions } from './routes.tsx';

export const loadPage = () => import('./routes.tsx');

export function mountPage(app: Hono, options: PageOptions): void {
  let page: Promise<(request: Request) => Promise<Response>> | undefined;
  for (const path of ['/', '/page/*']) {
    app.all(path, async ({ req }) => {
      page ??= loadPage().then(({ createPage }) => createPage(options));
      return (await page)(req.raw);
    });
  }
}
