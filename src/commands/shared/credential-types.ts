// The credentials that an integration can have in a request, with their types.
import type { CredentialTypes } from '../../environment-files/credentials.ts';

export async function credentialTypes(): Promise<CredentialTypes> {
  const { bodyFields } = await import('../../api/body-fields.ts');
  return bodyFields('createIntegration', 'credentials');
}
