// Suggestions of subscribers for the fields of the page. The script asks for others while a person types.
import { findSubscribers } from '../store/page-inboxes.ts';
import type { Scope } from '../store/scope.ts';
import { personName } from './message-text.ts';

export const peopleList = 'people';

const maxSuggestions = 20;

export const PeopleOptions = ({ scope, text }: { scope: Scope; text: string }) => (
  <>
    {findSubscribers(scope, text, maxSuggestions).map(({ subscriberId, profile }) => {
      const name = personName({ ...profile, subscriberId });
      return <option value={subscriberId}>{name === subscriberId ? '' : name}</option>;
    })}
  </>
);
