// Recognizes columns with addresses and phone numbers. Such a column must not become custom data, where no message would
// be sent to it.

const emailPattern = /^\S+@\S+\.\S+$/;
const datePattern = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/;
const internationalPhone = /^(?:\+|00)\s?\d[\d\s()./-]{5,}$/;
const groupedPhone = /^\(?\d{2,5}\)?[\s/-]\d[\d\s/-]*$/;
const minGroupedDigits = 10;
const minDigits = 6;

const countDigits = (cell: string) => cell.replace(/\D/g, '').length;

export const isEmail = (cell: string) => emailPattern.test(cell);
const isPhone = (cell: string) =>
  internationalPhone.test(cell) ||
  (groupedPhone.test(cell) && !datePattern.test(cell) && countDigits(cell) >= minGroupedDigits);

const namesPhone = /phone|mobile|mobil|cell(?!ation)|^tel|handy|fax|sms|whatsapp|rufnummer|^pager/;
const namesEmail = /mail/;
const namesPostal = /address|adresse|anschrift|street|stra(ss|ß)e/;
/** Columns about addresses that do not contain one, such as `Email Opt Out`. */
const namesAttribute =
  /opt|domain|date|datum|status|label|type|typ$|count|open|click|bounce|unsub|valid|confirm|subscri|prefer|quality|reason|source|verified|sent|deliver|owner|ipaddress|country|land$|city|ort$|state|region|zip|plz|postal|code$/;

/** The content of a column; undefined if it is neither an address nor a phone number. */
export function findAddressType(
  normalizedName: string,
  cells: readonly string[],
): 'email' | 'phone' | 'postal' | undefined {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isMost = (test: (cell: string) => boolean) =>
    filled.filter(test).length * 2 >= Math.max(1, filled.length);
  if (isMost(isEmail)) return 'email';
  if (isMost(isPhone)) return 'phone';
  if (namesAttribute.test(normalizedName)) return undefined;
  if (namesEmail.test(normalizedName) && filled.length === 0) return 'email';
  if (
    namesPhone.test(normalizedName) &&
    (filled.length === 0 || isMost((cell) => countDigits(cell) >= minDigits))
  )
    return 'phone';
  if (namesEmail.test(normalizedName) && filled.some(isEmail)) return 'email';
  return namesPostal.test(normalizedName) ? 'postal' : undefined;
}
