// Rejects ids on the command line with leading or trailing whitespace, which is almost always a copy error.

import { usageError } from '../core/errors.ts';
import { isTrimmed, trimWhitespace } from '../core/whitespace.ts';
import type { Command } from './command.ts';

/** `<topic-key>`, `[subscriber-id...]`, `--tenant <id>`, `--run <id|last>`. */
const takesId = (syntax: string) => /[<[](?:[\w-]+-)?(?:id|key)(?=[\]>|.])/.test(syntax);

type Given = Record<string, unknown>;

/** Throws a usage error for an id with surrounding whitespace, in arguments and in options. */
export function checkIdWhitespace(command: Command, args: Given, options: Given): void {
  for (const [name, { syntax }] of Object.entries(command.arguments ?? {}))
    if (args[name] !== undefined && takesId(syntax))
      checkValue(args[name], /[\w-]+/.exec(syntax)?.[0] ?? name);
  for (const [name, { flags }] of Object.entries(command.options ?? {}))
    if (options[name] !== undefined && takesId(flags))
      checkValue(options[name], /--[\w-]+/.exec(flags)?.[0] ?? name);
}

function checkValue(value: unknown, source: string): void {
  for (const id of Array.isArray(value) ? value : [value]) {
    if (typeof id !== 'string' || id === '' || isTrimmed(id)) continue;
    throw usageError(
      `${source}: \`${showInvisible(id)}\` starts or ends with whitespace or an invisible character.`,
      {
        hint: `Use this id: ${trimWhitespace(id) || '<id>'}.`,
      },
    );
  }
}

/** Shows whitespace other than a space as its code. */
const showInvisible = (id: string) =>
  id.replace(/[^\x21-\x7e ]/g, (character) =>
    isTrimmed(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
