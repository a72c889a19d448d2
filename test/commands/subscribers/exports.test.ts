import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

interface Export {
  file: string;
  options: string[];
  encode?: (text: string) => Buffer;
  /** The first row in the request. */
  first: object;
  /** Columns that are not sent. */
  ignored?: string[];
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

const exported: Export[] = [
  {
    file: 'hubspot-contacts',
    options: ['--yes'],
    first: {
      subscriberId: '51',
      firstName: 'Maria',
      lastName: 'Johnson',
      email: 'maria.johnson@example.com',
      phone: '+14155550101',
      data: {
        'Contact owner': 'Sam Reed',
        'Last Activity Date': '2025-11-02 10:15',
        'Lead Status': 'New',
        'Marketing contact status': 'Marketing contact',
        'Create Date': '2025-10-01 08:00',
        'Associated Company': 'Acme, Inc.',
      },
    },
  },
  {
    file: 'hubspot-all-properties',
    options: ['--yes'],
    first: {
      subscriberId: '8571230001',
      firstName: 'Ana',
      lastName: 'Silva',
      email: 'ana@example.com',
      phone: '+551150000101',
      locale: 'pt-BR',
      data: {
        'Company name': 'Padaria',
        'Country/Region': 'Brazil',
        City: 'São Paulo',
        'Postal Code': '01000-000',
        'Email Domain': 'example.com',
        'Marketing emails opened': '4',
        'Unsubscribed from all email': 'false',
        'Lifecycle Stage': 'Customer',
      },
    },
    ignored: ['Work email', 'Phone Number', 'Fax Number', 'Street Address'],
  },
  {
    file: 'salesforce-report',
    options: ['--yes'],
    first: {
      subscriberId: '0035g00000AbCdEAAV',
      firstName: 'Rose',
      lastName: 'Gonzalez',
      email: 'rose@example.com',
      phone: '+15125557600',
      data: {
        Salutation: 'Ms.',
        Title: 'SVP, Procurement',
        'Account Name': 'Edge Communications',
        'Mailing City': 'Austin',
        'Mailing Country': 'USA',
        'Account Owner': 'A. User',
      },
    },
    ignored: ['Mailing Street', 'Mobile'],
  },
  {
    file: 'salesforce-data-loader',
    options: ['--yes'],
    first: {
      subscriberId: '0035g00000AbCdGAAV',
      firstName: 'Edna',
      lastName: 'Frank',
      email: 'edna@example.com',
      phone: '+16505550101',
    },
    ignored: ['HOMEPHONE'],
  },
  {
    file: 'salesforce-leads',
    options: ['--yes'],
    first: {
      subscriberId: '00Q5g000001abcD',
      phone: '+18505550101',
      data: { 'Company / Account': 'Farmers Coop. of Florida', 'Lead Source': 'Web' },
    },
    ignored: ['Street'],
  },
  {
    file: 'mailchimp-audience',
    options: ['--yes'],
    first: {
      subscriberId: 'a1b2c3d4e5',
      firstName: 'Freddie',
      lastName: 'Chimp',
      email: 'freddie@example.com',
      phone: '+14045550101',
      timezone: 'America/New_York',
      data: { CC: 'US', OPTIN_TIME: '2025-01-02 03:04:05', TAGS: '"vip","beta"', LEID: '1234567' },
    },
    ignored: ['Address'],
  },
  {
    file: 'mailchimp-merge-fields',
    options: ['--yes'],
    first: { subscriberId: 'ff00aa11bb', firstName: 'Eve', lastName: 'Adams', locale: 'fr' },
  },
  {
    file: 'customerio-people',
    options: ['--yes'],
    first: {
      subscriberId: '1001',
      firstName: 'Ada',
      email: 'ada@example.com',
      data: { created_at: '1735689600', unsubscribed: 'false', plan: 'pro', cio_id: 'a3000001' },
    },
  },
  {
    file: 'customerio-segment',
    options: ['--yes'],
    first: {
      subscriberId: 'd9e106000001',
      phone: '+12025550101',
      timezone: 'America/New_York',
      data: { created_at: '1735689600', company_name: 'Navy' },
    },
  },
  {
    file: 'segment-users',
    options: ['--yes'],
    first: {
      subscriberId: 'u-501',
      avatar: 'https://example.com/l.png',
      locale: 'fi-FI',
      data: { id: 'ajs-next-1', context_ip: '198.51.100.7' },
    },
  },
  {
    file: 'segment-identifies',
    options: ['--yes'],
    first: {
      subscriberId: 'u-601',
      firstName: 'Ken',
      email: 'ken@example.com',
      phone: '+19085550101',
      data: { anonymous_id: '5f0e-1', traits: { company: 'Bell' } },
    },
  },
  {
    file: 'google-contacts',
    options: ['--yes'],
    first: {
      subscriberId: 'olga@example.com',
      firstName: 'Olga',
      email: 'olga@example.com',
      phone: '+43 664 5550101',
      avatar: 'https://example.com/o.jpg',
      data: { 'Organization Name': 'Museum', Labels: '* myContacts' },
    },
    ignored: [
      'E-mail 1 - Label',
      'E-mail 2 - Label',
      'E-mail 2 - Value',
      'Phone 1 - Label',
      'Address 1 - Street',
    ],
  },
  {
    file: 'google-contacts-older',
    options: ['--yes'],
    first: {
      subscriberId: 'rita@example.com',
      firstName: 'Rita',
      lastName: 'Levi',
      phone: '+39 333 5550101',
      data: { Name: 'Rita Levi', 'Organization 1 - Name': 'Istituto' },
    },
    ignored: ['E-mail 1 - Type', 'Phone 1 - Type'],
  },
  {
    file: 'excel-english',
    options: ['--yes'],
    first: {
      subscriberId: 'C-1001',
      lastName: 'Byrne',
      phone: '+353851234567',
      locale: 'en-IE',
      data: { Company: 'Byrne Ltd', Country: 'Ireland', 'Date of Birth': '01/02/1980' },
    },
  },
  {
    file: 'excel-english-semicolon',
    options: ['--yes'],
    encode: utf16,
    first: {
      subscriberId: '77',
      firstName: 'Will',
      data: { Account: 'Park Co', Notes: 'likes "tea"' },
    },
  },
  {
    file: 'excel-german',
    options: ['--yes', '--encoding', 'windows-1252'],
    encode: latin,
    first: {
      subscriberId: '10001',
      firstName: 'Jürgen',
      lastName: 'Müller',
      phone: '+491701234567',
      locale: 'de-DE',
      data: { Firma: 'Müller GmbH', PLZ: '10115', Ort: 'Berlin', Land: 'Deutschland' },
    },
    ignored: ['Straße'],
  },
  {
    file: 'excel-german-name',
    options: ['--yes'],
    first: {
      subscriberId: 'K1',
      firstName: 'Anja',
      lastName: 'Schäfer',
      phone: '+49 30 1234567',
      data: { Unternehmen: 'Schäfer KG', Geburtsdatum: '01.02.1980' },
    },
  },
  {
    file: 'excel-german-local-phones',
    options: ['--yes', '--phone-region', 'DE'],
    first: {
      subscriberId: 'M-1',
      lastName: 'Wolf',
      email: 'clara@example.de',
      phone: '+491701234567',
      timezone: 'Europe/Berlin',
    },
  },
  {
    file: 'outlook-contacts',
    options: ['--yes'],
    first: { subscriberId: 'elif@example.com', email: 'elif@example.com', phone: '+905325550102' },
    ignored: ['Business Street', 'Business Phone', 'Home Phone', 'E-mail Type'],
  },
  {
    file: 'database-no-header',
    options: ['--columns', 'id,email,phone'],
    first: { subscriberId: 'u-901', email: 'gita@example.com', phone: '+919812345601' },
  },
];

describe('svc subscribers bulk-import of an export of another product', () => {
  it('has twenty exports', () => {
    expect(exported).toHaveLength(20);
  });

  it.each(exported)(
    'imports $file with $options',
    async ({ file, options, encode = Buffer.from, first, ignored }) => {
      const rig = await openRig();
      const text = readFileSync(
        path.join('test/commands/subscribers/exports', `${file}.csv`),
        'utf8',
      );
      const input = writeInput(rig, `${file}.csv`, encode(text));
      const { code, stdout, stderr, requests } = await rig.svc(
        words`subscribers bulk-import ${input} --json ${options}`,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const summary = parsed(stdout);
      expect(summary.created).toBe(summary.rows);
      expect(summary.ignoredColumns ?? []).toEqual(ignored ?? []);
      const [request] = requests as unknown as { body: { subscribers: object[] } }[];
      expect(request?.body.subscribers[0]).toMatchObject(first);
    },
  );

  it.each(exported.filter(({ options }) => options.includes('--yes')))(
    'does not import $file without a confirmation',
    async ({ file, options, encode = Buffer.from }) => {
      const rig = await openRig();
      const text = readFileSync(
        path.join('test/commands/subscribers/exports', `${file}.csv`),
        'utf8',
      );
      const input = writeInput(rig, `${file}.csv`, encode(text));
      const { code, stdout, stderr, requests } = await rig.svc([
        ...['subscribers', 'bulk-import', input],
        ...options.filter((option) => option !== '--yes'),
      ]);
      expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] });
      expect(stderr).toContain('Accept them with --yes');
      expect(stderr).toMatch(/: subscriberId\b/);
    },
  );
});
