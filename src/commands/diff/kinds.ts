// The kinds of resources that are compared.

export const diffKinds = ['workflows', 'layouts', 'topics', 'contexts', 'integrations'] as const;
export type DiffKind = (typeof diffKinds)[number];
