// The endpoint of an application that defines workflows by code.
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import { isDefined, isText, required, text } from '../rules/rules.ts';
import { jsonObject } from './values.ts';
import { workflowV1 } from './workflows-v1.ts';

/** Query of POST `/v1/bridge/sync`. */
export const syncQuery = z.strictObject({ source: z.string().optional() });

/** Body of POST `/v1/bridge/sync` and `/v1/bridge/diff`. The workflows are read from the endpoint. */
export const bridgeBody = z.strictObject({
  bridgeUrl: checked(z.string().optional(), text()),
  workflows: z.unknown().optional(),
});

export const syncedWorkflows = z.array(workflowV1);

export const bridgeDifference = z.looseObject({
  current: z.looseObject({ workflows: z.array(z.unknown()), bridgeUrl: z.string() }),
  new: jsonObject,
});

/** Body of POST `/v1/bridge/validate`. */
export const validateBody = z.strictObject({
  bridgeUrl: checked(
    z.string(),
    required(
      isDefined(),
      isText(URL.canParse, (name) => `${name} must be a URL address`),
    ),
  ),
});

export const bridgeHealth = z.looseObject({ isValid: z.boolean(), error: z.string().optional() });
