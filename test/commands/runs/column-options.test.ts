// The fields that a CSV column fills, by its name and with --map: the request body or the error.
import { describe, expect, it } from 'vitest';
import { sentEvents } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';

const importLine = ['subscribers', 'bulk-import', '-'];

describe('--map', () => {
  it.each<[string, string, string[], object]>([
    [
      'a column that also fills the field with its name',
      'email\na@b.co\n',
      ['subscriberId=email'],
      { subscriberId: 'a@b.co', email: 'a@b.co' },
    ],
    [
      'one column that fills three fields',
      'email\na@b.co\n',
      ['subscriberId=email', 'firstName=email'],
      { subscriberId: 'a@b.co', firstName: 'a@b.co', email: 'a@b.co' },
    ],
    [
      'one column with another name that fills two fields',
      'Mail\na@b.co\n',
      ['subscriberId=Mail', 'email=Mail'],
      { subscriberId: 'a@b.co', email: 'a@b.co' },
    ],
    [
      'two columns that are swapped',
      'subscriberId,first_name,lastName\nu1,Lovelace,Ada\n',
      ['firstName=lastName', 'lastName=first_name'],
      { subscriberId: 'u1', firstName: 'Ada', lastName: 'Lovelace' },
    ],
    [
      'a column of custom data that is also the id',
      'data.ref\nr7\n',
      ['subscriberId=data.ref'],
      { subscriberId: 'r7', data: { ref: 'r7' } },
    ],
    [
      'the same option twice',
      'id\nu1\n',
      ['subscriberId=id', 'subscriberId=id'],
      { subscriberId: 'u1' },
    ],
    [
      'a column name with an equals sign',
      'id=x\nu1\n',
      ['subscriberId=id=x'],
      { subscriberId: 'u1' },
    ],
  ])('sends %s', async (_name, stdin, maps, subscriber) => {
    const rig = await openRig();
    const options = maps.flatMap((map) => ['--map', map]);
    const { requests, code } = await rig.svc([...importLine, ...options], { stdin });
    expect(requests.map(({ body }) => body)).toEqual([{ subscribers: [subscriber] }]);
    expect(code).toBe(0);
  });

  it('sends a column to the targets of both --data-column and --map', async () => {
    const rig = await openRig();
    const options = ['--map', 'subscriberId=email', '--data-column', 'email'];
    const { requests } = await rig.svc([...importLine, ...options], { stdin: 'email\na@b.co\n' });
    expect(requests[0]?.body).toEqual({
      subscribers: [{ subscriberId: 'a@b.co', data: { email: 'a@b.co' } }],
    });
  });

  it.each<[string, string, string[], string[]]>([
    [
      'no equals sign',
      'id\nx\n',
      ['--map', 'email'],
      ['--map: `email` does not have the form field=column.', '--map email=Mail'],
    ],
    [
      'no column',
      'id\nx\n',
      ['--map', 'email='],
      ['`email=` does not have the form field=column.'],
    ],
    [
      'a missing column',
      'id,E-Mail\nx,y\n',
      ['--map', 'email=Mail'],
      ['--map email=Mail: standard input has no column `Mail`.', 'Its columns are `id`, `E-Mail`.'],
    ],
    [
      'an unknown field',
      'id\nx\n',
      ['--map', 'emial=id'],
      ['--map emial=id: unknown field `emial`.', 'Did you mean `email`?', 'data.<name>'],
    ],
    ['a data member without a name', 'id\nx\n', ['--map', 'data.=id'], ['unknown field `data.`']],
    [
      'two columns for one field',
      'subscriberId,a,b\nx,y,z\n',
      ['--map', 'email=a', '--map', 'email=b'],
      [
        '--map: email is mapped to two columns, `a` and `b`, but a field takes one column.',
        'Send the other column as custom data with --data-column b, or not at all with --ignore-column b.',
      ],
    ],
    [
      'an input of JSON',
      '{"id":"x"}\n',
      ['--map', 'subscriberId=id', '--format', 'ndjson'],
      ['--map subscriberId=id: standard input is JSON and has no columns.', 'Omit --map'],
    ],
  ])('refuses %s', async (_name, stdin, options, expected) => {
    const rig = await openRig();
    const { code, stderr, requests } = await rig.svc([...importLine, ...options], { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    for (const text of expected) expect(stderr).toContain(text);
  });

  it('fills the payload and a field of an event from one column', async () => {
    const rig = await openRig();
    const { requests } = await rig.svc(
      [
        ...['events', 'trigger', 'welcome', '--to-file', '-', '--yes'],
        ...['--map', 'subscriberId=mail', '--map', 'payload.address=mail'],
      ],
      { stdin: 'mail\na@b.co\n' },
    );
    expect(sentEvents(requests)).toMatchObject([
      { to: [{ subscriberId: 'a@b.co' }], payload: { address: 'a@b.co' } },
    ]);
  });
});
