// The control values of a step with their Liquid rendered. The service renders them as one JSON text.
import { jsonrepair } from 'jsonrepair';
import { renderLiquid, type Variables } from './liquid.ts';

/** The rendered values are not JSON any more, or the Liquid cannot be read: the step fails. */
export class ControlSyntaxError extends Error {}

/** Throws a ControlSyntaxError. */
export function renderControls(
  controls: Record<string, unknown>,
  variables: Variables,
  now: string,
): Record<string, unknown> {
  const text = JSON.stringify(controls);
  if (!text.includes('{{') && !text.includes('{%')) return controls;
  try {
    return JSON.parse(jsonrepair(renderLiquid(text, variables, now))) as Record<string, unknown>;
  } catch (error) {
    throw new ControlSyntaxError(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
