// The pages of `svc help <topic>`. Options, variables and exit codes are generated from their definitions.
import { exitCodes } from '../../core/errors.ts';
import { formats } from '../../output/formats.ts';
import type { Option } from '../command.ts';
import { globalOptions } from '../globals.ts';
import { optionGroups } from './help.ts';
import { join, note, type Row, section } from './layout.ts';
import type { TopicName } from './topics.ts';

/** Returns the text of `svc help <topic>`. */
export const helpPage = (topic: TopicName): string => join(pages[topic]());

const pages: Record<TopicName, () => string[]> = {
  options: () => [
    'Every command accepts these options, in any position, also before the noun.',
    section('Help', [['-h, --help', 'Show the help of the command']]),
    ...optionGroups(Object.values(globalOptions as Record<string, Option>)),
    '`--name=value` and `--name value` are equivalent. An option with an optional value accepts it only after `=`. `--` ends the options.',
  ],

  environment: () => [
    'svc reads each setting from the first of: option, environment variable, profile, configuration file, default. An empty variable counts as unset; 0 and false mean off. `svc config list` shows where each value comes from, `svc doctor` checks whether it works.',
    section('Variables', [
      ...variableRows(),
      ['COLUMNS', 'Width of -o table if standard output is not a terminal: default 80'],
    ]),
    section('Folders', [
      [
        'SVC_CONFIG_DIR',
        'config.json with profiles, keys and settings; default $XDG_CONFIG_HOME/svc or ~/.config/svc',
      ],
      [
        'SVC_STATE_DIR',
        'journals of bulk runs and sandbox data; default $XDG_STATE_HOME/svc or ~/.local/state/svc',
      ],
      [
        'SVC_CACHE_DIR',
        'completion values and compiled code; default $XDG_CACHE_HOME/svc or ~/.cache/svc',
      ],
    ]),
    note(
      'Keys',
      'A key is sent only to the address that it was saved with. A key from a variable is not combined with an address from a profile. Keys are not accepted on the command line: `svc login` prompts for one, --with-key and --api-key-file read one, or set SVC_API_KEY.',
    ),
    note(
      'Network',
      'HTTPS_PROXY (HTTP_PROXY for an http:// service) or ALL_PROXY sets an HTTP proxy, NO_PROXY lists hosts to reach without it. The lower-case names take precedence. Loopback addresses are never proxied. --ca-file adds a private certificate authority. http:// for other machines needs --insecure-http.',
    ),
  ],

  'exit-codes': () => [
    'Every command exits with one of these codes. The output format, a pipe and --quiet do not change the code.',
    section(
      'Codes',
      Object.entries(exitCodes).map(
        ([name, { code, meaning }]): Row => [`${String(code).padStart(3)}  ${name}`, meaning],
      ),
    ),
    note(
      'In scripts',
      'With --json or -o ndjson, an error is one JSON object on the last line of standard error: {"error": {code, name, message, status, path, hint, next, details, requestId}}. After 7, try again later. After 3, fix the rejected rows and send them again. 2 and 6 fail again until the command or the data changes.',
    ),
  ],

  output: () => [
    'Standard output contains only results. Progress, questions, hints and errors go to standard error, so `svc … --json 2>/dev/null | jq .` works with every command.',
    section('Formats', [
      [
        'on a terminal',
        'an aligned table that fits the width; less important columns are dropped first, times are relative',
      ],
      [
        'in a pipe',
        'tab-separated lines without a header: all columns in a fixed order, nothing truncated, \\t \\n \\r \\\\ escaped; a record is printed as field<TAB>value lines',
      ],
      ['-o table', 'the table, also in a pipe; its width is COLUMNS there, or 80'],
      [
        '-o json, --json',
        'a list is an array of the items as the service sent them, a record is an object; --page-info prints {items, page}',
      ],
      ['-o ndjson', 'one item per line, written as pages arrive'],
      ['-o csv, -o tsv', 'with a header; --csv-safe escapes spreadsheet formulas'],
      ['-o yaml', 'the same data as YAML'],
      ['-o ids', 'one id per line, as input for - of another command'],
    ]),
    section('Selecting data', [
      ['--fields a,b.c', 'only these fields, in any format'],
      [
        '--jq <expression>',
        'filters the JSON; strings are printed without quotes; with -o ndjson it applies to each item',
      ],
      ['--no-header', 'omits the header line'],
    ]),
    `The formats are ${formats.join(', ')}. All formats mask secrets as ******** unless --reveal is given. A request that contains the mask in place of a secret is rejected, so masked output cannot overwrite a credential. Color is decided for each stream by the first of: --color or SVC_COLOR, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, the setting color, the terminal.`,
  ],

  bulk: () => [
    'Commands that send many items share one engine: `svc subscribers bulk-import`, and every command that reads a list from --file or -.',
    note(
      'Input',
      'CSV (also with ; or tab), NDJSON or a JSON array, plain or gzip, UTF-8 or UTF-16, from a file or standard input. A list of ids can also have one id per line. Every row is validated before it is sent.',
    ),
    note(
      'Sending',
      'Rows are sent in batches that fit the limits of the service, several batches at a time. A batch that is too large is split in half. If the service rejects individual rows, they are written to the rejects file and the others are sent again. Rows of one subscriber keep the order of the file.',
    ),
    note(
      'Rejects',
      'Rejected rows are written to a file in the format of the input, with the columns _line and _error. Fix the rows and pass the file to the same command.',
    ),
    note(
      'Interrupting and resuming',
      'Press Ctrl-C once to finish the pending requests and print the summary, twice to stop at once. `svc runs resume <run-id>` continues an interrupted run, also after a crash or an outage. Standard input cannot be read twice: --spool keeps a copy of it. A payload from standard input is stored with the run.',
    ),
    note(
      'Duplicate events',
      'If a response is lost, the run repeats the request with the same transaction ids and idempotency key. A service that supports idempotency keys ignores the repetition. Without them (the default of self-hosted servers), the service ignores an event with a known transaction id only after it has created the jobs of the first one, so a repetition soon after a timeout can be delivered twice. A longer --timeout makes this less likely.',
    ),
    note(
      'Environment of a run',
      'A run can be resumed, or cancelled with `svc events cancel --run <run-id>`, only in the environment in which it was started. `svc runs resume <run-id>` uses the profile that started the run; a profile, key or address that you name must belong to the same environment. The file, its content and the options must be unchanged, except for --concurrency, --rate and --max-errors, which counts from zero again.',
    ),
    note(
      'Concurrency and rate',
      'The number of concurrent requests grows up to --concurrency and is halved when the service is overloaded. Rate limits of the service are respected; a 429 does not fail the run. --rate limits the rows per second.',
    ),
    note(
      'Partial runs',
      '--skip and --take select a part of the file, so several machines can share a large one. --validate-only checks every row and sends nothing. --max-errors stops a run early.',
    ),
    note(
      'Exit codes',
      '0 if all rows succeeded, 3 if some failed, 6 if all failed. A run that stops early exits with the code of the cause.',
    ),
  ],

  sandbox: () => [
    'The sandbox is a local emulator of the service with the same operations, rules, limits and errors. It needs no account, listens only on loopback and delivers nothing.',
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
      'Starting a sandbox creates the profile `sandbox`, or `sandbox-2` and so on if that one is running. It becomes the current profile if no other profile is current. The same commands work with the profile of a real service. --no-profile creates no profile.',
    ),
    note(
      'Data',
      'Data is stored in a folder of the profile or in --data; --in-memory stores nothing. `svc sandbox reset` restores the seed data. `svc sandbox export` and `svc sandbox seed` write and load the whole state as one file.',
    ),
    note(
      'Time',
      '`svc sandbox clock advance 3d` runs everything that is due in that time, in order, before it returns. --time starts the clock at a given moment, --frozen stops it.',
    ),
    note(
      'Messages and faults',
      '`svc sandbox messages list` shows the messages that would have been delivered. `svc sandbox faults set` injects delays, rate limits and errors; the same seed produces the same faults.',
    ),
    'Run `svc sandbox --help` for the list of commands.',
  ],
};

/** Returns a table row for each environment variable of a global option. */
const variableRows = (): Row[] =>
  Object.entries(globalOptions as Record<string, Option>).flatMap(
    ([name, { variable, flags, summary }]): Row[] => {
      // SVC_API_KEY contains the key itself, but the option --api-key-file takes the path of a file.
      if (name === 'apiKeyFile')
        return [['SVC_API_KEY', 'The API key itself; --api-key-file <path> reads one from a file']];
      return variable ? [[variable, `${summary}: ${flags.split(', ').at(-1)}`]] : [];
    },
  );
