// Suggestions of subscribers for the fields of the page. The script asks for others while a person types.
import { searchSubscribers } from '../store/page-inboxes.ts';
import type { Scope } from '../store/scope.ts';
import { personName } from './message-names.ts';

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
