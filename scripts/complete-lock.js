// Adds the builds of other platforms to package-lock.json by name and version. Run `node scripts/complete-lock.js`
// after `npm install` from a registry mirror that does not have them: without these entries `npm ci` fails elsewhere.
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
    const location = locationOf(parent, name, version);
    const words = name.split(/[-/]/);
    const cpu = processors.find((processor) => words.includes(processor));
    if (location === undefined || cpu === undefined || !/^\d/.test(version)) continue;
    const os = Object.keys(systems).find((system) => words.includes(system));
    const libc = words.some((word) => word.startsWith('musl'))
      ? 'musl'
      : words.some((word) => word.startsWith('gnu'))
        ? 'glibc'
        : undefined;
    packages[location] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev: true } : {}),
      ...(os === 'linux' && libc ? { libc: [libc] } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
  }
}

/**
 * Returns where to add the package: at the top level, or next to its parent if the top level has another version.
 * Returns undefined if the lock file already has it.
 */
function locationOf(parent, name, version) {
  const nested = `${parent.slice(0, parent.lastIndexOf('node_modules/'))}node_modules/${name}`;
  const top = `node_modules/${name}`;
  if ([nested, top].some((location) => packages[location]?.version === version)) return undefined;
  return packages[top] ? nested : top;
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
