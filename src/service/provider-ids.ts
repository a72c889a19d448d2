// Ids of the service's own providers: `svc-email` in the specification and in state files, `novu-email` in requests and
// responses of the service.

export const toServiceId = (id: string): string => id.replace(/^svc(?=$|-)/, 'novu');
/** Whether the service creates the integrations of this provider itself: requests cannot. */
export const isOwnProvider = (id: string): boolean =>
  /^novu-(email|sms|slack)$/.test(toServiceId(id));
export const fromServiceId = (id: string): string => id.replace(/^novu(?=$|-)/, 'svc');
