// Rejects ids on the command line with spaces around them or invisible characters, which are almost always copy errors.

import { usageError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { findIdProblem, isTrimmed, removeInvisible, showInvisible } from '../core/whitespace.ts';
import type { Argument, CandidateKind, Command } from './command.ts';
import { spell, spellArgument } from './spelling.ts';

const idKinds: readonly (CandidateKind | undefined)[] = [
  ...(['integrations', 'layouts', 'runs', 'steps', 'subscribers'] as const),
  ...(['topics', 'transactions', 'variables', 'workflows'] as const),
];

/** Whether its value is an id. */
export const takesId = ({ complete, value }: Pick<Argument, 'complete' | 'value'>) =>
  value === 'id' || idKinds.includes(complete);

/** Throws a usage error for an id with such characters, in arguments and in options. */
export function checkIdWhitespace(command: Command, args: JsonObject, options: JsonObject): void {
  for (const [name, argument] of Object.entries(command.arguments ?? {}))
    if (takesId(argument)) checkValue(args[name], spellArgument(argument).name);
  for (const [name, option] of Object.entries(command.options ?? {}))
    if (takesId(option)) checkValue(options[name], spell(option).long);
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
