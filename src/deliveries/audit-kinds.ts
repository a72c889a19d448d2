// The kinds of findings of `svc activity audit`. Apart from the rules, so that the command line loads without them.
export const findingKinds = [
  'overdue',
  'without-jobs',
  'lost-in-digest',
  'twice',
  'silent',
  'dead-addresses',
] as const;
export type FindingKind = (typeof findingKinds)[number];
