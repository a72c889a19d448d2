// Renders the Liquid templates in the control values of a step. Like the service, renders all values as one JSON text.
import { jsonrepair } from 'jsonrepair';
import { errorMessage } from '../../core/errors.ts';
import type { ProblemCollector } from './collect-problems.ts';
import { renderLiquid, type Variables } from './liquid.ts';

/** The Liquid has a syntax error, or the rendered text is not valid JSON. The step fails. */
export class ControlSyntaxError extends Error {}

/** Throws a ControlSyntaxError if the values cannot be rendered. */
export function renderControls(
  controls: Record<string, unknown>,
  variables: Variables,
  now: string,
  problems?: ProblemCollector,
): Record<string, unknown> {
  const text = JSON.stringify(controls);
  if (!text.includes('{{') && !text.includes('{%')) return controls;
  try {
    const report = problems?.of((position) => nameAt(controls, position));
    return parseRepaired(renderLiquid(text, variables, now, report)) as Record<string, unknown>;
  } catch (error) {
    throw new ControlSyntaxError(errorMessage(error), {
      cause: error,
    });
  }
}

/** The name of the control value that contains a position of the JSON. */
function nameAt(controls: Record<string, unknown>, position: number): string {
  const given = Object.entries(controls).filter(([, value]) => value !== undefined);
  let end = 0;
  const member = given.find(([name, value]) => {
    // With the brace or comma before it.
    end += JSON.stringify({ [name]: value }).length - 1;
    return position < end;
  });
  return member?.[0] ?? '';
}

/** Repairs only text that is not valid JSON, because that is slower. */
function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(jsonrepair(text));
  }
}
