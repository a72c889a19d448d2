// Identifiers that a service could send to make a client write elsewhere.
export const hostileTexts = [
  '../evil',
  '..',
  '/etc/cron.d/evil',
  'a/b',
  'a\\b',
  'C:evil',
  '.git',
  'dot..dot',
  'dot.',
  'a b',
  '-dash',
  'nul\0byte',
  'line\nbreak',
  '\u001b[31mred',
  '',
];
