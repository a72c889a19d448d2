// The options that every command takes, with the variables that set them.
import { formats } from '../output/formats.ts';
import type { Values } from './command.ts';
import { choice, commaList, duration, flag, integer, text } from './options.ts';

const connection = 'Connection';
const output = 'Output';
const asking = 'Asking and safety';

export const globalOptions = {
  profile: text('-p, --profile <name>', 'Use this profile', {
    group: connection,
    variable: 'SVC_PROFILE',
    complete: 'profiles',
  }),
  baseUrl: text('--base-url <url>', 'Address of the service', {
    group: connection,
    variable: 'SVC_BASE_URL',
  }),
  apiKeyFile: text('--api-key-file <path>', 'Read the API key from a file (- for standard input)', {
    group: connection,
    complete: 'files',
  }),
  timeout: duration('--timeout <duration>', 'Longest time for one attempt', {
    group: connection,
    variable: 'SVC_TIMEOUT',
    defaultText: '30s',
  }),
  retries: integer('--retries <n>', 'Most retries of one request', {
    min: 0,
    max: 100,
    group: connection,
    variable: 'SVC_RETRIES',
    defaultText: '4',
  }),
  maxWait: duration('--max-wait <duration>', 'Longest wait before one retry', {
    group: connection,
    variable: 'SVC_MAX_WAIT',
    defaultText: '60s',
  }),
  caFile: text('--ca-file <path>', 'Trust the certificates in this PEM file too', {
    group: connection,
    variable: 'SVC_CA_FILE',
    complete: 'files',
  }),
  insecureHttp: flag('--insecure-http', 'Allow http:// beyond this machine', {
    group: connection,
    variable: 'SVC_INSECURE_HTTP',
  }),
  idempotencyKey: text(
    '--idempotency-key <key>',
    'Send this key, so that a repetition is recognised',
    { group: connection },
  ),
  output: choice('-o, --output <format>', formats, 'Output format', {
    group: output,
    variable: 'SVC_OUTPUT',
  }),
  json: flag('--json', 'The same as -o json', { group: output, conflicts: ['output'] }),
  fields: commaList('--fields <a,b.c>', 'Only these fields, in every format', { group: output }),
  jq: text('--jq <expression>', 'Run a jq expression over the JSON', { group: output }),
  header: flag('--no-header', 'Leave the header line out', { group: output }),
  csvSafe: flag('--csv-safe', 'In CSV, keep spreadsheets from running values as formulas', {
    group: output,
  }),
  reveal: flag('--reveal', 'Show secrets that are masked otherwise', { group: output }),
  quiet: flag('-q, --quiet', 'No progress, hints or notes', {
    group: output,
    variable: 'SVC_QUIET',
  }),
  color: choice('--color <when>', ['auto', 'always', 'never'], 'When to use colours', {
    group: output,
    variable: 'SVC_COLOR',
  }),
  // commander would fold `--no-color` into the attribute of `--color`.
  colorless: flag('--colorless', 'The same as --color never', { group: output, hidden: true }),
  debug: choice(
    '--debug[=body]',
    ['', 'body'],
    'Log requests to standard error, secrets redacted',
    { group: output, variable: 'SVC_DEBUG' },
  ),
  yes: flag('-y, --yes', 'Answer yes to questions', { group: asking }),
  confirm: text('--confirm <profile>', 'Confirm a write to a protected profile by its name', {
    group: asking,
  }),
  input: flag('--no-input', 'Never ask', { group: asking, variable: 'SVC_NO_INPUT' }),
  dryRun: choice(
    '--dry-run[=curl]',
    ['', 'curl'],
    'Show the requests that would change something, or curl commands for them; send none',
    { group: asking },
  ),
  readOnly: flag('--read-only', 'Refuse everything that would change something', {
    group: asking,
    variable: 'SVC_READ_ONLY',
  }),
};

/** The global options as given on the command line; absent ones were not given. */
export type Globals = Partial<Values<typeof globalOptions>>;
