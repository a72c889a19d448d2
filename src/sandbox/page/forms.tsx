// The form that sends an event again, with another payload or to another subscriber.

import { searchSubscribers } from '../store/page-messages.ts';
import type { Scope } from '../store/scope.ts';
import { Icon } from './icons.tsx';
import { personName } from './message-names.ts';
import type { View } from './view.ts';

interface Props {
  view: View;
  /** Identifier of the workflow. */
  workflow: string;
  /** The transaction that is sent again. */
  event: string;
  /** The message that the new one is compared with. */
  message?: string;
  subscriber: string | undefined;
  payload: object;
}

export const SendAgain = ({ view, workflow, event, message, subscriber, payload }: Props) => (
  <details class="again" id="again">
    <summary>
      <Icon name="again" />
      Send again
    </summary>
    <form class="fields" method="post" action="/page/send">
      <FormOrigin view={view} />
      <input type="hidden" name="workflow" value={workflow} />
      <input type="hidden" name="event" value={event} />
      {message === undefined ? null : <input type="hidden" name="message" value={message} />}
      <label>
        Subscriber
        <input
          id="again-subscriber"
          name="subscriber"
          value={subscriber}
          list={peopleList}
          autocomplete="off"
          required
          data-keep
        />
      </label>
      <PayloadField id="again-payload" payload={payload} />
      <p class="actions">
        <button type="submit" class="main">
          Send
        </button>
      </p>
    </form>
  </details>
);

const maxRows = 20;

/** The script checks the JSON while a person types. */
export const PayloadField = ({ id, payload }: { id: string; payload: object | string }) => {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
  return (
    <label class="json">
      Payload
      <textarea
        id={id}
        name="payload"
        rows={Math.min(Math.max(text.split('\n').length, 3), maxRows)}
        spellcheck={false}
        autocapitalize="off"
        dir="ltr"
        data-json
        data-keep
      >
        {text}
      </textarea>
      <output class="json-problem" for={id} />
    </label>
  );
};

// Suggestions of subscribers for the fields of the page. The script asks for others while a person types.

export const peopleList = 'people';

const maxSuggestions = 20;

export const PeopleOptions = ({ scope, text }: { scope: Scope; text: string }) => (
  <>
    {searchSubscribers(scope, text, maxSuggestions).map(({ subscriberId, profile }) => {
      const name = personName({ ...profile, subscriberId });
      return <option value={subscriberId}>{name === subscriberId ? '' : name}</option>;
    })}
  </>
);

// The hidden fields of a form: the token of the page, and the view to return to.

export const FormOrigin = ({ view: { token, location } }: { view: View }) => (
  <>
    <input type="hidden" name="token" value={token} />
    <input type="hidden" name="back" value={location} />
  </>
);
