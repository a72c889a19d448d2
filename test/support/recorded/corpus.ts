// The recorded exchanges in test/recorded, in the order in which they were made.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SandboxVersion } from '../../../src/service/versions.ts';

export interface RecordedRequest {
  method: string;
  path: string;
  headers?: Record<string, string | null>;
  body?: unknown;
  /** A body that is not JSON, or not valid JSON. */
  raw?: string;
  /** The size of a generated body. */
  bytes?: number;
}

export interface Exchange {
  area: string;
  n: number;
  name: string;
  request: RecordedRequest;
  /** Milliseconds to wait after the request. */
  wait?: number;
  /** Names for values of the response, by their paths: `{"topic": "data[0].key"}`. */
  capture?: Record<string, string>;
  /** The list in the response whose order is not fixed. */
  sort?: string;
  /** A list and the member by which its items are matched with the recorded ones. */
  align?: [list: string, member: string];
  /** Paths at which the specification differs from the service; with a + those that only it has. */
  specPaths?: string[];
  /** The response that the specification prescribes instead of the recorded one. */
  spec?: string;
  /** Absent: the request is sent, but its response is not compared. */
  answer?: { status: number; headers: Record<string, string>; body: unknown; shape?: unknown };
}

export const recordedFolder = path.join('test', 'recorded');

/** The folders of exchanges with the same state before the first one, by the version of the recorded server. */
export const corpora: Record<SandboxVersion, readonly string[]> = {
  '3.11': ['corpus', 'corpus-2', 'corpus-3', 'corpus-inbox'],
  '3.19': ['corpus-319', 'corpus-319-2', 'corpus-319-3', 'corpus-319-inbox', 'corpus-319-new'],
};

export const agreementFiles: Record<SandboxVersion, string> = {
  '3.11': path.join(recordedFolder, 'agreement.json'),
  '3.19': path.join(recordedFolder, 'agreement-319.json'),
};

export function readCorpus(name = 'corpus'): Exchange[] {
  const folder = path.join(recordedFolder, name);
  return readdirSync(folder)
    .flatMap((file) => {
      const { area, exchanges } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as {
        area: string;
        exchanges: Omit<Exchange, 'area'>[];
      };
      return exchanges.map((exchange) => ({ area, ...exchange }));
    })
    .sort((a, b) => a.n - b.n);
}

/** An event in a response that lists activity. */
export interface RecordedItem {
  transactionId: string;
  subscriber: { subscriberId: string };
  jobs: { type: string; status: string; executionDetails: { detail: string }[] }[];
}

/** The events with all of their jobs and details: longer lists are cut in the recording. */
export function itemsIn(value: unknown): RecordedItem[] {
  if (typeof value !== 'object' || value === null) return [];
  const { jobs, transactionId } = value as Partial<RecordedItem>;
  if (!jobs || !transactionId) return Object.values(value).flatMap(itemsIn);
  return JSON.stringify(value).includes('$more') ? [] : [value as RecordedItem];
}
