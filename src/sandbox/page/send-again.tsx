// The form that sends an event again, with another payload or to another subscriber.
import { FormOrigin } from './form-origin.tsx';
import { Icon } from './icons.tsx';
import { peopleList } from './people.tsx';
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
