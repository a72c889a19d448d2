// The client for the control routes of a sandbox that listens on loopback.
import { type ControlClient, createControlClient } from '../../src/sandbox/control/client.ts';

export const controlAt = ({ baseUrl, key }: { baseUrl: string; key: string }): ControlClient =>
  createControlClient(async ({ method, target, body }) => {
    const response = await fetch(`${baseUrl}${target}`, {
      method,
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${target}: ${await response.text()}`);
    return response.json();
  });
