// The workflows of the sandbox, and what the steps of one of them would send with a payload that can be edited.
import { counted, shellWord } from '../../core/text.ts';
import { allWorkflows, findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { FileProblems } from './file-problems.tsx';
import { SearchForm } from './filters.tsx';
import { PayloadField, peopleList } from './forms.tsx';
import { Badge, Icon } from './icons.tsx';
import { ListRow } from './list-view.tsx';
import { stepTitle } from './message-names.ts';
import { Step } from './previewed-step.tsx';
import { Empty, NoMatches, Shell } from './shell.tsx';
import { StepStrip } from './step-strip.tsx';
import {
  commandForProfile,
  contentKey,
  linkTo,
  pathPart,
  type View,
  workflowPath,
} from './view.ts';
import { type CodePreviews, type PreviewInput, previewWorkflow } from './workflow-preview.ts';

interface Props {
  view: View;
  text: string | undefined;
  opened: StoredWorkflow | undefined;
  /** The values that the steps are rendered with. */
  input: PreviewInput | undefined;
  /** The steps that code of an application defines, as its endpoint renders them. */
  codePreviews: CodePreviews;
}

/** The workflow that is shown: the opened one, else the first. */
export const shownWorkflow = ({ scope }: View, opened: string | undefined, text?: string) =>
  opened === undefined
    ? matching(allWorkflows(scope), text)[0]
    : findWorkflow(scope, 'identifier', opened);

const matching = (workflows: readonly StoredWorkflow[], text: string | undefined) =>
  workflows.filter(({ identifier, name }) =>
    `${identifier}\n${name}`.toLowerCase().includes(text?.toLowerCase() ?? ''),
  );

export const WorkflowsView = ({ view, text, opened, input, codePreviews }: Props) => {
  const workflows = matching(allWorkflows(view.scope), text);
  const selected = opened ?? workflows[0];
  const problemsOf = (identifier: string) =>
    view.fileProblems.filter(({ workflowId }) => workflowId === identifier);
  const others = view.fileProblems.filter(
    ({ workflowId }) => !workflows.some(({ identifier }) => identifier === workflowId),
  );
  return (
    <Shell
      view={view}
      section="Workflows"
      title={opened ? opened.name : 'Workflows'}
      listPath={linkTo('/page/workflows', { q: text })}
      isOpened={opened !== undefined}
      list={
        <>
          <SearchForm path="/page/workflows" value={text} label="Search workflows" />
          <FileProblems problems={others} />
          {workflows.length === 0 && text ? (
            <NoMatches noun="workflows" path="/page/workflows" />
          ) : workflows.length === 0 ? (
            <Empty title="No workflows yet">
              <p>
                Start the sandbox with your files:{' '}
                <code>svc sandbox start --seed workflows --watch</code>
              </p>
            </Empty>
          ) : (
            <ol class="items">
              {workflows.map((workflow) => (
                <WorkflowRow
                  workflow={workflow}
                  href={linkTo(workflowPath(workflow.identifier), { q: text })}
                  isCurrent={workflow.id === selected?.id}
                  isBroken={problemsOf(workflow.identifier).length > 0}
                />
              ))}
            </ol>
          )}
        </>
      }
      detail={
        selected && input ? (
          <>
            <FileProblems problems={problemsOf(selected.identifier)} />
            <WorkflowDetail {...{ view, workflow: selected, input, codePreviews }} />
          </>
        ) : (
          <Empty title={text ? undefined : 'Nothing to show yet'}>
            <p>The steps of a workflow appear here as people would see them.</p>
          </Empty>
        )
      }
    />
  );
};

interface RowProps {
  workflow: StoredWorkflow;
  href: string;
  isCurrent: boolean;
  /** Its file is not valid. */
  isBroken: boolean;
}

const WorkflowRow = ({ workflow, href, isCurrent, isBroken }: RowProps) => {
  const { id, identifier, name, active, steps } = workflow;
  return (
    <ListRow
      {...{ href, isCurrent, title: name }}
      id={`w-${id}`}
      badge="trigger"
      mark={
        <>
          {active ? null : <span class="tag">Inactive</span>}
          {isBroken ? <span class="broken">Broken file</span> : null}
        </>
      }
      sub={
        <span>
          <bdi>{identifier}</bdi>
        </span>
      }
    >
      <span class="step-icons" role="img" aria-label={stepsText(steps)}>
        {steps.map(({ type }) => (
          <span class={`step-icon ${type}`}>
            <Icon name={type} />
          </span>
        ))}
      </span>
    </ListRow>
  );
};

const stepsText = (steps: StoredWorkflow['steps']) =>
  steps.length === 0
    ? 'No steps'
    : `${counted(steps.length, 'step')}: ${steps.map(({ type }) => stepTitle(type)).join(', ')}`;

interface DetailProps {
  view: View;
  workflow: StoredWorkflow;
  input: PreviewInput;
  codePreviews: CodePreviews;
}

const WorkflowDetail = ({ view, workflow, input, codePreviews }: DetailProps) => {
  const { identifier, name, description, active } = workflow;
  const obstacle = active
    ? input.subscriberId === '' && 'Enter a subscriber to send.'
    : 'The workflow is inactive, so it cannot be sent.';
  const path = workflowPath(identifier);
  const steps = previewWorkflow(view.scope, workflow, input, codePreviews);
  return (
    <article class="message workflow">
      <header>
        <p class="kind">
          <Badge type="trigger" />
          Workflow <bdi>{identifier}</bdi>
        </p>
        <h2 class="title" dir="auto">
          {name}
        </h2>
        {description ? (
          <p class="sentence" dir="auto">
            {description}
          </p>
        ) : null}
      </header>
      <form class="fields render" method="post" action={path} data-auto>
        <input type="hidden" name="token" value={view.token} />
        <label>
          Subscriber
          <input
            id="render-subscriber"
            name="subscriber"
            value={input.subscriberId}
            list={peopleList}
            autocomplete="off"
            placeholder="Without data"
            data-keep
          />
        </label>
        <PayloadField id="render-payload" payload={input.payloadText} />
        <p class="actions">
          <button type="submit" class="main">
            Render
          </button>
          <button
            type="submit"
            formaction="/page/send"
            name="workflow"
            value={identifier}
            disabled={Boolean(obstacle)}
            aria-describedby={obstacle ? 'obstacle' : undefined}
          >
            Send to the sandbox
          </button>
          {obstacle ? <span id="obstacle">{obstacle}</span> : null}
        </p>
      </form>
      {steps.length === 0 ? (
        <Empty title="The workflow has no steps" />
      ) : (
        <StepStrip {...{ workflow, steps }} isSkipToRun={view.scope.dialect.isSkipToRun} />
      )}
      {steps.map((step) => (
        <Step
          step={step}
          frameOf={(html) => ({
            view,
            version: contentKey(html),
            path: `${path}/${pathPart(step.stepId)}`,
          })}
        />
      ))}
      <p class="id">
        The same in a terminal:{' '}
        <code>
          {commandForProfile(view.place, `svc workflows preview ${shellWord(identifier)}`)}
        </code>
      </p>
    </article>
  );
};
