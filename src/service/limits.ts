// The limits of the service (specification: Limits; the others are recorded). Imports nothing, so that records of
// operations can use it.

export const limits = {
  /** Bytes of a request body. */
  body: 100 * 1024,
  /** Bytes of the body of an event. */
  eventBody: 26 * 1024 * 1024,
  /** Characters of an idempotency key. */
  idempotencyKey: 255,

  /** Values of a list in the query of a request. Some servers refuse more as an invalid value. */
  valuesPerParameter: 20,
  subscribersPerRequest: 500,
  eventsPerRequest: 100,
  recipientsPerEvent: 100,
  /** Ids in a request that subscribes or unsubscribes. */
  subscribersPerTopicRequest: 100,
  /** Subscriptions of a subscriber to a topic, and characters of the identifier of one. */
  subscriptionsPerTopic: 10,
  subscriptionIdentifier: 512,
  preferencesPerRequest: 100,
  /** Filters of a request that counts the notifications of an inbox. */
  inboxCounts: 30,
  /** Greatest count of the notifications of an inbox. */
  countedNotifications: 100,
  /** Characters of a text in a filter by data. */
  inboxFilterText: 256,
  /** Values and groups of values of a member in a filter by data. */
  dataValuesInGroup: 100,
  dataGroups: 30,
  dataValues: 200,
  /** Seconds that a notification is snoozed at least. */
  snoozeSeconds: 60,

  /** Device tokens of a subscriber at an integration, since 3.15. */
  deviceTokens: 100,

  contextsPerEvent: 5,
  /** Bytes of the data of a context. */
  contextData: 64 * 1024,
  /** Characters of the type or id of a context. */
  contextName: 100,
  /** Characters of the key or name of a topic. */
  topicText: 100,

  environments: 10,
  environmentVariables: 10,
  /** Characters of the key or a value of a variable. */
  environmentVariableText: 256,
  workflows: 100,
  stepsPerWorkflow: 20,
  tagsPerWorkflow: 16,
  /** Characters of the name of a workflow or step; before 3.19, as of a tag. */
  workflowName: 128,
  workflowTag: 64,
  /** Characters of the description of a workflow. */
  workflowDescription: 256,
  /** Days that a digest, delay or throttle can last. */
  waitDays: 180,
  /** Characters of the text after the subject in the list of a mail program. */
  preheader: 84,
  /** Characters of the address of an HTTP step, its headers, characters and fields of its body, and its milliseconds. */
  httpUrl: 2048,
  httpHeaders: 50,
  httpBody: 65_536,
  httpFields: 100,
  httpTimeout: { min: 100, max: 30_000, default: 5000 },
  /** Times that a step waits for the next opening of a schedule. */
  scheduleExtensions: 3,

  /** Greatest `totalCount` of a listing with cursors. */
  countedItems: 50_000,
  /** Items of a page. */
  page: { default: 100, activity: 50, messages: 1000, topicsV1: 10, layoutsV1: 1000 },
} as const;

export const waitLimitMessage = `The maximum delay allowed is ${limits.waitDays} days. Please contact our support team to discuss extending this limit for your use case.`;
