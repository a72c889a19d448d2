import { describe, expect, it } from 'vitest';
import { normalizeBaseUrl } from '../../src/config/base-url.ts';
import { readKey } from '../../src/config/keys.ts';
import { createSettings } from '../../src/config/settings.ts';
import { chooseProfile, resolveTarget, type TargetSources } from '../../src/config/target.ts';
import { exitCodes, SvcError } from '../../src/core/errors.ts';
import { thrown } from '../support/thrown.ts';

const exitCode = (run: () => unknown) => {
  try {
    run();
    return 0;
  } catch (error) {
    return error instanceof SvcError ? exitCodes[error.exitReason].code : -1;
  }
};

describe('a setting', () => {
  const option = { retries: 1 };
  const env = { SVC_RETRIES: '2' };
  const stored = { retries: '3' };
  it.each([
    ['option, variable and file', option, env, stored, 1, '--retries'],
    ['option and file', option, {}, stored, 1, '--retries'],
    ['variable and file', {}, env, stored, 2, 'SVC_RETRIES'],
    ['an empty variable and file', {}, { SVC_RETRIES: '' }, stored, 3, 'setting retries'],
    ['file', {}, {}, stored, 3, 'setting retries'],
    ['nothing', {}, {}, {}, 4, 'default'],
  ])(
    'is read in order of precedence from %s',
    (_name, globals, variables, settings, value, source) => {
      const { setting } = createSettings({
        globals,
        env: variables,
        stored: () => settings as Record<string, string>,
      });
      expect(setting('retries')).toMatchObject({ value, source });
    },
  );

  it.each(['0', 'false', 'no', 'off', 'FALSE'])('is off if it is %s', (text) => {
    expect(
      createSettings({ globals: {}, env: { SVC_READ_ONLY: text }, stored: () => ({}) }).readOnly,
    ).toBe(false);
  });
});

describe('a base URL', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://API.example.com:443/v1/', 'https://api.example.com'],
    ['http://localhost:4400/v2', 'http://localhost:4400'],
    ['https://example.com/notify/v1', 'https://example.com/notify'],
  ])('%s is normalized to %s', (text, normalized) => {
    expect(normalizeBaseUrl(text, 'x')).toBe(normalized);
  });

  it.each([
    'example.com',
    'ftp://example.com',
    'https://u:p@example.com',
    'https://example.com?x=1',
  ])('cannot be %s', (text) => {
    expect(exitCode(() => normalizeBaseUrl(text, 'x'))).toBe(2);
  });
});

describe('a key', () => {
  it('is read without its line break', () => expect(readKey('abc\r\n', 'x')).toBe('abc'));
  it.each(['a\nb', 'a\rb', 'ключ', 'a b', 'nvsk.abc'])(
    'cannot be %j, which the error does not repeat',
    (text) => {
      const { message } = thrown(() => readKey(text, 'The file')) as Error;
      expect(message).toMatch(/^The file/);
      expect(message).not.toContain(text);
    },
  );
});

describe('the target of a key', () => {
  const profile = { baseUrl: 'https://a.example/p', key: 'k', keySource: 'file' as const };
  const chosen = { value: 'main', from: 'option' as const, source: '--profile', profile };
  const target = ({
    baseUrl,
    env = {},
    ...sources
  }: Partial<TargetSources & TargetSources['sources']> & { baseUrl?: string }) =>
    resolveTarget({
      sources: { globals: baseUrl === undefined ? {} : { baseUrl }, env },
      profileNames: [],
      normalize: normalizeBaseUrl,
      ...sources,
    });

  it('is the address of its profile', () => {
    expect(target({ profile: chosen }).baseUrl.value).toBe('https://a.example/p');
    expect(target({ profile: chosen, baseUrl: 'https://a.example/p/v1' }).keyFrom.type).toBe(
      'profile',
    );
  });

  it.each([
    ['another host', 'https://b.example/p'],
    ['another port', 'https://a.example:8443/p'],
    ['another scheme', 'http://a.example/p'],
    ['another prefix', 'https://a.example/q'],
  ])('is never %s', (_name, baseUrl) => {
    expect(exitCode(() => target({ profile: chosen, baseUrl }))).toBe(4);
  });

  it('is never the address of a profile if the key comes from a variable', () => {
    expect(exitCode(() => target({ profile: chosen, env: { SVC_API_KEY: 'x' } }))).toBe(4);
    expect(
      target({ profile: chosen, env: { SVC_API_KEY: 'x', SVC_BASE_URL: 'https://b.example' } })
        .baseUrl.value,
    ).toBe('https://b.example');
  });

  it('is an auth error without an address or a key', () => {
    expect(exitCode(() => target({}))).toBe(4);
    expect(exitCode(() => target({ baseUrl: 'https://a.example' }))).toBe(4);
  });

  it('is a usage error for an unknown profile', () => {
    const configuration = { profiles: { main: profile }, settings: {}, current: 'gone' };
    const choose = (globals: { profile?: string }, env = {}) =>
      chooseProfile({ globals, env }, configuration);
    expect(exitCode(() => choose({ profile: 'mian' }))).toBe(2);
    expect(() => choose({ profile: 'mian' })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ next: ['svc profiles list'] }),
      }),
    );
    const next = ['svc sandbox start', 'svc profiles list'];
    expect(() => choose({ profile: 'sandbox' })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ next }) }),
    );
    expect(choose({})).toBeUndefined();
    expect(choose({ profile: '' }, { SVC_PROFILE: 'main' })?.source).toBe('SVC_PROFILE');
  });
});
