// Layouts of e-mails. The specification does not have them.
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/layouts.ts'));

const { serviceOperation } = operationsWith({ section: 'Layouts' });

export const layouts = {
  listLayouts: serviceOperation('GET /v2/layouts', {
    summary: 'List layouts',
    paging: { style: 'offset', items: 'layouts', cap: limits.page.default },
    schemas: load((s) => ({ query: s.listLayoutsQuery, response: s.layoutPage })),
  }),

  getLayout: serviceOperation('GET /v2/layouts/{layoutId}', {
    summary: 'Retrieve a layout with its body',
    schemas: load((s) => ({ response: s.layout })),
  }),

  createLayout: serviceOperation('POST /v2/layouts', {
    summary: 'Create a layout with an empty body',
    schemas: load((s) => ({ body: s.createLayoutBody, response: s.layout })),
  }),

  updateLayout: serviceOperation('PUT /v2/layouts/{layoutId}', {
    summary: 'Update the name and the body of a layout',
    schemas: load((s) => ({ body: s.updateLayoutBody, response: s.layout })),
  }),

  deleteLayout: serviceOperation('DELETE /v2/layouts/{layoutId}', {
    summary: 'Delete a layout and remove it from the steps that use it',
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  duplicateLayout: serviceOperation('POST /v2/layouts/{layoutId}/duplicate', {
    summary: 'Copy a layout under a new name',
    schemas: load((s) => ({ body: s.duplicateLayoutBody, response: s.layout })),
  }),

  getLayoutUsage: serviceOperation('GET /v2/layouts/{layoutId}/usage', {
    summary: 'List the workflows that use a layout',
    schemas: load((s) => ({ response: s.layoutUsage })),
  }),

  previewLayout: serviceOperation('POST /v2/layouts/{layoutId}/preview', {
    summary: 'Render a layout with sample content',
    idempotent: () => true,
    schemas: load((s) => ({ body: s.previewLayoutBody, response: s.layoutPreview })),
  }),
};

// Layouts in version 1 of the routes, which older clients of the service call. The sandbox serves them.

export const layoutsV1 = {
  listLayoutsV1: serviceOperation('GET /v1/layouts', {
    summary: 'List layouts by page, newest first (deprecated)',
    deprecated: { by: 'GET /v2/layouts' },
    hasDataField: true,
    schemas: load((s) => ({ query: s.layoutQuery, response: s.layoutListV1 })),
  }),

  getLayoutV1: serviceOperation('GET /v1/layouts/{layoutId}', {
    summary: 'Retrieve a layout (deprecated)',
    deprecated: { by: 'GET /v2/layouts/{layoutId}' },
    schemas: load((s) => ({ response: s.layoutV1 })),
  }),

  createLayoutV1: serviceOperation('POST /v1/layouts', {
    summary: 'Create a layout (deprecated)',
    deprecated: { by: 'POST /v2/layouts' },
    schemas: load((s) => ({ body: s.createLayoutV1Body, response: s.createdLayout })),
  }),

  updateLayoutV1: serviceOperation('PATCH /v1/layouts/{layoutId}', {
    summary: 'Update the given fields of a layout (deprecated)',
    deprecated: { by: 'PUT /v2/layouts/{layoutId}' },
    schemas: load((s) => ({ body: s.updateLayoutV1Body, response: s.layoutV1 })),
  }),

  deleteLayoutV1: serviceOperation('DELETE /v1/layouts/{layoutId}', {
    summary: 'Delete a layout (deprecated)',
    deprecated: { by: 'DELETE /v2/layouts/{layoutId}' },
    success: 204,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),

  setDefaultLayout: serviceOperation('POST /v1/layouts/{layoutId}/default', {
    summary: 'Make a layout the default one (deprecated)',
    success: 204,
    idempotent: () => true,
    schemas: load((s) => ({ response: s.emptyResponse })),
  }),
};
