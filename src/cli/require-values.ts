// Finds a global option without its value: `--profile` at the end of the line, or before another option.
import { usageError } from '../core/errors.ts';
import type { Option } from './command.ts';
import { globalOptions } from './globals.ts';

/**
 * Throws a usage error if a global option in `argv` has no value. `specs` are the options that the line accepts;
 * `line` is the command without its arguments, such as `svc topics list`.
 */
export function requireValues(
  argv: readonly string[],
  specs: Record<string, Option>,
  line: string,
): void {
  const options = new Map<string, Option>();
  for (const option of Object.values(specs))
    for (const name of namesOf(option.flags)) options.set(name, option);
  const isOption = (token: string) =>
    options.has(nameOf(token)) || ['--', '-h', '--help', '--no-color'].includes(token);
  for (let at = 0; at < argv.length && argv[at] !== '--'; at += 1) {
    const option = options.get(argv[at] ?? '');
    if (!option?.flags.includes('<')) continue;
    at += 1;
    const value = argv[at];
    if (!isGlobal(option) || (value !== undefined && !isOption(value))) continue;
    const name = namesOf(option.flags).at(-1);
    const canBeValue = value !== undefined && value !== '--';
    throw usageError(`\`${name}\` needs a value.`, {
      next: [`${line} --help`],
      ...(canBeValue ? { hint: `If \`${value}\` is the value, write \`${name}=${value}\`.` } : {}),
    });
  }
}

const isGlobal = (option: Option) => Object.values<Option>(globalOptions).includes(option);

/** `--profile=work` → `--profile`. */
const nameOf = (token: string) => token.split('=')[0] ?? token;

/** `-p, --profile <name>` → `-p` and `--profile`; `--[no-]active` → `--active` and `--no-active`. */
const namesOf = (flags: string): readonly string[] =>
  [flags.replace('[no-]', ''), flags.replace('[no-]', 'no-')].flatMap(
    (one) => one.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? [],
  );
