// Renders the Liquid templates in the control values of a step. Like the service, renders all values as one JSON text.
import { jsonrepair } from 'jsonrepair';
import { errorMessage } from '../../core/errors.ts';
import { renderLiquid, type Variables } from './liquid.ts';

/** The Liquid has a syntax error, or the rendered text is not valid JSON. The step fails. */
export class ControlSyntaxError extends Error {}

/** Throws a ControlSyntaxError if the values cannot be rendered. */
export function renderControls(
  controls: Record<string, unknown>,
  variables: Variables,
  now: string,
): Record<string, unknown> {
  const text = JSON.stringify(controls);
  if (!text.includes('{{') && !text.includes('{%')) return controls;
  try {
    return parseRepaired(renderLiquid(text, variables, now)) as Record<string, unknown>;
  } catch (error) {
    throw new ControlSyntaxError(errorMessage(error), {
      cause: error,
    });
  }
}

/** Repairs only text that is not valid JSON, because that is slower. */
function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(jsonrepair(text));
  }
}
