/** The beginning of the content of a message as one line. Only e-mails are HTML. */
export function messageExcerpt(channel: string, content: string): string {
  const beginning = content.slice(0, 2_000);
  return (channel === 'email' ? withoutMarkup(beginning) : beginning).replace(/\s+/g, ' ').trim();
}

const withoutMarkup = (html: string) =>
  html
    .replace(/<(style|script|title|head)\b[^>]*>[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*(>|$)/g, ' ');
