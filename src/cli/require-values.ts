// Rejects global options without a value, such as `--profile` as the last argument or before another option.
import { usageError } from '../core/errors.ts';
import type { Option } from './command.ts';
import { globalOptions } from './globals.ts';
import { spell } from './spelling.ts';

/**
 * Throws a usage error if a global option in `argv` has no value. `acceptedOptions` are the options of the command and
 * the global options. `commandPath` is the command without its arguments, such as `svc topics list`.
 */
export function requireGlobalOptionValues(
  argv: readonly string[],
  acceptedOptions: Record<string, Option>,
  commandPath: string,
): void {
  const options = new Map<string, Option>();
  for (const option of Object.values(acceptedOptions))
    for (const name of spell(option).names) options.set(name, option);
  const isOption = (token: string) =>
    options.has(withoutValue(token)) || ['--', '-h', '--help', '--no-color'].includes(token);
  for (let index = 0; index < argv.length && argv[index] !== '--'; index += 1) {
    const option = options.get(argv[index] ?? '');
    if (!option || spell(option).value === undefined) continue;
    index += 1;
    const value = argv[index];
    if (!isGlobal(option) || (value !== undefined && !isOption(value))) continue;
    const name = spell(option).long;
    const canBeValue = value !== undefined && value !== '--';
    throw usageError(`\`${name}\` needs a value.`, {
      next: [`${commandPath} --help`],
      hint: canBeValue ? `If \`${value}\` is the value, write \`${name}=${value}\`.` : undefined,
    });
  }
}

const isGlobal = (option: Option) => Object.values<Option>(globalOptions).includes(option);

/** `--profile=work` → `--profile`. */
const withoutValue = (token: string) => token.split('=')[0] ?? token;
