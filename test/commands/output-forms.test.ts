// Commands that read or sum up many items: in a pipe, as JSON and NDJSON, refused before sending and by the service.
import { describe, expect, it } from 'vitest';
import { filterWrites } from '../support/requests.ts';
import { openRig, type Rig, writeInput } from '../support/rig.ts';
import { runFolder } from '../support/runs.ts';

const recipients = 'subscriberId,email\nv1,v1@example.com\n,v2@example.com\n';
const users = 'subscriberId,email\nu1,u1@example.com\nu2,no address\n';

interface Case {
  line: (rig: Rig) => Promise<string[]> | string[];
  code: number;
  /** A part of the output in a pipe. */
  text: string;
  /** Options that svc refuses before it sends a request, and what it says. */
  refused: [string[], string];
  /** The exit code if the service denies access; undefined if the command sends no request. */
  denied?: number;
}

const cases: Record<string, Case> = {
  'activity explain': {
    line: () => ['activity', 'explain', 'grace', '--workflow', 'order-update'],
    code: 9,
    text: 'cause\tsubscriber_unknown',
    refused: [['--channel', 'telegraph'], '--channel'],
    denied: 4,
  },
  'activity stats': {
    line: () => ['activity', 'stats', '--since', '10d'],
    code: 0,
    text: 'order-update\t1\t2\t1\t3\t2\t0',
    refused: [['--by', 'weather'], '--by'],
    denied: 4,
  },
  'activity export': {
    line: () => ['activity', 'export', '-'],
    code: 0,
    text: '"transactionId":"seed-trial"',
    refused: [['--resume'], '--resume'],
    denied: 4,
  },
  'events trigger --validate-only': {
    line: (rig) => [
      ...['events', 'trigger', 'order-update', '--validate-only'],
      ...['--recipients', writeInput(rig, 'recipients.csv', recipients)],
    ],
    code: 3,
    text: 'rows\t2\ntriggered\t0\nfailed\t0\ninvalid\t1\nskipped\t1\n',
    refused: [['--concurrency', '0'], '--concurrency'],
    denied: 4,
  },
  'runs merge': {
    line: async (rig) => {
      const file = writeInput(rig, 'users.csv', users);
      const imported = await rig.svc(['subscribers', 'bulk-import', file, '--run-id', 'run-1']);
      expect(imported.code).toBe(3);
      return ['runs', 'merge', runFolder(rig, 'run-1')];
    },
    code: 3,
    text: 'rows\t2\nupdated\t1\nfailed\t0\ninvalid\t1\n',
    refused: [['no-folder-of-a-run'], 'no-folder-of-a-run'],
  },
};

describe.each(Object.entries(cases))(
  'svc %s',
  (_name, { line, code, text: expected, refused, denied }) => {
    const [options, message] = refused;

    it('prints tab-separated lines in a pipe, without escape sequences', async () => {
      const rig = await openRig();
      const ran = await rig.svc(await line(rig));
      expect(ran.code).toBe(code);
      expect(ran.stdout).toContain(expected);
      expect(ran.stdout + ran.stderr).not.toContain('\x1b');
      expect(ran.stdout).not.toMatch(/[█▓▒░…]/);
    });

    it.each(['json', 'ndjson'])(
      'prints nothing but %s, with the same exit code',
      async (format) => {
        const rig = await openRig();
        const ran = await rig.svc([...(await line(rig)), '-o', format]);
        expect(ran.code).toBe(code);
        const texts = format === 'json' ? [ran.stdout] : ran.stdout.trim().split('\n');
        for (const text of texts) expect(JSON.parse(text)).toBeTypeOf('object');
        // In a pipe, standard error contains only errors, each as one JSON object.
        for (const text of ran.stderr.split('\n').filter(Boolean))
          expect(JSON.parse(text)).toHaveProperty('error');
      },
    );

    it('sends no request if svc refuses the options', async () => {
      const rig = await openRig();
      const ran = await rig.svc([...(await line(rig)), ...options]);
      expect(ran.code).toBe(2);
      expect(ran.stdout).toBe('');
      expect(ran.stderr).toContain(message);
      expect(ran.requests).toEqual([]);
    });

    if (denied === undefined) return;
    it('prints only an error if the service denies access', async () => {
      const rig = await openRig();
      const words = await line(rig);
      rig.answerBy(() => ({ status: 403, body: { message: 'Forbidden resource' } }));
      const ran = await rig.svc(words);
      expect(ran.code).toBe(denied);
      expect(ran.stdout).toBe('');
      expect(ran.stderr).toContain('Forbidden resource');
      expect(filterWrites(ran.requests)).toEqual([]);
    });
  },
);
