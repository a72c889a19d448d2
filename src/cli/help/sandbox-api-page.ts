// The page of `svc help sandbox-api`. The list of routes is generated.
import { controlRoutes } from './control-routes.ts';
import { note, section } from './layout.ts';

export const sandboxApiPage = (): string[] => [
  'A sandbox serves control routes besides the routes of the service. Tests in any language use them to move the clock, read captured messages, inject faults and replace the data. In JavaScript and TypeScript, `svc-cli/testing` does the same inside the test process: see `svc help testing`.',
  section('Routes', controlRoutes),
  section(
    'Example',
    [],
    [
      '  auth() { printf "Authorization: ApiKey %s\\n" "$SVC_API_KEY"; }',
      '  auth | curl -H @- "$SVC_BASE_URL/__sandbox/messages?subscriberId=u1"',
      '  auth | curl -H @- -H "Content-Type: application/json" \\',
      '    -d \'{"advance": 600000}\' "$SVC_BASE_URL/__sandbox/clock"',
    ],
  ),
  note(
    'Authorization',
    'The routes accept the API keys of the sandbox. Messages are those of the environment of the key; the other routes affect the whole sandbox. `svc sandbox start` prints address and key.',
  ),
  note(
    'Requests and responses',
    'Bodies are JSON and are never wrapped in an envelope. Durations are in milliseconds, times in ISO 8601. A move of the clock runs all jobs that come due, in order, before the response. Errors have the format of the service: 401 without a valid key, 404 for an unknown id, 422 for an invalid request. Injected faults do not affect these routes.',
  ),
  note(
    'Description for generators',
    'The package contains docs/sandbox-api.yaml, an OpenAPI 3.1 description with every parameter and schema. A running sandbox serves the same document at /__sandbox/openapi.json.',
  ),
];
