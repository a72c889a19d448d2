// Seeded topics (with no, one and several subscribers) and contexts.

export const seedTopics: readonly { key: string; name: string; subscribers: readonly string[] }[] =
  [
    {
      key: 'announcements',
      name: 'Announcements',
      subscribers: ['u1', 'u2', 'u3', 'u4', 'u7'],
    },
    { key: 'beta-testers', name: 'Beta testers', subscribers: ['u1'] },
    { key: 'empty-topic', name: 'Empty topic', subscribers: [] },
  ];

export const seedContexts: readonly {
  type: string;
  id: string;
  data: Record<string, unknown>;
}[] = [
  { type: 'tenant', id: 'org-acme', data: { name: 'Acme', plan: 'enterprise' } },
  { type: 'tenant', id: 'org-globex', data: { name: 'Globex', plan: 'free' } },
  { type: 'app', id: 'jira', data: { name: 'Jira', color: '#0052cc' } },
];
