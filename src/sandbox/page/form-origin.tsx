// The hidden fields of a form: the token of the page, and the view to return to.
import type { View } from './view.ts';

export const FormOrigin = ({ view: { token, location } }: { view: View }) => (
  <>
    <input type="hidden" name="token" value={token} />
    <input type="hidden" name="back" value={location} />
  </>
);
