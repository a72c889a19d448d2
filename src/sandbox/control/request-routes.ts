// Control route of the requests of the application.
import { type RequestPage, requestQuery } from '../control-client/schemas.ts';
import { parseInteger, readPage } from './queries.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

export const requestRoutes = ({ requestLog }: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/requests',
    description: {
      id: 'listRequests',
      summary: 'List the last requests of the application, newest first, without their secrets',
      query: requestQuery,
      response: 'RequestPage',
      errors: [422],
    },
    handle({ environmentId, query }): RequestPage {
      const { page, limit } = readPage(query);
      const status = query('status');
      const filter = {
        method: query('method'),
        path: query('path'),
        status: status === undefined ? undefined : parseInteger('status', status, statuses),
      };
      const requests = requestLog.list(environmentId, filter, limit + 1, page * limit);
      const data = requests.slice(0, limit);
      return { data, hasMore: requests.length > limit, pageSize: data.length, page };
    },
  },
];

const statuses = { min: 100, max: 599, defaultValue: 0 };
