// Finds addresses that occur with different subscriber ids. Keeps hashes only, and at most `maxAddresses` of each kind, so
// that memory is bounded.
import { usageError } from '../../core/errors.ts';
import { findSlot, idHash } from '../engine/id-hash.ts';

const addressFields = ['email', 'phone'] as const;
export type AddressField = (typeof addressFields)[number];

export interface RepeatedAddresses {
  /** Different addresses that occur with more than one id. */
  addresses: number;
  examples: { address: string; lines: [number, number] }[];
  /** False if the input has more addresses than are compared. */
  isComplete: boolean;
}

export type AddressReport = { [Field in AddressField]?: RepeatedAddresses };

export type AddressCheck = ReturnType<typeof createAddressCheck>;

/** The addresses in the value of --check-duplicates. Ids are compared for every import. */
export function readAddressFields(requested: readonly string[]): AddressField[] {
  const names = ['id', ...addressFields];
  const unknown = requested.find((name) => !names.includes(name));
  if (unknown === undefined) return addressFields.filter((field) => requested.includes(field));
  throw usageError(`--check-duplicates: \`${unknown}\` must be one of: ${names.join(', ')}.`);
}

export function createAddressCheck(fields: readonly AddressField[]) {
  const indexes = new Map(fields.map((field) => [field, createIndex()]));
  return {
    add(field: AddressField, address: unknown, id: string, line: number) {
      if (typeof address !== 'string') return;
      const text = normalizedAddress[field](address);
      if (text !== '') indexes.get(field)?.add(text, id, line);
    },
    report: (): AddressReport =>
      Object.fromEntries([...indexes].map(([field, index]) => [field, index.report()])),
  };
}

/** An address as it is compared. */
export const normalizedAddress: Record<AddressField, (text: string) => string> = {
  email: (text) => text.trim().toLowerCase(),
  phone: (text) => text.replace(/[^\d+]/g, ''),
};

const maxAddresses = 1_000_000;
const maxExamples = 5;
const firstSize = 1 << 12;
/** Marks an address that is counted already; 0 marks the hash of no id. */
const counted = 0;

/** Flat tables from the hash of an address to the hash of its id and to the line of its first row. */
function createIndex() {
  let hashes = new Float64Array(firstSize);
  let ids = new Float64Array(firstSize);
  let lines = new Float64Array(firstSize);
  let size = 0;
  const result: RepeatedAddresses = { addresses: 0, examples: [], isComplete: true };

  const grow = () => {
    const old = { hashes, ids, lines };
    const length = hashes.length * 2;
    hashes = new Float64Array(length);
    ids = new Float64Array(length);
    lines = new Float64Array(length);
    for (const [from, hash] of old.hashes.entries()) {
      if (hash === 0) continue;
      const at = findSlot(hashes, hash);
      hashes[at] = hash;
      ids[at] = old.ids[from] as number;
      lines[at] = old.lines[from] as number;
    }
  };

  return {
    add(address: string, id: string, line: number) {
      const hash = idHash(address);
      const ownId = idHash(id);
      const at = findSlot(hashes, hash);
      if (hashes[at] === 0) {
        result.isComplete &&= size < maxAddresses;
        if (!result.isComplete) return;
        hashes[at] = hash;
        ids[at] = ownId;
        lines[at] = line;
        size += 1;
        if (size * 2 > hashes.length) grow();
        return;
      }
      if (ids[at] === ownId || ids[at] === counted) return;
      ids[at] = counted;
      result.addresses += 1;
      if (result.examples.length < maxExamples)
        result.examples.push({ address, lines: [lines[at] as number, line] });
    },
    report: () => result,
  };
}

const nouns: Record<AddressField, [string, string]> = {
  email: ['e-mail address occurs', 'e-mail addresses occur'],
  phone: ['phone number occurs', 'phone numbers occur'],
};

/** Sentences about the addresses; undefined if none is repeated. */
export function addressText(report: AddressReport): string | undefined {
  const sentences = addressFields.flatMap((field) => {
    const { addresses = 0, examples = [], isComplete = true } = report[field] ?? {};
    const limit = isComplete
      ? []
      : [`Only the first ${maxAddresses.toLocaleString('en-US')} of field ${field} were compared.`];
    if (addresses === 0) return limit;
    const exampleTexts = examples.map(
      ({ address, lines: [a, b] }) => `${address} (lines ${a} and ${b})`,
    );
    const noun = nouns[field][addresses === 1 ? 0 : 1];
    return [
      `${addresses} ${noun} with different ids: ${exampleTexts.join(', ')}${addresses > examples.length ? ', …' : ''}`,
      ...limit,
    ];
  });
  return sentences.length > 0 ? sentences.join('\n') : undefined;
}
