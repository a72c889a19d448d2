// What can go wrong between this machine and the service, by the codes of node, OpenSSL, undici and this client.
import { openFilesHint } from '../core/errors.ts';

export interface Explanation {
  /** Completes `… cannot be reached:`. */
  what?: string;
  /** Completes `… answered … with`: the service was reached, but this is no answer of it. */
  answer?: string;
  hint: string;
  /** Trying again cannot help. */
  final?: true;
  /** The cause is this machine, not the service or the network. */
  isLocal?: true;
}

const again = 'Try again; when it stays, look at proxies in between.';
const readdress = 'Check host and port of the base URL with `svc profiles show`.';
const asPlain = 'Check whether the base URL should begin with http://.';
const byFile = 'Trust that authority with --ca-file <pem>.';
const fewer = 'Check the base URL; when it is right, ask for fewer items with --page-size.';

const unknownAuthority: Explanation = {
  what: 'its certificate comes from an unknown authority',
  hint: byFile,
  final: true,
};
const noTls: Explanation = { what: 'it does not speak TLS', hint: asPlain, final: true };
const noHandshake: Explanation = {
  what: 'the two found no common way to speak TLS',
  hint: 'The service may want another version of TLS, or a certificate of the client, which svc has not.',
  final: true,
};
const noRoute: Explanation = {
  what: 'there is no way to it in this network',
  hint: 'Check the network, and whether it needs a VPN or a proxy.',
};
const slow: Explanation = {
  what: 'the connection timed out',
  hint: 'Check the network, or give it longer with --timeout.',
};
const notHttp: Explanation = {
  answer: 'something that is not HTTP',
  hint: 'Check host and port of the base URL, and whether it should begin with https://.',
  final: true,
};
const headersTooLarge: Explanation = {
  answer: 'headers that are too large',
  hint: readdress,
  final: true,
};
const switched: Explanation = {
  answer: 'a switch to another protocol',
  hint: readdress,
  final: true,
};

/** The connection ended before an answer, or in the middle of one. */
export const closed: Explanation = { what: 'the connection was closed', hint: again };
export const cutOff: Explanation = { answer: 'an answer that is cut off', hint: again };
const brokenHttp: Explanation = { answer: 'HTTP that is damaged', hint: again };

const tooManyFiles: Explanation = {
  what: 'this machine allows no more open files',
  hint: openFilesHint,
  final: true,
  isLocal: true,
};

const explanations: Record<string, Explanation> = {
  ECONNREFUSED: {
    what: 'nothing listens there',
    hint: 'Start the service, or check the base URL with `svc profiles show`.',
  },
  ENOTFOUND: {
    what: 'the host name is unknown',
    hint: 'Check the base URL with `svc profiles show`.',
    final: true,
  },
  EAI_AGAIN: { what: 'the name server did not answer', hint: 'Check the network and try again.' },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ECONNRESET: { what: 'the connection was reset', hint: again },
  EPIPE: { what: 'the connection was closed while sending', hint: again },
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: slow,
  UND_ERR_CONNECT_TIMEOUT: slow,
  CERT_HAS_EXPIRED: {
    what: 'its certificate has expired',
    hint: 'Renew the certificate of the service.',
    final: true,
  },
  CERT_NOT_YET_VALID: {
    what: 'its certificate is not valid yet',
    hint: 'Check the clock of this machine.',
    final: true,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    what: 'its certificate is self-signed',
    hint: 'Trust it with --ca-file <pem>.',
    final: true,
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    what: 'its certificate chain ends in an unknown authority',
    hint: byFile,
    final: true,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'its certificate is for another host',
    hint: 'Use the host name that the certificate names.',
    final: true,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  EPROTO: noHandshake,
  HPE_INVALID_CONSTANT: notHttp,
  HPE_HEADER_OVERFLOW: headersTooLarge,
  UND_ERR_HEADERS_OVERFLOW: headersTooLarge,
  SVC_UPGRADE: switched,
  SVC_ANSWER_LIMIT: { answer: 'more than 32 MB', hint: fewer, final: true },
  ERR_BUFFER_TOO_LARGE: { answer: 'more than 32 MB once decompressed', hint: fewer, final: true },
  SVC_CODING: {
    answer: 'a compression that svc did not ask for',
    hint: 'svc accepts gzip alone. Check proxies between this machine and the service.',
    final: true,
  },
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  Z_DATA_ERROR: { answer: 'gzip that is damaged', hint: again },
  Z_BUF_ERROR: { answer: 'gzip that is cut off', hint: again },
};

/** Failures that only their words tell apart: OpenSSL's, node's and undici's. */
const byWords: readonly (readonly [RegExp, Explanation])[] = [
  [/wrong version number|packet length too long/, noTls],
  [/\(Expected HTTP\//, notHttp],
  [/^bad upgrade$/, switched],
  [/^aborted$/, cutOff],
];

/** What a failure stands for, by its code and its words. */
export function explanationOf(code: string | undefined, message: string): Explanation | undefined {
  const known = byWords.find(([words]) => words.test(message))?.[1] ?? explanations[code ?? ''];
  if (known || code === undefined) return known;
  if (code.startsWith('HPE_')) return brokenHttp;
  return code.startsWith('ERR_SSL_') ? noHandshake : undefined;
}
