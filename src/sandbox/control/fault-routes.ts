// Control routes of fault injection: show, set and clear faults.
import type { Hono } from 'hono';
import { withPlainMessages } from '../../api/schemas/plain-messages.ts';
import { authorize } from '../http/authorization.ts';
import { type FaultPlan, faultSettings } from '../http/faults.ts';
import { unprocessable } from '../http/http-error.ts';
import { readJson } from '../http/request-body.ts';
import { json } from '../http/responses.ts';
import type { Sql } from '../store/sql.ts';

const path = '/__sandbox/faults';
const bodyLimit = 1_000;

export function faultRoutes(app: Hono, sql: Sql, plan: FaultPlan): void {
  app.get(path, ({ req }) => {
    authorize(sql, req.raw.headers.get('authorization'));
    return json(200, plan.settings());
  });
  app.post(path, async ({ req }) => {
    authorize(sql, req.raw.headers.get('authorization'));
    const parsed = faultSettings.safeParse(await readJson(req.raw, bodyLimit), withPlainMessages);
    if (!parsed.success) {
      const errors = parsed.error.issues.map(({ path: field, message }) =>
        [field.join('.'), message].join(' '),
      );
      throw unprocessable(errors.join('; ').trim());
    }
    plan.set(parsed.data);
    return json(200, plan.settings());
  });
  app.delete(path, ({ req }) => {
    authorize(sql, req.raw.headers.get('authorization'));
    plan.clear();
    return json(200, plan.settings());
  });
}
