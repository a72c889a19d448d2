// Layouts in version 1 of the routes, which older clients of the service call. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/layouts-v1.ts');

export const layoutsV1 = {
  listLayoutsV1: serviceOperation({
    method: 'GET',
    path: '/v1/layouts',
    summary: 'List layouts by page, newest first (deprecated)',
    section: 'Layouts',
    hasDataField: true,
    schemas: async () => {
      const { layoutQuery, layoutListV1 } = await schemas();
      return { query: layoutQuery, response: layoutListV1 };
    },
  }),

  getLayoutV1: serviceOperation({
    method: 'GET',
    path: '/v1/layouts/{layoutId}',
    summary: 'Retrieve a layout (deprecated)',
    section: 'Layouts',
    schemas: async () => {
      const { layoutV1 } = await schemas();
      return { response: layoutV1 };
    },
  }),

  createLayoutV1: serviceOperation({
    method: 'POST',
    path: '/v1/layouts',
    summary: 'Create a layout (deprecated)',
    section: 'Layouts',
    success: 201,
    schemas: async () => {
      const { createLayoutV1Body, createdLayout } = await schemas();
      return { body: createLayoutV1Body, response: createdLayout };
    },
  }),

  updateLayoutV1: serviceOperation({
    method: 'PATCH',
    path: '/v1/layouts/{layoutId}',
    summary: 'Update the given fields of a layout (deprecated)',
    section: 'Layouts',
    idempotent: () => true,
    schemas: async () => {
      const { updateLayoutV1Body, layoutV1 } = await schemas();
      return { body: updateLayoutV1Body, response: layoutV1 };
    },
  }),

  deleteLayoutV1: serviceOperation({
    method: 'DELETE',
    path: '/v1/layouts/{layoutId}',
    summary: 'Delete a layout (deprecated)',
    section: 'Layouts',
    success: 204,
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),

  setDefaultLayout: serviceOperation({
    method: 'POST',
    path: '/v1/layouts/{layoutId}/default',
    summary: 'Make a layout the default one (deprecated)',
    section: 'Layouts',
    success: 204,
    idempotent: () => true,
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),
};
