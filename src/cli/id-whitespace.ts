// Ids on the command line with blanks around them: refused, because another id is almost always meant.

import { usageError } from '../core/errors.ts';
import { isTrimmed, trimWhitespace } from '../core/whitespace.ts';
import type { Command } from './command.ts';

/** `<topic-key>`, `[subscriber-id...]`, `--tenant <id>`, `--run <id|last>`. */
const takesId = (syntax: string) => /[<[](?:[\w-]+-)?(?:id|key)(?=[\]>|.])/.test(syntax);

type Given = Record<string, unknown>;

/** Refuses ids that begin or end with a blank, in arguments and in options. */
export function checkIdWhitespace(command: Command, args: Given, options: Given): void {
  for (const [name, { syntax }] of Object.entries(command.arguments ?? {}))
    if (takesId(syntax)) checkValue(args[name], /[\w-]+/.exec(syntax)?.[0] ?? name);
  for (const [name, { flags }] of Object.entries(command.options ?? {}))
    if (takesId(flags)) checkValue(options[name], /--[\w-]+/.exec(flags)?.[0] ?? name);
}

function checkValue(value: unknown, source: string): void {
  for (const id of Array.isArray(value) ? value : [value]) {
    if (typeof id !== 'string' || id === '' || isTrimmed(id)) continue;
    throw usageError(
      `${source}: \`${showInvisible(id)}\` begins or ends with a blank or an invisible character.`,
      {
        hint: `Give the id without it: ${trimWhitespace(id) || '<id>'}.`,
      },
    );
  }
}

/** Every blank but the plain one by its code. */
const showInvisible = (id: string) =>
  id.replace(/[^\x21-\x7e ]/g, (mark) =>
    isTrimmed(mark) ? mark : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
