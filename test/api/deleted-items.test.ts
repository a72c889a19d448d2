// Items are deleted while a listing is read. The service answers an unknown cursor with an empty page, and deleted items
// move the later ones of a numbered listing to earlier pages. No item that exists is lost.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ids, item, openListingService } from '../support/listings.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { printedError } from '../support/printed-error.ts';

const remove = (items: { _id: string }[], ...names: string[]) => {
  for (const name of names) {
    const at = items.findIndex(({ _id }) => _id === name);
    if (at !== -1) items.splice(at, 1);
  }
};

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_unused, index) => `i${from + index}`);

async function run(line: string, service: { env: Record<string, string> }) {
  const home = openNetworkRig();
  return home.svc([...line.split(' '), '--json'], { env: service.env });
}

describe('a listing with cursors', () => {
  it.each(['topics list', 'topics subscribers news', 'subscribers list', 'subscribers topics u1'])(
    'continues after an item that is left, if the last one of a page is deleted: svc %s',
    async (line) => {
      const service = await openListingService(250, (items, page) => {
        if (page === 2) remove(items, 'i100', 'i99');
      });
      const { code, stdout } = await run(`${line} --all`, service);
      expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: numbers(1, 250) });
      expect(service.asked.map((query) => query.get('after'))).toEqual([
        ...[null, 'i100', 'i100', 'i99', 'i98', 'i199'],
      ]);
    },
  );

  it('continues at the ends of pages if the items have no ids: svc contexts list', async () => {
    const service = await openListingService(350, (items, page) => {
      if (page === 3) remove(items, ...numbers(150, 200));
    });
    const { code, stdout } = await run('contexts list --all', service);
    const listed = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
    expect({ code, listed }).toEqual({ code: 0, listed: numbers(1, 350) });
  });

  it('continues also if one item of a page is left, backwards, and from the start', async () => {
    const most = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, ...numbers(2, 100));
    });
    expect(ids((await run('topics list --all', most)).stdout)).toEqual(numbers(1, 150));
    const back = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, 'i50');
    });
    const backwards = await run('topics list --all --before i150', back);
    expect(backwards.code).toBe(0);
    expect(ids(backwards.stdout).toSorted()).toEqual(numbers(1, 149).toSorted());
    const first = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, ...numbers(1, 100));
    });
    const { stdout } = await run('topics list --all --page-size 60', first);
    expect(ids(stdout)).toEqual([...numbers(1, 60), ...numbers(101, 150)]);
    expect(String(first.asked.at(-1))).toBe('limit=60');
  });

  it('ends after an item that is left, if all later ones are deleted', async () => {
    const service = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, ...numbers(101, 150));
    });
    const { code, stdout } = await run('subscribers list --all', service);
    expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: numbers(1, 100) });
    const none = await openListingService(0, () => undefined);
    expect((await run('topics list --all', none)).stdout).toBe('[]\n');
    expect(none.asked).toHaveLength(1);
  });

  it('begins again if all items of its first page are deleted', async () => {
    const empty = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, ...numbers(1, 150));
    });
    const ended = await run('topics list --all', empty);
    expect({ code: ended.code, ids: ids(ended.stdout) }).toEqual({ code: 0, ids: numbers(1, 100) });
    const after = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, ...numbers(11, 110));
    });
    const { code, stdout } = await run('topics list --all --after i10', after);
    expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: numbers(11, 150) });
  });

  it('honors --limit after it has continued', async () => {
    const service = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, 'i4');
    });
    const { code, stdout } = await run('topics list --limit 6 --page-size 4 --page-info', service);
    const { items, page } = JSON.parse(stdout);
    expect({ code, ids: ids(JSON.stringify(items)) }).toEqual({ code: 0, ids: numbers(1, 6) });
    expect(page.next).toBe('i6');
  });

  it('ends at the last item that is wanted, also if the items have no ids: svc contexts list', async () => {
    const service = await openListingService(150, (items, page) => {
      if (page === 3) remove(items, 'i4');
    });
    const line = 'contexts list --limit 6 --page-size 2 --page-info';
    const { code, stdout } = await run(line, service);
    const { items, page } = JSON.parse(stdout) as { items: { id: string }[]; page: object };
    expect({ code, listed: items.map(({ id }) => id), page }).toMatchObject({
      ...{ code: 0, listed: numbers(1, 6), page: { next: 'i6' } },
    });
  });

  it('fails and reports how far it came, if no item is left that it can continue from', async () => {
    const service = await openListingService(350, (items, page) => {
      if (page === 3) remove(items, ...numbers(50, 200));
    });
    const { code, stdout, stderr } = await run('subscribers list --all', service);
    expect({ code, ids: ids(stdout) }).toEqual({ code: 6, ids: numbers(1, 200) });
    expect(printedError(stderr).message).toBe(
      'The listing GET /v2/subscribers ended early, after 200 items: the items that it continues from were deleted.',
    );
  });

  it('fails for a given cursor of a deleted item', async () => {
    const service = await openListingService(3, () => undefined);
    const { code, stderr } = await run('topics list --after i9', service);
    expect(code).toBe(6);
    expect(printedError(stderr).message).toContain('ended early, after 0 items');
    for (const end of ['--after i3', '--before i1'])
      expect((await run(`topics list ${end}`, service)).stdout).toBe('[]\n');
    const later = await openListingService(150, (items, page) => {
      if (page === 2) remove(items, ...numbers(10, 110));
    });
    expect((await run('topics list --all --after i10', later)).code).toBe(6);
  });

  it('lets no command act on a part of the listing', async () => {
    const service = await openListingService(
      350,
      (items, page) => {
        if (page === 3) remove(items, ...numbers(50, 200));
      },
      (number) => ({ ...item(`i${number}`), subscriber: { subscriberId: `s${number}` } }),
    );
    const home = openNetworkRig();
    const { code } = await home.svc(['topics', 'sync', 'news', '-', '--yes'], {
      stdin: 'x1\n',
      env: service.env,
    });
    expect(code).toBe(6);
    expect(service.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('reads listings by path in the same way', async () => {
    const service = await openListingService(25, (items, page) => {
      if (page === 2) remove(items, 'i10');
    });
    const { code, stdout } = await run('api GET /v2/topics --paginate', service);
    expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: numbers(1, 25) });
  });
});

describe('a listing with page numbers or offsets', () => {
  const lines = ['messages list', 'inbox list u1', 'workflows list', 'layouts list'];

  it.each(lines)('loses no item if earlier ones are deleted: svc %s', async (line) => {
    for (const [first, last] of [
      [1, 1],
      [100, 100],
      [3, 90],
      [1, 100],
      [101, 130],
    ] as const) {
      const service = await openListingService(350, (items, page) => {
        if (page === 2) remove(items, ...numbers(first, last));
      });
      const { code, stdout } = await run(`${line} --all`, service);
      const left = [...numbers(1, 100), ...numbers(Math.max(101, last + 1), 350)];
      expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: left });
    }
  });

  it.each(lines)('reads each item once, with few requests more: svc %s', async (line) => {
    const service = await openListingService(1000, () => undefined);
    const { stdout } = await run(`${line} --all`, service);
    expect(ids(stdout)).toEqual(numbers(1, 1000));
    expect(service.asked.length).toBeLessThanOrEqual(13);
    const small = await openListingService(47, () => undefined);
    for (const size of [1, 2, 3, 10, 46, 47])
      expect(ids((await run(`${line} --all --page-size ${size}`, small)).stdout)).toEqual(
        numbers(1, 47),
      );
    expect(ids((await run(`${line} --limit 33 --page-size 10`, small)).stdout)).toEqual(
      numbers(1, 33),
    );
  });

  it.each(lines)('fails if too many are deleted to continue: svc %s', async (line) => {
    const service = await openListingService(2600, (items, page) => {
      if (page === 25) remove(items, ...numbers(1, 2500));
    });
    const { code, stderr } = await run(`${line} --all`, service);
    expect(code).toBe(6);
    expect(printedError(stderr).message).toMatch(/ended early, after 2,\d+ items/);
  });

  it('loses no item in any order of deletions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('topics list', ...lines),
        fc.array(fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 60 })), {
          maxLength: 20,
        }),
        async (line, deletions) => {
          const service = await openListingService(60, (items, page) => {
            for (const [at, number] of deletions) if (at === page) remove(items, `i${number}`);
          });
          const { code, stdout } = await run(`${line} --all --page-size 13`, service);
          const listed = ids(stdout);
          expect(code).toBe(0);
          expect(new Set(listed).size).toBe(listed.length);
          expect(listed).toEqual(expect.arrayContaining(service.items.map(({ _id }) => _id)));
        },
      ),
      { numRuns: 100 },
    );
  });
});
