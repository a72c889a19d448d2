// The OpenAPI document of the control routes, made from their records.
import { toJSONSchema, z } from 'zod';
import { controlPath } from './client.ts';
import type { ControlRoute } from './route.ts';
import { controlSchemas, type SchemaName } from './schemas.ts';

const description = `Every sandbox of svc serves these routes besides those of the service. A program in any language can use them to move the clock, read captured messages, inject faults and replace the data. They accept the same API keys as the service. Injected faults do not affect them.`;

/** `routes` are all control routes. */
export const openApiDocument = (routes: readonly ControlRoute[]): object => ({
  openapi: '3.1.0',
  info: { title: 'Control routes of the svc sandbox', version: '1', description },
  servers: [{ url: 'http://127.0.0.1:4400', description: 'The default address of a sandbox' }],
  security: [{ apiKey: [] }],
  paths: pathItems(routes),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '`ApiKey <key>`, with a key of an environment of the sandbox',
      },
    },
    schemas: schemas(),
  },
});

function pathItems(routes: readonly ControlRoute[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `${controlPath}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths;
}

function operation({ path, description: route }: ControlRoute): object {
  const parameters = [...pathParameters(path), ...queryParameters(route.query)];
  return {
    operationId: route.id,
    summary: route.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: { required: !route.isBodyOptional, content: jsonContent(route.body) } }
      : {}),
    responses: {
      200: { description: 'Success', content: jsonContent(route.response) },
      ...Object.fromEntries(
        [401 as const, ...(route.errors ?? [])].map((status) => [
          status,
          { description: errorTexts[status], content: jsonContent('Error') },
        ]),
      ),
    },
  };
}

const errorTexts = {
  401: 'The API key is missing or unknown',
  404: 'There is no such resource',
  408: 'The time to wait is over; the message says why',
  409: 'The sandbox is not in a state that allows it; the message says why',
  413: 'The body is too large',
  422: 'The request is not valid; the message says why',
};

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters(query: z.ZodObject | undefined): object[] {
  if (!query) return [];
  const { properties = {} } = toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    const { description: text, ...rest } = schema as { description?: string };
    return { name, in: 'query', ...(text ? { description: text } : {}), schema: rest };
  });
}

const reference = (name: string) => `#/components/schemas/${name}`;

const jsonContent = (name: SchemaName) => ({
  'application/json': { schema: { $ref: reference(name) } },
});

function schemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(controlSchemas)) registry.add(schema, { id });
  const made = toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: reference });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $id: _id, $schema: _schema, ...schema }]) => [
      name,
      schema,
    ]),
  );
}
