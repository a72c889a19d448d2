// The steps of a workflow in a line, with their durations, their conditions and what would become of them.

import { isCondition } from '../../service/mode.ts';
import type { PreviewedStep } from '../engine/preview.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { Badge } from './icons.tsx';
import { stepTitle } from './message-names.ts';
import { stateNames, waitText } from './previewed-step.tsx';

interface Props {
  workflow: StoredWorkflow;
  /** In the same order. */
  steps: readonly PreviewedStep[];
  /** A step runs if its condition is true. */
  isSkipToRun: boolean;
}

export const StepStrip = ({ workflow, steps, isSkipToRun }: Props) => (
  <nav class="recipient" aria-label="Steps">
    <div class="track" tabindex={0}>
      <ol>
        {steps.map(({ stepId, name, type, result }, index) => {
          const values = workflow.steps[index]?.controlValues ?? {};
          const wait = waitText(type, values);
          const state = stateNames[result];
          return (
            <li class={`step ${state?.state ?? 'delivered'}`}>
              <Badge type={type} />
              <div class="step-text">
                <p class="step-head">
                  <a href={`#step-${stepId}`}>
                    <bdi>{name}</bdi>
                  </a>{' '}
                  <span class="step-type">{stepTitle(type)}</span>
                </p>
                {wait === undefined ? null : <p class="sentence">{wait}</p>}
                {isCondition(values.skip) ? (
                  <p class="sentence">
                    {isSkipToRun ? 'Only if' : 'Not if'} <code>{conditionText(values.skip)}</code>
                  </p>
                ) : null}
                {state ? <span class={`state ${state.state}`}>{state.text}</span> : null}
              </div>
            </li>
          );
        })}
      </ol>
    </div>
  </nav>
);

/** A condition of JSON logic as people write it: `payload.amount > 100 and payload.isPaid == true`. */
export function conditionText(condition: unknown): string {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition))
    return JSON.stringify(condition);
  const [[operator, operand] = [], ...others] = Object.entries(condition);
  if (operator === undefined || others.length > 0) return JSON.stringify(condition);
  const values: unknown[] = [operand].flat();
  if (operator === 'var') return String(values[0]);
  const texts = values.map(conditionText);
  if (operator === 'and' || operator === 'or')
    return texts.length === 1 ? (texts[0] ?? '') : texts.map(inBrackets).join(` ${operator} `);
  if (operator === '!' && texts.length === 1) return `not ${inBrackets(texts[0] ?? '')}`;
  return texts.length === 2 ? `${texts[0]} ${operator} ${texts[1]}` : JSON.stringify(condition);
}

/** A part of a longer condition, unless it is one comparison. */
const inBrackets = (text: string) => (/ (?:and|or) /.test(text) ? `(${text})` : text);
