// Test certificates, created by tls/make.sh. They are trusted only with --ca-file.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const file = (name: string) => path.resolve('test/support/tls', name);

/** The certificate authority of `good`, `expired` and `other-host`. */
export const authorityFile = file('authority.pem');

export type CertificateName = 'good' | 'expired' | 'other-host' | 'self-signed';

export const certificateFile = (name: CertificateName) => file(`${name}.pem`);

export const readCertificate = (name: CertificateName) => ({
  cert: readFileSync(certificateFile(name)),
  key: readFileSync(file(`${name}.key`)),
});
