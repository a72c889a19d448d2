// Rejects ids on the command line with spaces around them or invisible characters, which are almost always copy errors.

import { usageError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { findIdProblem, isTrimmed, removeInvisible, showInvisible } from '../core/whitespace.ts';
import type { Command } from './command.ts';
import { spell } from './spelling.ts';

/** `<topic-key>`, `[subscriber-id...]`, `<id|last>`. */
const takesId = (syntax: string) => /[<[](?:[\w-]+-)?(?:id|key)(?=[\]>|.])/.test(syntax);

/** Throws a usage error for an id with such characters, in arguments and in options. */
export function checkIdWhitespace(command: Command, args: JsonObject, options: JsonObject): void {
  for (const [name, { syntax }] of Object.entries(command.arguments ?? {}))
    if (args[name] !== undefined && takesId(syntax))
      checkValue(args[name], /[\w-]+/.exec(syntax)?.[0] ?? name);
  for (const [name, option] of Object.entries(command.options ?? {})) {
    const { long, value } = spell(option);
    if (options[name] !== undefined && takesId(`<${value}>`)) checkValue(options[name], long);
  }
}

function checkValue(value: unknown, source: string): void {
  for (const id of Array.isArray(value) ? value : [value]) {
    if (typeof id !== 'string' || id === '') continue;
    const problem = isTrimmed(id)
      ? findIdProblem(id)
      : 'starts or ends with whitespace or an invisible character';
    if (problem === undefined) continue;
    throw usageError(`${source}: \`${showInvisible(id)}\` ${problem}.`, {
      hint: `Use this id: ${removeInvisible(id) || '<id>'}.`,
    });
  }
}
