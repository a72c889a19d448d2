// Ids of the service's own providers: `svc-email` in the specification and in state files, `novu-email` in requests and
// responses of the service.

export const toServiceId = (id: string): string => id.replace(/^svc(?=$|-)/, 'novu');
export const fromServiceId = (id: string): string => id.replace(/^novu(?=$|-)/, 'svc');
