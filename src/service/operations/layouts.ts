// Layouts of e-mails. The specification does not have them.
import { limits } from '../limits.ts';
import { schemasIn, serviceOperation } from '../operation.ts';

const load = schemasIn(() => import('../schemas/layouts.ts'));

export const layouts = {
  listLayouts: serviceOperation({
    route: 'GET /v2/layouts',
    summary: 'List layouts',
    section: 'Layouts',
    paging: { style: 'offset', items: 'layouts', cap: limits.page.default },
    schemas: load((s) => ({ query: s.listLayoutsQuery, response: s.layoutPage })),
  }),

  getLayout: serviceOperation({
    route: 'GET /v2/layouts/{layoutId}',
    summary: 'Retrieve a layout with its body',
    section: 'Layouts',
    schemas: load((s) => ({ response: s.layout })),
  }),

  createLayout: serviceOperation({
    route: 'POST /v2/layouts',
    summary: 'Create a layout with an empty body',
    section: 'Layouts',
    success: 201,
    schemas: load((s) => ({ body: s.createLayoutBody, response: s.layout })),
  }),

  updateLayout: serviceOperation({
    route: 'PUT /v2/layouts/{layoutId}',
    summary: 'Update the name and the body of a layout',
    section: 'Layouts',
    schemas: load((s) => ({ body: s.updateLayoutBody, response: s.layout })),
  }),

  deleteLayout: serviceOperation({
    route: 'DELETE /v2/layouts/{layoutId}',
    summary: 'Delete a layout and remove it from the steps that use it',
    section: 'Layouts',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  duplicateLayout: serviceOperation({
    route: 'POST /v2/layouts/{layoutId}/duplicate',
    summary: 'Copy a layout under a new name',
    section: 'Layouts',
    success: 201,
    schemas: load((s) => ({ body: s.duplicateLayoutBody, response: s.layout })),
  }),

  getLayoutUsage: serviceOperation({
    route: 'GET /v2/layouts/{layoutId}/usage',
    summary: 'List the workflows that use a layout',
    section: 'Layouts',
    schemas: load((s) => ({ response: s.layoutUsage })),
  }),

  previewLayout: serviceOperation({
    route: 'POST /v2/layouts/{layoutId}/preview',
    summary: 'Render a layout with sample content',
    section: 'Layouts',
    success: 201,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.previewLayoutBody, response: s.layoutPreview })),
  }),
};

// Layouts in version 1 of the routes, which older clients of the service call. The sandbox serves them.

export const layoutsV1 = {
  listLayoutsV1: serviceOperation({
    route: 'GET /v1/layouts',
    summary: 'List layouts by page, newest first (deprecated)',
    deprecated: { by: 'GET /v2/layouts' },
    section: 'Layouts',
    hasDataField: true,
    schemas: load((s) => ({ query: s.layoutQuery, response: s.layoutListV1 })),
  }),

  getLayoutV1: serviceOperation({
    route: 'GET /v1/layouts/{layoutId}',
    summary: 'Retrieve a layout (deprecated)',
    deprecated: { by: 'GET /v2/layouts/{layoutId}' },
    section: 'Layouts',
    schemas: load((s) => ({ response: s.layoutV1 })),
  }),

  createLayoutV1: serviceOperation({
    route: 'POST /v1/layouts',
    summary: 'Create a layout (deprecated)',
    deprecated: { by: 'POST /v2/layouts' },
    section: 'Layouts',
    success: 201,
    schemas: load((s) => ({ body: s.createLayoutV1Body, response: s.createdLayout })),
  }),

  updateLayoutV1: serviceOperation({
    route: 'PATCH /v1/layouts/{layoutId}',
    summary: 'Update the given fields of a layout (deprecated)',
    deprecated: { by: 'PUT /v2/layouts/{layoutId}' },
    section: 'Layouts',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.updateLayoutV1Body, response: s.layoutV1 })),
  }),

  deleteLayoutV1: serviceOperation({
    route: 'DELETE /v1/layouts/{layoutId}',
    summary: 'Delete a layout (deprecated)',
    deprecated: { by: 'DELETE /v2/layouts/{layoutId}' },
    section: 'Layouts',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  setDefaultLayout: serviceOperation({
    route: 'POST /v1/layouts/{layoutId}/default',
    summary: 'Make a layout the default one (deprecated)',
    section: 'Layouts',
    success: 204,
    idempotent: () => true,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),
};
