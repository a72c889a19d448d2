// Control route of the page: creates a link that opens it.
import { conflict } from '../http/http-error.ts';
import type { PageLink } from './client.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

export const pageRoutes = ({ page }: ControlOptions): ControlRoute[] => [
  {
    method: 'POST',
    path: '/page',
    handle({ scope }): PageLink {
      if (!page)
        throw conflict('The sandbox has no page, because it does not listen on loopback only');
      const link = page.sessions.createLink(scope().environmentId);
      return { url: `${page.baseUrl}/page/open?link=${link}` };
    },
  },
];
