// The pages of `svc help <topic>`. Options, variables and exit codes are generated from their definitions.

import skill from '../../../skills/svc/SKILL.md?text';
import { exitCodes } from '../../core/errors.ts';
import type { Option } from '../command.ts';
import { globalOptions } from '../globals.ts';
import { spell } from '../spelling.ts';
import { controlRoutes } from './control-routes.ts';
import { fitHelp, join, note, optionGroups, type Row, section } from './help.ts';
import { taskPages } from './task-pages.ts';
import { type HelpTopic, helpTopics, type TopicName } from './topics.ts';

export function helpPage(topic: TopicName, columns?: number): string {
  fitHelp(columns);
  const { documents = [] }: HelpTopic = helpTopics[topic];
  return join([
    ...pages[topic](),
    ...(documents.length > 0
      ? [`The whole page: ${documents.join(' and ')}, in the package and the repository`]
      : []),
  ]);
}

const pages: Record<TopicName, () => string[]> = {
  ...taskPages,
  // Exactly the file.
  agents: () => [skill.trimEnd()],

  options: () => [
    'All commands share these options, before or after the command name. If a command does not support an option, it reports an error.',
    section('Help', [['-h, --help', 'Show the help of the command']]),
    ...optionGroups(Object.values(globalOptions as Record<string, Option>)),
    '`--name=value` and `--name value` are equivalent. An option with an optional value accepts it only after `=`. `--` ends the options.',
  ],

  environment: () => [
    'The value of a setting comes from the first of these that sets it: option, environment variable, profile, configuration file, default. An empty variable counts as unset; 0 and false mean off. `svc config list` shows where each value comes from.',
    '-p or --profile takes precedence over SVC_BASE_URL and SVC_API_KEY. These two take precedence over SVC_PROFILE, but its protection still applies. `svc whoami` shows the service in use and the ignored variables, `svc doctor` checks the configuration and the connection.',
    section('Variables', [
      ...variableRows(),
      [
        'SVC_SANDBOX_KEY',
        'The API key of a sandbox at its start (--key-file <path> reads it from a file)',
      ],
      ['SVC_SANDBOX_COMPAT', 'The mode of a sandbox at its start (--compat <mode>)'],
      ['SVC_SANDBOX_SERVICE', 'The version of a sandbox at its start (--service <version>)'],
      ['CI', 'Never prompt, like SVC_NO_INPUT; print each message on one line'],
      ['COLUMNS', 'Width of -o table if standard output is not a terminal (default 80)'],
    ]),
    section('Folders', [
      [
        'SVC_CONFIG_DIR',
        'config.json with profiles, keys and settings; default $XDG_CONFIG_HOME/svc or ~/.config/svc',
      ],
      [
        'SVC_STATE_DIR',
        'sandbox data and the journals of bulk runs; default $XDG_STATE_HOME/svc or ~/.local/state/svc',
      ],
      [
        'SVC_CACHE_DIR',
        'completion values and compiled code; default $XDG_CACHE_HOME/svc or ~/.cache/svc',
      ],
    ]),
    note(
      'Keys',
      'svc sends a stored key only to the address that it was stored with. If you set SVC_API_KEY or --api-key-file, also set the address: svc does not combine such a key with the address of a profile. No option takes the key itself: enter it at the prompt of `svc login`, pass it with --with-key or --api-key-file, or set SVC_API_KEY.',
    ),
    note(
      'Network',
      'HTTPS_PROXY (HTTP_PROXY for an http:// service) or ALL_PROXY sets an HTTP proxy. NO_PROXY lists hosts that are reached without the proxy. Lower-case names take precedence. Requests to loopback addresses never use a proxy. --ca-file adds a private certificate authority. An http:// address of another machine requires --insecure-http.',
    ),
  ],

  'exit-codes': () => [
    'Every command exits with one of these codes. The code does not depend on the output format, pipes or --quiet.',
    section(
      'Codes',
      Object.entries(exitCodes).map(
        ([name, { code, meaning }]): Row => [`${String(code).padStart(3)}  ${name}`, meaning],
      ),
    ),
    note(
      'In scripts',
      'With --json, --jq or -o ndjson, an error is one JSON object on the last line of standard error: {"error": {code, name, message, status, path, hint, next, details, requestId}}. After 3, fix the rejected rows and send them again. After 7, try again later. After 2 or 6, change the command or the data first; otherwise the command fails again.',
    ),
  ],

  output: () => [
    'Standard output contains only results. Progress, questions, hints and errors go to standard error, so `svc … --json 2>/dev/null | jq .` works with every command.',
    section('Formats', [
      [
        'on a terminal',
        'an aligned table that fits the terminal: less important columns are dropped if necessary, and times are short: `16:10:11` today, `24 Nov 16:10` this year',
      ],
      [
        'in a pipe',
        'tab-separated lines without a header: all columns in a fixed order, nothing truncated, \\t \\n \\r \\\\ escaped; a record is printed as field<TAB>value lines, and a write prints the line that it prints on a terminal',
      ],
      ['-o table', 'the table, even in a pipe, where its width is COLUMNS (default 80)'],
      ['-o wide', 'the table with every column, nothing truncated'],
      [
        '-o json, --json',
        'a list is an array of the items as sent by the service; a record is an object; --page-info prints {items, page}',
      ],
      ['-o ndjson', 'one item per line, written as pages arrive'],
      ['-o csv, -o tsv', 'with a header; --csv-safe escapes spreadsheet formulas'],
      ['-o yaml', 'the same data as YAML'],
      ['-o ids', 'one id per line, to pipe to a command that accepts -'],
    ]),
    section('Selecting data', [
      ['--fields a,b.c', 'only these fields, in any format'],
      [
        '--jq <expression>',
        'filters the JSON; strings are printed without quotes; with -o ndjson it applies to each item',
      ],
      ['--no-header', 'omits the header line'],
    ]),
    'The outcome of a message is delivered (✓), failed (✗), skipped (–) or waiting (…). A message that was merged into a digest has the outcome of the digest.',
    `All formats mask secrets as ******** unless --reveal is given. svc rejects a request that contains the mask in place of a secret, so masked output cannot overwrite a credential. The first of these that is set decides whether output is colored: --color or SVC_COLOR, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, the setting color. By default, only terminals get colors. No output depends on color alone. --no-unicode (or SVC_NO_UNICODE=1) draws bars and signs with ASCII characters and prints progress as lines, for example for screen readers.`,
  ],

  bulk: () => [
    'A bulk run is one execution of a command that sends many items: `subscribers bulk-import`, `subscribers delete`, `subscribers credentials import`, `subscribers preferences import`, `topics subscribe --file`, `topics unsubscribe --file`, `events trigger --file` or `--recipients`, `events resend`, `events cancel -` or `--run`, and `inbox mark -`. svc records the progress of each run in a journal, so that the run can be resumed.',
    note(
      'Input',
      'CSV (separated by commas, semicolons or tabs), NDJSON or a JSON array, plain or gzip, from a file or standard input. The encoding is UTF-8 or UTF-16, or set by --encoding. A list of ids can also be a text file with one id per line. Every row is validated before it is sent.',
    ),
    note(
      'Sending',
      'svc sends the rows in batches within the limits of the service, several batches at a time. A batch that is too large is split in half. If the service rejects rows of a batch, svc writes these rows to the rejects file and sends the other rows of the batch again. Rows for the same subscriber are sent in the order of the file.',
    ),
    note(
      'Rejects',
      'Rejected rows are written to a file in the format of the input, with the columns _line and _error. Fix the rows, then run the same command with that file. The file is UTF-8, so omit --encoding. With --csv-safe, svc adds an apostrophe to CSV cells that a spreadsheet would run as formulas. If you pass --csv-safe when you import the file, svc removes the apostrophes.',
    ),
    note(
      'Interrupting and resuming',
      'Press Ctrl-C once to finish the requests in flight and print the summary, twice to stop at once. `svc runs resume <run-id>` continues an interrupted run, even after a crash or an outage. Standard input cannot be read twice: --spool keeps a copy of it. A payload from standard input is stored with the run.',
    ),
    note(
      'Duplicate events',
      'If a response is lost, svc repeats the request with the same transaction ids and idempotency key. A service that supports idempotency keys ignores the repeated request. Self-hosted servers do not support them by default. Such a server ignores a repeated transaction id only after it has created the jobs of the first event. Therefore svc first waits up to 5 seconds for these jobs to appear in the activity. If the jobs are created later, the event can be delivered twice. A longer --timeout makes this less likely.',
    ),
    note(
      'Environment of a run',
      'A run can be resumed, or cancelled with `svc events cancel --run <run-id>`, only in the environment in which it was started. `svc runs resume <run-id>` uses the profile with which the run was started. If you select another profile, key or address, it must belong to the same environment. The input file and the options must be unchanged, except for --concurrency, --rate and --max-errors. --max-errors counts from zero again. Instead of a run id, use `last` for the newest run of the selected profile that the command can use. For example, `svc events cancel --run last` uses the newest run that triggered events.',
    ),
    note(
      'Concurrency and rate',
      'The number of concurrent requests grows up to --concurrency and is halved when the service is overloaded. svc respects the rate limits of the service; a 429 response does not fail the run. --rate limits the rows that one process sends per second.',
    ),
    note(
      'Partial runs',
      '--skip and --take process a part of the file. --validate-only checks every row and sends nothing. --max-errors stops a run early.',
    ),
    note(
      'Columns',
      'Columns with the names of fields need no options. For the columns of an export from another product, `svc subscribers bulk-import` proposes fields. On a terminal it asks; elsewhere it needs --yes or --map-file. --columns names the columns of a file without a header line. --encoding sets the character encoding, --phone-region the country of phone numbers. Columns with the same name must have the same values, unless --ignore-column drops them.',
    ),
    note(
      'Several machines',
      'With --shard 0/4 to --shard 3/4, four machines send one file. All rows of a subscriber are in the same shard. With --run-id, a restarted machine resumes its run. If its disk was lost, it looks up the first events: it does not send again what the service has, and counts it as replayed. The others get the same idempotency keys and transaction ids again, and the summary counts rows for which the service returned its stored response as replayed. A run id is valid for one command with one file and the same options; otherwise svc exits with 2. The same id in another environment is another run: svc reads the id of the environment from the service, or takes it from --environment-id. `svc runs merge` sums up the runs. When several processes together exceed the rate limit of the service, each sends again after the time in Retry-After, and no row fails.',
    ),
    note(
      'Canary',
      '`svc events trigger --recipients --canary 1%` sends the first rows alone and waits until their events are finished. If at least 95% of these events were delivered, it sends the other rows. Otherwise svc asks on a terminal, or stops with exit code 9. The rate is delivered / (delivered + failed); --canary-rate sets another minimum. An event failed if any of its jobs failed. canary.reasons in the summary counts why messages were not delivered, with the causes of `svc activity stats`. `svc runs resume` checks the canary again; --skip-canary sends the other rows anyway.',
    ),
    section('Summary', [
      ['rows', 'all rows that were read; each is in one of the counts below, up to unknown'],
      ['created, updated, triggered, …', 'rows that succeeded'],
      ['absent, notPending', 'rows that succeeded, because nothing was left to delete or cancel'],
      ['unchanged', 'rows that change nothing, such as those that --only-changed does not send'],
      ['same, different, missing', 'rows that --check compared; extra counts other subscribers'],
      ['failed', 'rows that the service rejected'],
      ['invalid', 'rows that svc did not send, because they are not valid'],
      ['skipped', 'rows that were not sent, because of --validate-only or because they are empty'],
      ['unknown', 'rows whose response does not show the outcome'],
      ['emptyRows', 'skipped rows in which all cells are empty'],
      ['duplicates', 'rows whose id is also in an earlier row'],
      ['replayed', 'rows that were sent again, and got the stored response of the service'],
      [
        'sentAgain',
        'events that were in flight when the run was killed and that the service did not list, on a server without idempotency keys: they may run twice',
      ],
      ['stopped', 'the reason why the run ended early'],
    ]),
    note(
      'Exit codes',
      '0 if all rows succeeded, 3 if some failed, 2 if all rows were invalid, and 6 if rows were sent and none succeeded. --check exits with 10 if the service differs. A run that stops early exits with the code of the error that stopped it.',
    ),
  ],

  sandbox: () => [
    'The sandbox is a local emulator of the service with the same operations, rules, limits and errors. It needs no account, listens only on loopback by default and delivers no messages. All svc commands except `svc sandbox` work the same with the sandbox and with a real service.',
    section(
      'First steps',
      [],
      [
        '  svc sandbox start --detach',
        '  export SVC_PROFILE=sandbox',
        '  svc events trigger welcome --to u1 -f product=Example',
        '  svc inbox list u1',
        '  svc sandbox stop',
      ],
    ),
    note(
      'Profile',
      '`svc sandbox start` creates the profile `sandbox`, or `sandbox-2` and so on if the sandbox of that profile is already running. If you have no current profile yet, the new profile becomes the current one. --no-profile creates no profile. The sandbox commands use the sandbox that -p, SVC_PROFILE or SVC_BASE_URL selects. Without a selection, they use the current profile if it is a sandbox, else the profile `sandbox`.',
    ),
    note(
      'Data',
      'The data is stored in a folder for each profile, or in the folder that --data names; with --in-memory, the data is lost when the sandbox stops. `svc sandbox reset` restores the seed data, the clock and the faults of the start. `svc sandbox export` and `svc sandbox seed` write and load the whole state as one file. `svc sandbox pull` writes such a file with the data of any environment; personal data is replaced.',
    ),
    note(
      'Time',
      '`svc sandbox clock advance 3d` moves the clock forward by three days and runs all jobs that come due, in order, before it returns. When you start the sandbox, --time sets the clock and --frozen stops it.',
    ),
    note(
      'Messages and faults',
      '`svc sandbox messages list` lists the captured messages. `svc sandbox open` shows them in a browser as people would see them. A service would deliver only messages with the status sent: `svc sandbox messages wait` waits for them. `svc sandbox start --log` prints each message when it is captured. `svc sandbox requests` lists what applications sent. `svc sandbox faults set` injects delays, rate limits and errors; the same --fault-seed produces the same faults.',
    ),
    note(
      'Tests of an application',
      '`svc sandbox exec -- npm test` runs a command with its own sandbox and stops the sandbox afterwards. In JavaScript and TypeScript, `svc-cli/testing` starts a sandbox inside the tests: see `svc help testing`. If the service has a route that the sandbox does not have, a request to it gets a 404 with this reason and the header x-sandbox-not-emulated. `svc sandbox status` counts these requests. Other programs call the control routes: see `svc help sandbox-api`.',
    ),
    'Run `svc sandbox --help` for the list of commands.',
  ],

  'sandbox-api': sandboxApiPage,
};

/** Returns a table row for each environment variable of a global option. */
const variableRows = (): Row[] =>
  Object.entries(globalOptions as Record<string, Option>).flatMap(([name, option]): Row[] => {
    const { variable, summary } = option;
    // SVC_API_KEY contains the key itself, but the option --api-key-file takes the path of a file.
    if (name === 'apiKeyFile')
      return [['SVC_API_KEY', 'The API key itself (--api-key-file <path> reads it from a file)']];
    return variable ? [[variable, `${summary} (${spell(option).form})`]] : [];
  });

function sandboxApiPage(): string[] {
  return [
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
      'The routes accept the API keys of the sandbox. The key selects the environment of messages, activity, requests and faults. The other routes affect the whole sandbox; only a reset with the key of a copied environment affects only this environment. `svc sandbox start` prints the address and the key.',
    ),
    note(
      'Requests and responses',
      'Bodies are JSON and are never wrapped in an envelope. Durations are in milliseconds, times in ISO 8601. A request that moves the clock runs all jobs that come due, in order, before the response. Errors have the format of the service: 401 without a valid key, 404 for an unknown id, 422 for an invalid request. Injected faults do not affect these routes.',
    ),
    note(
      'Description for generators',
      'The package contains docs/sandbox-api.yaml, an OpenAPI 3.1 description with every parameter and schema. A running sandbox serves the same document at /__sandbox/openapi.json.',
    ),
  ];
}
