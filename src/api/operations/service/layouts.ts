// Layouts of e-mails, which the specification does not have.
import { operation, smallBody } from '../../operation.ts';

const schemas = () => import('../../schemas/layouts.ts');

export const listLayouts = operation({
  method: 'GET',
  path: '/v2/layouts',
  summary: 'List layouts',
  section: 'Layouts',
  source: 'service',
  success: 200,
  paging: { style: 'offset', items: 'layouts', cap: 100 },
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { listLayoutsQuery, layoutPage } = await schemas();
    return { query: listLayoutsQuery, response: layoutPage };
  },
});

export const getLayout = operation({
  method: 'GET',
  path: '/v2/layouts/{layoutId}',
  summary: 'Retrieve a layout with its body',
  section: 'Layouts',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { layout } = await schemas();
    return { response: layout };
  },
});

export const createLayout = operation({
  method: 'POST',
  path: '/v2/layouts',
  summary: 'Create a layout with an empty body',
  section: 'Layouts',
  source: 'service',
  success: 201,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { createLayoutBody, layout } = await schemas();
    return { body: createLayoutBody, response: layout };
  },
});

export const updateLayout = operation({
  method: 'PUT',
  path: '/v2/layouts/{layoutId}',
  summary: 'Update the name and the body of a layout',
  section: 'Layouts',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { updateLayoutBody, layout } = await schemas();
    return { body: updateLayoutBody, response: layout };
  },
});

export const deleteLayout = operation({
  method: 'DELETE',
  path: '/v2/layouts/{layoutId}',
  summary: 'Delete a layout and remove it from the steps that use it',
  section: 'Layouts',
  source: 'service',
  success: 204,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { emptyResponse } = await schemas();
    return { response: emptyResponse };
  },
});

export const duplicateLayout = operation({
  method: 'POST',
  path: '/v2/layouts/{layoutId}/duplicate',
  summary: 'Copy a layout under a new name',
  section: 'Layouts',
  source: 'service',
  success: 201,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { duplicateLayoutBody, layout } = await schemas();
    return { body: duplicateLayoutBody, response: layout };
  },
});

export const getLayoutUsage = operation({
  method: 'GET',
  path: '/v2/layouts/{layoutId}/usage',
  summary: 'List the workflows that use a layout',
  section: 'Layouts',
  source: 'service',
  success: 200,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { layoutUsage } = await schemas();
    return { response: layoutUsage };
  },
});

export const previewLayout = operation({
  method: 'POST',
  path: '/v2/layouts/{layoutId}/preview',
  summary: 'Render a layout with sample content',
  section: 'Layouts',
  source: 'service',
  success: 201,
  idempotent: () => true,
  bodyLimit: smallBody,
  rate: { category: 'configuration', cost: 1 },
  schemas: async () => {
    const { previewLayoutBody, layoutPreview } = await schemas();
    return { body: previewLayoutBody, response: layoutPreview };
  },
});
