// The HTML of an e-mail with its syntax in colors.
import type { Child } from 'hono/jsx';

const token =
  /(<!--[\s\S]*?(?:-->|$)|<![^>]*>)|(<\/?[a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)(\/?>|$)|([^<]+|<)/gi;
const attribute = /([^\s=/]+)(\s*=\s*)?("[^"]*"|'[^']*'|[^\s"'>]+)?|\s+|\//g;

/** The rest of a longer source is shown without colors, so that the view stays quick. */
const maxColored = 150_000;

export const Source = ({ html }: { html: string }) => {
  const end = html.length > maxColored ? html.lastIndexOf('<', maxColored) : html.length;
  const colored = html.slice(0, end);
  return (
    <pre class="source" tabindex={0} dir="ltr">
      <code>
        {[...colored.matchAll(token)].map(
          ([all, comment, open, attributes = '', close = '']): Child => {
            if (comment) return <i>{all}</i>;
            if (!open) return all;
            return (
              <>
                <b>{open}</b>
                {coloredAttributes(attributes)}
                <b>{close}</b>
              </>
            );
          },
        )}
        {html.slice(end)}
      </code>
    </pre>
  );
};

const coloredAttributes = (text: string): Child =>
  [...text.matchAll(attribute)].map(
    ([all, name, equals = '', value = '']): Child =>
      name === undefined ? (
        all
      ) : (
        <>
          <u>{name}</u>
          {equals}
          {value === '' ? '' : <s>{value}</s>}
        </>
      ),
  );
