import type { Context } from '../../../app/context.ts';
import { command } from '../../../cli/command.ts';
import { flag, text } from '../../../cli/options.ts';
import { ifExists, usageError } from '../../../core/errors.ts';
import { shellWord } from '../../../core/text.ts';
import { requireEnvironmentId } from '../../../environment/environments.ts';
import { readSecret } from '../../../input/assignments.ts';
import { readAll } from '../../../input/values.ts';
import * as result from '../../../output/result.ts';
import { limits } from '../../../service/limits.ts';
import { variableKeyPattern } from '../../../service/rules/formats.ts';
import { keyArgument } from './view.ts';

export const set = command({
  summary: 'Set the value of a variable in the environment; creates the variable if needed',
  details:
    'Other environments keep their values. A key starts with a letter and contains letters, digits and _. --secret creates a variable whose value the service hides; an API key cannot change later whether a variable is secret. The value of a secret must not be in the command line, where other users and the history of the shell see it: pass it as -, env:NAME or @file, or enter it when svc asks. A value that itself starts with @ or env: can be passed as -.',
  arguments: { key: keyArgument },
  options: {
    value: text('--value <text|@file|env:NAME|->', 'The value; without it, svc asks'),
    secret: flag('--secret', 'The service never shows the value'),
  },
  output: 'The variable; the value of a secret is hidden.',
  examples: {
    'svc environments variables set BASE_URL --value https://example.com': 'Set a value',
    'svc environments variables set TOKEN --secret --value env:TOKEN':
      'Set a secret from a variable of the shell',
    'svc environments variables set TOKEN --secret --value - < token.txt':
      'Set a secret from standard input',
  },
  operations: [
    'createEnvironmentVariable',
    'updateEnvironmentVariable',
    'getEnvironmentVariable',
    'listEnvironments',
  ],
  writes: true,
  async run(context, { args: { key }, options }) {
    if (!variableKeyPattern.test(key) || key.length > limits.environmentVariableText)
      throw usageError(
        `\`${key}\` is not a key: it must start with a letter and contain only letters, digits and _, at most ${limits.environmentVariableText} of them.`,
      );
    const client = await context.client();
    const found = await ifExists(
      client.call('getEnvironmentVariable', { path: { variableKey: key } }),
    );
    const { secret = false } = options;
    if (found && secret && !found.isSecret)
      throw usageError(`Variable ${key} is not a secret, and an API key cannot change that.`, {
        hint: 'Delete its value in every environment, and set it again with --secret.',
        next: [`svc environments variables delete ${key}`],
      });
    const isSecret = found?.isSecret ?? secret;
    const value = await readValue(context, key, options.value, isSecret);
    const service = await context.connection.service();
    const values = [{ _environmentId: await requireEnvironmentId(service, 'variables'), value }];
    const variable = found
      ? await client.call('updateEnvironmentVariable', {
          path: { variableKey: key },
          body: { values },
        })
      : await client.call('createEnvironmentVariable', {
          body: { key, ...(isSecret ? { isSecret } : {}), values },
        });
    return result.report({
      value: variable,
      headline: `${found ? 'Set' : 'Created'} ${isSecret ? 'secret ' : ''}variable ${key}`,
      ids: [key],
    });
  },
});

/** The messages never contain the value. */
async function readValue(
  { host, prompt }: Context,
  key: string,
  option: string | undefined,
  isSecret: boolean,
): Promise<string> {
  const forms = [`svc environments variables set ${shellWord(key)} --value -`];
  if (option === undefined && !prompt.isPossible)
    throw usageError('--value is missing.', { next: forms });
  // An assistant has no command line that others see, and no files or variables to refer to.
  if (isSecret && option !== undefined && !host.refusesReferences && !/^(-$|@|env:)/.test(option))
    throw usageError(`${key} is a secret, so its value must not be in the command line.`, {
      hint: 'Pass --value -, --value env:NAME or --value @file.',
      next: forms,
    });
  const value =
    option === undefined
      ? await prompt.secret(`Value of ${key}:`)
      : option === '-'
        ? (await readAll(host.stdin)).replace(/\r?\n$/, '')
        : readSecret(option, host, '--value');
  if (value.length <= limits.environmentVariableText) return value;
  throw usageError(
    `The value of ${key} has ${value.length} characters: the limit is ${limits.environmentVariableText}.`,
  );
}
