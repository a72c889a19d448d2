// The page of the sandbox. Its views are loaded with the first request for them.
import type { PageOptions } from './routes.tsx';

export const loadPage = () => import('./routes.tsx');

export function createPageHandler(options: PageOptions): (request: Request) => Promise<Response> {
  let page: Promise<(request: Request) => Promise<Response>> | undefined;
  return async (request) => {
    page ??= loadPage().then(({ createPage }) => createPage(options));
    return (await page)(request);
  };
}
