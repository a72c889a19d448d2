// An event: its outcomes and recipients, and the timeline of one of them.
import { counted } from '../../core/text.ts';
import { messageCount } from '../../deliveries/outcome-tokens.ts';
import { type StepOutcome, stepOutcomes } from '../../service/job-outcomes.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { countRecipients, type ListedEvent } from '../store/page-events.ts';
import { groupOutcomes, ofEvents, recipientsOf } from '../store/page-overview.ts';
import { findWorkflow } from '../store/workflows.ts';
import { CopyAs, eventSnippets } from './copy.tsx';
import { Choice, Search } from './filters.tsx';
import { SendAgain } from './forms.tsx';
import { Badge } from './icons.tsx';
import { Data, Row, TimeRow } from './message.tsx';
import { personName, stepTitle } from './message-names.ts';
import {
  Bar,
  CountLimit,
  countGroups,
  countsText,
  hasOutcome,
  judgeGroup,
  outcomeChoices,
  Reasons,
} from './outcome-counts.tsx';
import { Empty, NoMatches } from './shell.tsx';
import { type Recipient, RecipientSteps, readRecipients, StepTokens } from './timeline.tsx';
import { eventPath, linkTo, type View } from './view.ts';

/** Which recipients of an event are shown, as members of the address. */
export interface RecipientQuery {
  /** The notification of the one whose timeline is shown. */
  recipient?: string | undefined;
  /** A text in the id, name, email or phone. */
  person?: string | undefined;
  /** An outcome of `hasOutcome`. */
  result?: string | undefined;
  /** Only recipients after this place in the event. */
  after?: number | undefined;
}

const pageSize = 50;

interface Props {
  view: View;
  event: ListedEvent;
  recipients: RecipientQuery;
  /** The address of the list, which links keep. */
  query: Record<string, string | undefined>;
}

export const EventDetail = ({ view, event, recipients, query }: Props) => {
  const { scope } = view;
  const { transactionId, createdAt } = event;
  const count = countRecipients(scope, transactionId);
  const workflow = findWorkflow(scope, 'id', event.workflow);
  const path = eventPath(transactionId);
  const first = recipientsOf(scope, transactionId, {}, 1);
  const [recipient] = readRecipients(
    scope,
    recipients.recipient === undefined ? first : [{ id: recipients.recipient }],
  ).filter(({ item }) => item.transactionId === transactionId);
  const { payload = {}, subscriber: { subscriberId: subscriber } = {} } = recipient?.item ?? {};
  const isOne = count === 1 || recipients.recipient !== undefined;
  return (
    <article class="message event">
      <header>
        <p class="kind">
          <Badge type="trigger" />
          Event
        </p>
        <h2 class="title" dir="auto">
          {workflow?.name ?? 'Deleted workflow'}
        </h2>
        <dl class="facts">
          <Row name="Transaction">
            <bdi>{transactionId}</bdi>
          </Row>
          <TimeRow name="Triggered" at={createdAt} />
        </dl>
      </header>
      {count > 1 && isOne ? (
        <p class="up">
          <a href={linkTo(path, query)}>All recipients of the event</a>
        </p>
      ) : null}
      {recipient === undefined ? (
        <Empty title="No recipients">
          <p>The event has not been processed yet, or it reached no subscriber.</p>
        </Empty>
      ) : isOne ? (
        <RecipientSteps {...{ view, recipient }} triggeredAt={createdAt} />
      ) : (
        <Recipients {...{ view, event, recipients, query }} />
      )}
      <Data name="Payload" value={payload} />
      {workflow ? (
        <div class="acts">
          <SendAgain
            {...{ view, payload, subscriber }}
            workflow={workflow.identifier}
            event={transactionId}
          />
          <CopyAs snippets={eventSnippets(view, transactionId, isOne ? subscriber : undefined)} />
        </div>
      ) : null}
    </article>
  );
};

/** The outcomes of an event with several recipients, and a table of them. */
const Recipients = ({ view, event, recipients, query }: Props) => {
  const { scope } = view;
  const { person: text, result, after } = recipients;
  const { transactionId } = event;
  const path = eventPath(transactionId);
  const groups = groupOutcomes(scope.sql, ofEvents(scope, transactionId));
  const counts = countGroups(groups);
  const shapes =
    result === undefined
      ? undefined
      : groups.filter((group) => hasOutcome(judgeGroup(group), result)).map(({ shape }) => shape);
  const found = recipientsOf(scope, transactionId, { text, shapes, after }, pageSize + 1);
  const rows = readRecipients(scope, found.slice(0, pageSize));
  const next = found.length > pageSize ? found[pageSize - 1]?.place : undefined;
  const linkWith = (change: Record<string, string | undefined>) =>
    linkTo(path, { ...query, person: text, result, ...change });
  return (
    <section class="recipients" aria-label="Recipients">
      <h3>{counted(counts.recipients, 'recipient')}</h3>
      <CountLimit counts={counts} />
      <table class="bars">
        <tbody>
          {[...counts.channels].map(([channel, own]) => (
            <tr>
              <th scope="row">{stepTitle(channel)}</th>
              <td class="wide">
                <Bar counts={own} label={`${stepTitle(channel)}: ${countsText(own)}`} />
              </td>
              <td>
                <span class="tokens">
                  {stepOutcomes
                    .filter((outcome) => own[outcome] > 0)
                    .map((outcome) => (
                      <OutcomeLink
                        {...{ outcome }}
                        count={own[outcome]}
                        total={messageCount(own)}
                        href={linkWith({ result: `${channel}.${outcome}` })}
                      />
                    ))}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {counts.reasons.length === 0 ? null : (
        <Reasons {...{ counts }} max={5} linkTo={(result) => linkWith({ result })} />
      )}
      <form class="people-filter" action={path}>
        {Object.entries(query).map(([name, value]) =>
          value === undefined ? null : <input type="hidden" name={name} value={value} />,
        )}
        <Search name="person" value={text} label="Find a recipient" />
        <Choice
          {...{ name: 'result', label: 'Outcome', any: 'Any outcome', value: result }}
          options={outcomeChoices(result)}
        />
        <button type="submit">Show</button>
      </form>
      {rows.length === 0 ? (
        <NoMatches noun="recipients" path={linkTo(path, query)} />
      ) : (
        <table class="people">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Steps</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((recipient) => (
              <RecipientRow
                recipient={recipient}
                href={linkTo(path, { ...query, recipient: recipient.item._id })}
              />
            ))}
          </tbody>
        </table>
      )}
      {after === undefined && next === undefined ? null : (
        <nav class="pages" aria-label="Pages of recipients">
          {after === undefined ? <span /> : <a href={linkWith({})}>First recipients</a>}
          {next === undefined ? null : (
            <a href={linkWith({ after: String(next) })}>More recipients</a>
          )}
        </nav>
      )}
    </section>
  );
};

interface OutcomeLinkProps {
  outcome: StepOutcome;
  count: number;
  total: number;
  href: string;
}

const OutcomeLink = ({ outcome, count, total, href }: OutcomeLinkProps) => (
  <a class={`token ${outcome}`} href={href}>
    {count.toLocaleString('en')} {outcome}
    {count === total ? '' : ` (${Math.round((100 * count) / total)} %)`}
  </a>
);

const RecipientRow = ({ recipient, href }: { recipient: Recipient; href: string }) => {
  const { item, steps } = recipient;
  const { subscriber } = item;
  const name = subscriber ? personName(subscriber) : 'Deleted subscriber';
  const missed = steps.find(({ job, outcome }) => isChannel(job.type) && outcome !== 'delivered');
  return (
    <tr>
      <th scope="row">
        <a href={href}>
          <bdi>{name}</bdi>
        </a>
        {subscriber && name !== subscriber.subscriberId ? (
          <bdi>{subscriber.subscriberId}</bdi>
        ) : null}
      </th>
      <td>
        <StepTokens {...recipient} />
      </td>
      <td dir="auto">{missed?.sentence}</td>
    </tr>
  );
};
