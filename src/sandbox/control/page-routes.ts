// Control route of the page: creates a link that opens it.

import type { PageLink } from '../control-client/schemas.ts';
import { conflict } from '../values/http-error.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

export const pageRoutes = ({ page }: ControlOptions): ControlRoute[] => [
  {
    method: 'POST',
    path: '/page',
    description: {
      id: 'createPageLink',
      summary: 'Create a link that opens the page in a browser once',
      response: 'PageLink',
      errors: [409],
    },
    handle({ scope }): PageLink {
      if (!page)
        throw conflict('The sandbox has no page, because it does not listen on loopback only');
      const link = page.sessions.createLink(scope().environmentId);
      return { url: `${page.baseUrl}/page/open?link=${link}` };
    },
  },
];
