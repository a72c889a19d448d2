// The pages of `svc help <topic>`. What is data elsewhere is taken from there: options, variables, endings.
import { exitCodes } from '../../core/errors.ts';
import { formats } from '../../output/formats.ts';
import type { Option } from '../command.ts';
import { globalOptions } from '../globals.ts';
import { optionGroups } from './help.ts';
import { join, note, type Row, section } from './layout.ts';
import type { TopicName } from './topics.ts';

/** The text of a topic. */
export const helpPage = (topic: TopicName): string => join(pages[topic]());

const pages: Record<TopicName, () => string[]> = {
  options: () => [
    'Options that every command takes. They may stand anywhere on the line, also before the noun.',
    section('Help', [['-h, --help', 'Show the help of the command']]),
    ...optionGroups(Object.values(globalOptions as Record<string, Option>)),
    '`--name=value` and `--name value` mean the same; an option whose value is optional takes it only after `=`. `--` ends the options.',
  ],

  environment: () => [
    'Where svc finds what it needs. An option wins over a variable, a variable over the profile, the profile over the configuration file, that over the default. An empty variable counts as unset; 0 and false are off. `svc config list` says where each value came from, `svc doctor` whether it works.',
    section('Variables', variables()),
    section('Folders', [
      [
        'SVC_CONFIG_DIR',
        'config.json with profiles, keys and settings; else $XDG_CONFIG_HOME/svc, ~/.config/svc',
      ],
      [
        'SVC_STATE_DIR',
        'journals of bulk runs, data of the sandbox; else $XDG_STATE_HOME/svc, ~/.local/state/svc',
      ],
      ['SVC_CACHE_DIR', 'values for Tab, compiled code; else $XDG_CACHE_HOME/svc, ~/.cache/svc'],
    ]),
    note(
      'Keys',
      'A key belongs to the address that it was saved with and is sent nowhere else; a key from a variable and an address from a profile are not mixed. A key never stands on the command line: `svc login` asks, --with-key and --api-key-file read it, SVC_API_KEY holds it.',
    ),
    note(
      'Network',
      'HTTPS_PROXY (HTTP_PROXY for an http:// service), else ALL_PROXY, names an HTTP proxy, NO_PROXY what is reached without; each is read in lower case first. Loopback is never proxied. --ca-file trusts a private authority. http:// beyond this machine needs --insecure-http.',
    ),
  ],

  'exit-codes': () => [
    'A command ends with one of these codes, in every format, in a pipe and with --quiet alike.',
    section(
      'Codes',
      Object.entries(exitCodes).map(
        ([name, { code, meaning }]): Row => [`${String(code).padStart(3)}  ${name}`, meaning],
      ),
    ),
    note(
      'In scripts',
      'With --json or -o ndjson an error is one object, the last line of standard error: {"error": {code, name, message, status, path, hint, next, details, requestId}}. 7 is worth another try later, 3 has rejects to mend, 2 and 6 stay as they are until something is changed.',
    ),
  ],

  output: () => [
    'Results go to standard output and nothing else does: progress, questions, hints and errors go to standard error, so that `svc … --json 2>/dev/null | jq .` parses for every command.',
    section('Formats', [
      [
        'on a terminal',
        'an aligned table that fits it; columns that do not fit are left out, times are relative',
      ],
      [
        'in a pipe',
        'tab-separated lines without a header: all columns in a fixed order, nothing cut, \\t \\n \\r \\\\ escaped; a record is field<TAB>value lines',
      ],
      [
        '-o json, --json',
        'a list is an array of the items as they came, a record the object; --page-info makes it {items, page}',
      ],
      ['-o ndjson', 'one item a line, written as pages arrive'],
      ['-o csv, -o tsv', 'with a header; --csv-safe keeps spreadsheets from running values'],
      ['-o yaml', 'the same data as YAML'],
      ['-o ids', "one id a line, to feed another command's -"],
    ]),
    section('Taking a part', [
      ['--fields a,b.c', 'only these fields, in every format'],
      [
        '--jq <expression>',
        'jq over the JSON; strings print as they are; with -o ndjson over each item',
      ],
      ['--no-header', 'no header line'],
    ]),
    `The formats are ${formats.join(', ')}. Secrets are masked as ******** in all of them unless --reveal is given; a request that carries the mask is refused, so that masked output fed back destroys nothing. Colours follow --color and SVC_COLOR, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR, then the setting color, then the terminal, for each stream by itself.`,
  ],

  bulk: () => [
    'Commands that send many items share one engine: `svc subscribers bulk-import`, and whatever takes --file or - for a list.',
    note(
      'Input',
      'CSV (also with ; or tab), NDJSON or a JSON array, plain or gzip, UTF-8 or UTF-16, from a file or standard input; for lists of ids also one id a line. Every row is checked before it is sent.',
    ),
    note(
      'Sending',
      'Rows travel in batches within the limits of the service by count and by bytes, several at a time. A batch that is too large is halved; rows that the service names as bad are set aside and the rest is sent again. Rows of one subscriber keep the order of the file.',
    ),
    note(
      'Rejects',
      'Rows that did not go through are written to a file in the format of the input, with _line and _error. Mend it and give it to the same command.',
    ),
    note(
      'Interrupting and resuming',
      'Ctrl-C once finishes what is under way and prints the summary; twice stops at once. After that, and after a crash or an outage, `svc runs resume <run-id>` goes on where the run was. Standard input cannot be read twice: --spool keeps a copy; a payload that came that way is kept with the run.',
    ),
    note(
      'Events that are sent twice',
      'A run repeats a request whose response was lost, with the same transaction ids and the same idempotency key. A service that honors idempotency keys drops the repetition. Without them (the default of self-hosted servers) the service drops an event with a known transaction id only once the jobs of the first one exist, so a repetition soon after a timeout can be delivered twice. A longer --timeout makes this less likely.',
    ),
    note(
      'Where it goes on',
      'A run goes on, and `svc events cancel --run <run-id>` undoes it, only in the environment that it began in. `svc runs resume <run-id>` takes the profile that it began with; another one, a key or an address that is named must lead to the same environment. File, options and content must be what they were, but for --concurrency, --rate and --max-errors, which counts what is rejected from there on.',
    ),
    note(
      'Pace',
      'Requests at a time grow while all is well, up to --concurrency, and halve when the service is under pressure. Its rate limits are kept; a 429 fails no run. --rate caps the rows a second.',
    ),
    note(
      'Parts',
      '--skip and --take cut a part out of a file, so that several machines can share a large one. --validate-only checks every row and sends nothing; --max-errors ends a run early.',
    ),
    note(
      'Exit codes',
      '0 when every row went through, 3 when some did not, 6 when none did. A run that had to stop exits with the code of its cause.',
    ),
  ],

  sandbox: () => [
    'The sandbox is the whole service on this machine: the same operations, rules, limits and errors, no account. It listens on loopback alone and delivers nothing outside.',
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
      'Starting it makes the profile `sandbox`, or `sandbox-2` and so on while that one runs; it becomes current if there is no other. The same commands work with the profile of a real service. --no-profile makes none.',
    ),
    note(
      'Data',
      'Kept in a folder of the profile, or in --data; --in-memory keeps nothing. `svc sandbox reset` goes back to the seed; `svc sandbox export` and `svc sandbox seed` write and load the whole state as one file.',
    ),
    note(
      'Time',
      '`svc sandbox clock advance 3d` runs everything that is due in between, in order, before it returns. --time and --frozen start at a moment of your choice.',
    ),
    note(
      'Messages and faults',
      '`svc sandbox messages list` shows what would have gone out. `svc sandbox faults set` makes it slow, full or broken, each time the same way for a seed.',
    ),
    '`svc sandbox --help` lists its commands.',
  ],
};

/** Every variable that stands for a global option. */
const variables = (): Row[] =>
  Object.entries(globalOptions as Record<string, Option>).flatMap(
    ([name, { variable, flags, summary }]): Row[] => {
      // The variable holds what the option names a file of.
      if (name === 'apiKeyFile')
        return [['SVC_API_KEY', 'The API key itself; --api-key-file <path> reads one from a file']];
      return variable ? [[variable, `${summary}: ${flags.split(', ').at(-1)}`]] : [];
    },
  );
