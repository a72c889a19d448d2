// Finds the subscriber with an e-mail address or phone number.
import type { Context } from '../../app/context.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { listText, shellWord } from '../../core/text.ts';

export interface Address {
  email?: string | undefined;
  phone?: string | undefined;
  phoneRegion?: string | undefined;
}

interface Candidate {
  subscriberId: string;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

const maxShown = 10;

/** Throws a notFound error without a match, and a usage error that lists several. */
export async function findSubscriber(context: Context, address: Address): Promise<string> {
  const email = address.email?.trim();
  const toNumber = await openNumberReader(address.phoneRegion);
  const given = address.phone === undefined ? undefined : keepDigits(address.phone);
  const phone = given === undefined ? undefined : toNumber(given);
  const candidates = await readCandidates(context, { email, phone });
  // The subscriber can have the number without a country code, too.
  if (phone !== given) candidates.push(...(await readCandidates(context, { email, phone: given })));
  const ids = candidates
    .filter((candidate) => email === undefined || isSame(candidate.email, email))
    .filter(
      (candidate) => phone === undefined || toNumber(keepDigits(candidate.phone ?? '')) === phone,
    )
    .map(({ subscriberId }) => subscriberId);
  const [id, ...others] = [...new Set(ids)];
  const text = listText([
    ...(email === undefined ? [] : [`the e-mail address ${email}`]),
    ...(phone === undefined ? [] : [`the phone number ${phone}`]),
  ]);
  if (id === undefined)
    throw new SvcError('notFound', `No subscriber has ${text}.`, {
      ...(phone?.startsWith('0') && address.phoneRegion === undefined
        ? { hint: 'The number has no country code: add --phone-region, such as --phone-region DE.' }
        : {}),
      next: [`svc subscribers list ${email === undefined ? '--phone' : '--email'} <text>`],
    });
  if (others.length === 0) return id;
  const all = [id, ...others];
  const rest = all.length > maxShown ? [`${all.length - maxShown} others`] : [];
  throw usageError(
    `${all.length} subscribers have ${text}: ${listText([...all.slice(0, maxShown), ...rest])}.`,
    { next: all.slice(0, maxShown).map((match) => `svc activity explain ${shellWord(match)}`) },
  );
}

const isSame = (stored: string | null | undefined, wanted: string) =>
  stored?.toLowerCase() === wanted.toLowerCase();

/** `+49 170/123` is `+49170123`. */
const keepDigits = (phone: string) => phone.replace(/[^\d+]/g, '');

/** Returns a function that completes a number with the code of the country; other texts stay. */
async function openNumberReader(region: string | undefined): Promise<(phone: string) => string> {
  if (region === undefined) return (phone) => phone;
  const { createPhoneReader } = await import('../../input/phone-numbers.ts');
  const read = createPhoneReader(region);
  return (phone) => {
    const number = read(phone);
    return 'number' in number ? number.number : phone;
  };
}

/** The listing of subscribers, or the newest event for an e-mail address if the server does not list subscribers. */
async function readCandidates(context: Context, { email, phone }: Address): Promise<Candidate[]> {
  const client = await context.client();
  try {
    const query = { email, phone, limit: 100 };
    return [...(await client.call('listSubscribers', { query })).data];
  } catch (error) {
    const isOffered = !(error instanceof SvcError && error.details.notOffered);
    if (isOffered || email === undefined || phone !== undefined) throw error;
    const { data } = await client.call('listActivity', { query: { emails: [email], limit: 1 } });
    return data.flatMap(({ subscriber }) => subscriber ?? []);
  }
}
