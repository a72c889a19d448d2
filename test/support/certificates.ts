// The certificates that tls/make.sh made: for tests alone, trusted by nothing but --ca-file.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const file = (name: string) => path.resolve('test/support/tls', name);

/** The authority behind `good`, `expired` and `other-host`. */
export const authorityFile = file('authority.pem');

export type CertificateName = 'good' | 'expired' | 'other-host' | 'self-signed';

export const certificateFile = (name: CertificateName) => file(`${name}.pem`);

export const certificateOf = (name: CertificateName) => ({
  cert: readFileSync(certificateFile(name)),
  key: readFileSync(file(`${name}.key`)),
});
