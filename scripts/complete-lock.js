// After `npm install` from a registry mirror that lacks the builds of other platforms: adds them to the lock
// file by name and version, without which `npm ci` calls the file incomplete. `node scripts/complete-lock.js`
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { packages } = lock;
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
};
const processors = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'loong64',
  'mips64el',
];

for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = placeFor(parent, name, version);
    const words = name.split(/[-/]/);
    const cpu = processors.find((processor) => words.includes(processor));
    if (place === undefined || cpu === undefined || !/^\d/.test(version)) continue;
    const os = Object.keys(systems).find((system) => words.includes(system));
    const libc = words.some((word) => word.startsWith('musl'))
      ? 'musl'
      : words.some((word) => word.startsWith('gnu'))
        ? 'glibc'
        : undefined;
    packages[place] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev: true } : {}),
      ...(os === 'linux' && libc ? { libc: [libc] } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
  }
}
/** Where the package belongs: at the top, or beside a parent that needs another version than the top has. */
function placeFor(parent, name, version) {
  const beside = `${parent.slice(0, parent.lastIndexOf('node_modules/'))}node_modules/${name}`;
  const top = `node_modules/${name}`;
  if ([beside, top].some((place) => packages[place]?.version === version)) return undefined;
  return packages[top] ? beside : top;
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
