// The key in use must not travel on in what a service or gateway quotes: messages, logs, rejects.

/** Below this a key could be part of any word. */
const shortest = 8;

/** Replaces the key in a text, as it is, percent-encoded and in Base64. */
export function redactionOf(apiKey: string, mask: string): (text: string) => string {
  if (apiKey.length < shortest) return (text) => text;
  const base64 = Buffer.from(apiKey).toString('base64').replace(/=+$/, '');
  const forms = [...new Set([apiKey, encodeURIComponent(apiKey), base64])];
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, mask), text);
}
