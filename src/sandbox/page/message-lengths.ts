// How long messages are for phones: the parts in which an SMS is sent, and where a notification is cut.
import { counted } from '../../core/text.ts';

/** The alphabet of GSM 03.38, and its characters that take two places. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '^{}\\[~]|€\f';

/** `178 characters in 2 segments.` */
export function smsLength(text: string): string {
  const characters = [...text];
  const other = characters.find((character) => !`${basic}${extended}`.includes(character));
  const [single, part] = other === undefined ? [160, 153] : [70, 67];
  const places = characters.map((character) =>
    other === undefined ? 1 + Number(extended.includes(character)) : character.length,
  );
  const total = places.reduce((sum, count) => sum + count, 0);
  const segments = total <= single ? 1 : countParts(places, part);
  const length = `${counted(characters.length, 'character')} in ${counted(segments, 'segment')}.`;
  return other === undefined
    ? length
    : `${length} ${other} is not in the SMS alphabet, so a segment has fewer characters.`;
}

/** No character is in two parts. */
function countParts(places: readonly number[], size: number): number {
  let parts = 1;
  let free = size;
  for (const count of places) {
    if (count > free) {
      parts += 1;
      free = size;
    }
    free -= count;
  }
  return parts;
}

/** The beginning of a text, and the rest, which is empty if all of it fits. */
export function cutText(text: string, max: number): [seen: string, rest: string] {
  const characters = [...text];
  return [characters.slice(0, max).join(''), characters.slice(max).join('')];
}
