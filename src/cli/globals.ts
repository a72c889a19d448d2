// The options of every command: the one table of settings, with their variables, parsers, defaults and config keys.
import { formats } from '../output/formats.ts';
import type { Values } from './command.ts';
import { choice, commaList, duration, flag, integer, several, target, text } from './options.ts';

const connection = 'Connection';
const output = 'Output';
const asking = 'Prompts and safety';

export const globalOptions = {
  profile: target('-p, --profile <name>', 'Use this profile', {
    group: connection,
    variable: 'SVC_PROFILE',
    complete: 'profiles',
  }),
  baseUrl: target('--base-url <url>', 'Address of the service', {
    group: connection,
    variable: 'SVC_BASE_URL',
  }),
  apiKeyFile: target(
    '--api-key-file <path>',
    'Read the API key from a file (- for standard input)',
    { group: connection, complete: 'files' },
  ),
  timeout: duration('--timeout <duration>', 'Timeout of each attempt to send a request', {
    group: connection,
    variable: 'SVC_TIMEOUT',
    defaultText: '30s',
    stored: true,
  }),
  retries: integer('--retries <n>', 'Maximum number of retries per request', {
    min: 0,
    max: 100,
    group: connection,
    variable: 'SVC_RETRIES',
    defaultText: '4',
    stored: true,
  }),
  maxWait: duration('--max-wait <duration>', 'Maximum wait before a retry', {
    group: connection,
    variable: 'SVC_MAX_WAIT',
    defaultText: '60s',
    stored: true,
  }),
  caFile: text('--ca-file <path>', 'Also trust the certificates in this PEM file', {
    group: connection,
    variable: 'SVC_CA_FILE',
    complete: 'files',
  }),
  insecureHttp: flag('--insecure-http', 'Allow http:// addresses of other machines', {
    group: connection,
    variable: 'SVC_INSECURE_HTTP',
  }),
  idempotencyKey: text(
    '--idempotency-key <key>',
    'Idempotency key to send, so that the service applies a repeated request only once',
    { group: connection },
  ),
  output: choice('-o, --output <format>', formats, 'Output format', {
    group: output,
    variable: 'SVC_OUTPUT',
    stored: true,
  }),
  json: flag('--json', 'Shorthand for -o json', {
    group: output,
    conflicts: ['output'],
    shorthandFor: ['output', 'json'],
  }),
  fields: commaList('--fields <a,b.c>', 'Print only these fields, in any format', {
    group: output,
  }),
  jq: text('--jq <expression>', 'Filter the JSON output with a jq expression', { group: output }),
  header: flag('--no-header', 'Omit the header line', { group: output }),
  csvSafe: flag('--csv-safe', 'Escape CSV values that spreadsheets would run as formulas', {
    group: output,
  }),
  reveal: flag('--reveal', 'Show secrets instead of masking them', { group: output }),
  quiet: flag('-q, --quiet', 'Do not print progress, hints or notes', {
    group: output,
    variable: 'SVC_QUIET',
  }),
  color: choice('--color <when>', ['auto', 'always', 'never'], 'When to use colors', {
    group: output,
    variable: 'SVC_COLOR',
    defaultText: 'auto',
    stored: true,
  }),
  // The parser rewrites `--no-color` to this option, because commander would treat it as a negated `--color`.
  colorless: flag('--colorless', 'Shorthand for --color never', {
    group: output,
    hidden: true,
    shorthandFor: ['color', 'never', '--no-color'],
  }),
  unicode: flag(
    '--no-unicode',
    'Draw bars and signs with ASCII characters and print progress as lines, for example for screen readers',
    { group: output, variable: 'SVC_NO_UNICODE' },
  ),
  debug: choice(
    '--debug[=body]',
    ['', 'body'],
    'Log requests to standard error, with secrets masked; =body includes the bodies',
    { group: output, variable: 'SVC_DEBUG' },
  ),
  yes: flag('-y, --yes', 'Answer yes to all questions', { group: asking }),
  confirm: several(
    '--confirm <profile>',
    'Confirm a write to a protected profile by naming the profile; for a production environment without a profile, name the environment',
    { group: asking },
  ),
  input: flag('--no-input', 'Never prompt', { group: asking, variable: 'SVC_NO_INPUT' }),
  dryRun: choice(
    '--dry-run[=curl]',
    ['', 'curl'],
    'Print write requests without sending them; =curl prints curl commands',
    {
      group: asking,
      tool: { summary: 'Print write requests without sending them', isSwitch: true },
    },
  ),
  readOnly: flag('--read-only', 'Reject commands that change data', {
    group: asking,
    variable: 'SVC_READ_ONLY',
    stored: true,
  }),
};

/** The global options that were given on the command line. */
export type Globals = Partial<Values<typeof globalOptions>>;
