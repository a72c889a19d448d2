// Layouts of e-mails. The specification does not have them.
import { limits } from '../limits.ts';
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/layouts.ts');

export const layouts = {
  listLayouts: serviceOperation({
    method: 'GET',
    path: '/v2/layouts',
    summary: 'List layouts',
    section: 'Layouts',
    paging: { style: 'offset', items: 'layouts', cap: limits.page.default },
    schemas: async () => {
      const { listLayoutsQuery, layoutPage } = await schemas();
      return { query: listLayoutsQuery, response: layoutPage };
    },
  }),

  getLayout: serviceOperation({
    method: 'GET',
    path: '/v2/layouts/{layoutId}',
    summary: 'Retrieve a layout with its body',
    section: 'Layouts',
    schemas: async () => {
      const { layout } = await schemas();
      return { response: layout };
    },
  }),

  createLayout: serviceOperation({
    method: 'POST',
    path: '/v2/layouts',
    summary: 'Create a layout with an empty body',
    section: 'Layouts',
    success: 201,
    schemas: async () => {
      const { createLayoutBody, layout } = await schemas();
      return { body: createLayoutBody, response: layout };
    },
  }),

  updateLayout: serviceOperation({
    method: 'PUT',
    path: '/v2/layouts/{layoutId}',
    summary: 'Update the name and the body of a layout',
    section: 'Layouts',
    schemas: async () => {
      const { updateLayoutBody, layout } = await schemas();
      return { body: updateLayoutBody, response: layout };
    },
  }),

  deleteLayout: serviceOperation({
    method: 'DELETE',
    path: '/v2/layouts/{layoutId}',
    summary: 'Delete a layout and remove it from the steps that use it',
    section: 'Layouts',
    success: 204,
    schemas: async () => {
      const { emptyResponse } = await schemas();
      return { response: emptyResponse };
    },
  }),

  duplicateLayout: serviceOperation({
    method: 'POST',
    path: '/v2/layouts/{layoutId}/duplicate',
    summary: 'Copy a layout under a new name',
    section: 'Layouts',
    success: 201,
    schemas: async () => {
      const { duplicateLayoutBody, layout } = await schemas();
      return { body: duplicateLayoutBody, response: layout };
    },
  }),

  getLayoutUsage: serviceOperation({
    method: 'GET',
    path: '/v2/layouts/{layoutId}/usage',
    summary: 'List the workflows that use a layout',
    section: 'Layouts',
    schemas: async () => {
      const { layoutUsage } = await schemas();
      return { response: layoutUsage };
    },
  }),

  previewLayout: serviceOperation({
    method: 'POST',
    path: '/v2/layouts/{layoutId}/preview',
    summary: 'Render a layout with sample content',
    section: 'Layouts',
    success: 201,
    idempotent: () => true,
    schemas: async () => {
      const { previewLayoutBody, layoutPreview } = await schemas();
      return { body: previewLayoutBody, response: layoutPreview };
    },
  }),
};
