// The interface of the service, typed from its specification and not from the source: what every operation sends and
// returns. The tests of the client and of the sandbox compare both with it.
//
// A type is `string`, `boolean`, `number`, `object`, `any`, `null`, or the name of a list of values or of a shape below.
// `Type[]` is an array, `Type{}` an object with any keys, `A|B` either. A shape lists its members: `name` is a required
// text, `name?:Type` an optional member of a type. Separate members with blanks.

/** Texts with these values only. */
export const values: Record<string, string> = {
  Channel: 'in_app email sms chat push',
  StepType: 'in_app email sms chat push digest trigger delay throttle custom',
  FilterType: 'BOOLEAN TEXT DATE NUMBER STATEMENT LIST MULTI_LIST GROUP',
  FilterJoin: 'AND OR',
  FilterOperator:
    'LARGER SMALLER LARGER_EQUAL SMALLER_EQUAL EQUAL NOT_EQUAL ALL_IN ANY_IN NOT_IN BETWEEN NOT_BETWEEN LIKE NOT_LIKE IN',
  FilterSubject: 'subscriber payload',
  ChannelProvider:
    'slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat whatsapp-business chat-webhook svc-slack fcm apns expo one-signal pushpad push-webhook pusher-beams appio',
  JobProvider:
    'emailjs mailgun mailjet mandrill nodemailer postmark sendgrid sendinblue ses netcore infobip-email resend plunk mailersend mailtrap clickatell outlook365 svc-email sparkpost email-webhook braze nexmo plivo sms77 sms-central sns telnyx twilio gupshup firetext infobip-sms burst-sms bulk-sms isend-sms forty-six-elks kannel maqsam termii africas-talking svc-sms sendchamp generic-sms clicksend bandwidth messagebird simpletexting azure-sms ring-central brevo-sms eazy-sms mobishastra afro-message unifonic smsmode imedia sinch isendpro-sms fcm apns expo one-signal pushpad push-webhook pusher-beams appio svc slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat whatsapp-business chat-webhook svc-slack',
  OverrideSource: 'subscriber template workflowOverride',
  Criticality: 'critical nonCritical all',
  ActorType: 'none user system_icon system_custom',
  MessageStatus: 'sent error warning',
  MarkState: 'read seen unread unseen',
  CtaType: 'redirect',
  CtaStatus: 'pending done',
  ButtonType: 'primary secondary',
  BlockType: 'button text',
  Alignment: 'center left right',
  TriggerType: 'event',
  EnvironmentType: 'dev prod',
  Order: 'ASC DESC',
  WorkflowOrder: 'createdAt updatedAt name lastTriggeredAt',
  WorkflowStatus: 'ACTIVE INACTIVE ERROR',
  Origin: 'novu-cloud novu-cloud-v1 external',
  Severity: 'high medium low none',
  ContentIssueType:
    'ILLEGAL_VARIABLE_IN_CONTROL_VALUE INVALID_FILTER_ARG_IN_VARIABLE MISSING_VALUE TIER_LIMIT_EXCEEDED',
  IntegrationIssueType: 'MISSING_INTEGRATION INBOX_NOT_CONNECTED',
  UiGroup: 'IN_APP EMAIL DIGEST DELAY THROTTLE SMS CHAT PUSH SKIP LAYOUT',
  UiComponent:
    'EMAIL_EDITOR_SELECT LAYOUT_SELECT BLOCK_EDITOR EMAIL_BODY TEXT_FULL_LINE TEXT_INLINE_LABEL IN_APP_BODY IN_APP_AVATAR IN_APP_PRIMARY_SUBJECT IN_APP_BUTTON_DROPDOWN IN_APP_DISABLE_SANITIZATION_SWITCH DISABLE_SANITIZATION_SWITCH URL_TEXT_BOX DIGEST_AMOUNT DIGEST_UNIT DIGEST_TYPE DIGEST_KEY DIGEST_CRON DELAY_AMOUNT DELAY_UNIT DELAY_TYPE DELAY_CRON DELAY_DYNAMIC_KEY THROTTLE_TYPE THROTTLE_WINDOW THROTTLE_UNIT THROTTLE_DYNAMIC_KEY THROTTLE_THRESHOLD THROTTLE_KEY EXTEND_TO_SCHEDULE SMS_BODY CHAT_BODY PUSH_BODY PUSH_SUBJECT QUERY_EDITOR DATA LAYOUT_EMAIL',
  TimeUnit: 'seconds minutes hours days weeks months',
  DigestType: 'regular backoff timed',
  Ordinal: '1 2 3 4 5 last',
  MonthlyType: 'each on',
  TriggerStatus:
    'error trigger_not_active no_workflow_active_steps_defined no_workflow_steps_defined processed no_tenant_found invalid_recipients',
  DetailStatus: 'Success Warning Failed Pending Queued ReadConfirmation',
  DetailSource: 'Credentials Internal Payload Webhook',
};

const feedIds =
  '_id _templateId _environmentId _organizationId _notificationId _subscriberId _jobId _messageTemplateId?';
const profile = 'firstName? lastName? email? phone? avatar? locale? timezone? data?:object';
const cursors =
  'after? before? limit?:number orderDirection?:Order orderBy? includeCursor?:boolean';
const counts = 'next:string|null previous:string|null totalCount:number totalCountCapped:boolean';
const workflowNames =
  'name _id workflowId slug updatedAt createdAt origin:Origin status:WorkflowStatus';
const workflowHistory =
  'tags?:string[] updatedBy?:User lastPublishedAt?:string|null lastPublishedBy?:User|null lastTriggeredAt?:string|null isTranslationEnabled?:boolean';
const step =
  'controlValues?:object variables:object stepId _id name slug type:StepType origin:Origin workflowId workflowDatabaseId issues?:StepIssues';
const digest =
  'digestKey? amount?:number unit?:TimeUnit backoff?:boolean backoffAmount?:number backoffUnit?:TimeUnit updateMode?:boolean';

export const shapes: Record<string, string> = {
  // Integrations
  Integration:
    '_id? _environmentId _organizationId name identifier providerId channel:Channel credentials:Credentials configurations?:Configurations active:boolean deleted:boolean deletedAt? deletedBy? primary:boolean conditions?:StepFilter[]',
  Credentials:
    'apiKey? user? secretKey? domain? password? host? port? region? accountSid? messageProfileId? token? from? senderName? projectName? applicationId? clientId? baseUrl? webhookUrl? redirectUrl? serviceAccount? ipPoolName? apiKeyRequestHeader? secretKeyRequestHeader? idPath? datePath? apiToken? authenticationTokenKey? instanceId? alertUid? title? imageUrl? state? externalLink? channelId? phoneNumberIdentification? accessKey? appSid? senderId? AppIOBaseUrl? secure?:boolean requireTls?:boolean ignoreTls?:boolean hmac?:boolean authenticateByToken?:boolean tlsOptions?:object',
  Configurations: 'inboundWebhookEnabled?:boolean inboundWebhookSigningKey?',
  StepFilter: 'isNegated:boolean type:FilterType value:FilterJoin children:FilterPart[]',
  FilterPart: 'field value operator:FilterOperator on:FilterSubject',
  IntegrationUpdate:
    'name? identifier? _environmentId? active?:boolean credentials?:Credentials check?:boolean conditions?:StepFilter[] configurations?:Configurations',

  // Subscribers, their credentials and preferences
  Subscriber:
    '_id? subscriberId firstName?:string|null lastName?:string|null email?:string|null phone?:string|null avatar?:string|null locale?:string|null timezone?:string|null channels?:ChannelSettings[] topics?:string[] isOnline?:boolean|null lastOnlineAt?:string|null __v?:number data?:object|null _organizationId _environmentId deleted:boolean createdAt updatedAt',
  ChannelSettings:
    'providerId:ChannelProvider integrationIdentifier? credentials:ChannelCredentials _integrationId',
  GivenChannel: 'providerId:ChannelProvider integrationIdentifier? credentials:ChannelCredentials',
  ChannelCredentials:
    'webhookUrl? channel? deviceTokens?:string[] alertUid? title? imageUrl? state? externalUrl?',
  NewSubscribers: 'subscribers:NewSubscriber[]',
  NewSubscriber: `subscriberId ${profile}`,
  SavedSubscribers: 'updated:SubscriberId[] created:SubscriberId[] failed:FailedSubscriber[]',
  SubscriberId: 'subscriberId',
  FailedSubscriber: 'message? subscriberId?',
  Preferences: 'global:GlobalPreference workflows:WorkflowPreference[]',
  GlobalPreference: 'enabled:boolean channels:Channels schedule?:Schedule',
  Channels: 'email?:boolean sms?:boolean in_app?:boolean chat?:boolean push?:boolean',
  Schedule: 'isEnabled:boolean weeklySchedule?:Week',
  Week: 'monday?:Day tuesday?:Day wednesday?:Day thursday?:Day friday?:Day saturday?:Day sunday?:Day',
  Day: 'isEnabled:boolean hours?:Hours[]',
  Hours: 'start end',
  WorkflowPreference:
    'enabled:boolean channels:Channels overrides:Override[] workflow:WorkflowInfo',
  Override: 'channel:Channel source:OverrideSource',
  WorkflowInfo: 'slug identifier name updatedAt?',
  PreferencesQuery: 'criticality?:Criticality',
  PreferencesUpdate: 'channels?:Channels workflowId? schedule?:Schedule',

  // In-app notifications
  FeedQuery: 'page?:number limit?:number read?:boolean seen?:boolean payload?',
  FeedPage: 'totalCount?:number hasMore:boolean data:FeedItem[] pageSize:number page:number',
  FeedItem: `${feedIds} _feedId?:string|null createdAt?:string|null updatedAt?:string|null actor?:Actor subscriber?:FeedSubscriber transactionId templateIdentifier?:string|null providerId?:string|null subject?:string|null content channel:Channel read:boolean seen:boolean deviceTokens?:string[]|null cta:Cta status:MessageStatus payload?:object data?:object|null overrides?:object tags?:string[]|null`,
  Actor: 'data:string|null type:ActorType',
  FeedSubscriber: '_id? firstName? lastName? avatar? subscriberId',
  Cta: 'type?:CtaType data?:CtaData action?:CtaAction',
  CtaData: 'url?',
  CtaAction: 'status?:CtaStatus buttons?:Button[] result?:CtaResult',
  Button: 'type:ButtonType content resultContent?',
  CtaResult: 'payload?:object type?:ButtonType',
  Marks: 'messageId:string|string[] markAs:MarkState',
  Message:
    '_id? _templateId?:string|null _environmentId _messageTemplateId?:string|null _organizationId _notificationId _subscriberId subscriber?:Subscriber template?:MessageWorkflow templateIdentifier? createdAt deliveredAt?:string[] lastSeenDate? lastReadDate? content?:string|EmailBlock[] transactionId subject? channel:Channel read:boolean seen:boolean snoozedUntil? email? phone? directWebhookUrl? providerId? deviceTokens?:string[] title? cta:Cta _feedId?:string|null status:MessageStatus errorId? errorText? payload?:object overrides?:object contextKeys?:string[]',
  EmailBlock: 'type:BlockType content url? styles?:BlockStyles',
  BlockStyles: 'textAlign?:Alignment',
  MessageWorkflow:
    '_id? name description? active:boolean draft:boolean preferenceSettings:Channels critical:boolean tags:string[] steps:NotificationStep[] _organizationId _creatorId _environmentId triggers:Trigger[] _notificationGroupId _parentId? deleted:boolean deletedAt? deletedBy? notificationGroup?:Group data?:object workflowIntegrationStatus?:any',
  NotificationStep:
    '_id? uuid? name? _templateId? active?:boolean shouldStopOnFail?:boolean template?:any filters?:StepFilter[] _parentId? metadata?:object replyCallback?:ReplyCallback variants?:NotificationStep[]',
  ReplyCallback: 'active?:boolean url?',
  Trigger: 'type:TriggerType identifier variables:Variable[] subscriberVariables?:Variable[]',
  Variable: 'name',
  Group: '_id? name _environmentId _organizationId _parentId?',

  // Topics
  Topic: '_id key name? createdAt? updatedAt?',
  TopicsQuery: `${cursors} key? name?`,
  TopicPage: `data:Topic[] ${counts}`,
  TopicUpdate: 'name',
  NewSubscriptions: 'subscriberIds:string[]',
  Subscriptions: 'data:Subscription[] meta:SubscriptionCounts errors?:SubscriptionError[]',
  Subscription: '_id topic:SubscribedTopic subscriber:SubscribedPerson createdAt updatedAt',
  SubscribedTopic: '_id key name?',
  SubscribedPerson:
    '_id subscriberId avatar?:string|null firstName?:string|null lastName?:string|null email?:string|null',
  SubscriptionCounts: 'totalCount:number successful:number failed:number',
  SubscriptionError: 'subscriberId code message',

  // Contexts and environments
  Context: 'type id data:object createdAt updatedAt',
  ContextsQuery: `${cursors} id? search?`,
  ContextPage: `data:Context[] ${counts}`,
  Environment:
    '_id name _organizationId identifier type?:EnvironmentType|null apiKeys?:ApiKey[] _parentId? slug?',
  ApiKey: 'key _userId hash?',
  NewEnvironment: 'name parentId? color',

  // Workflows
  WorkflowsQuery:
    'limit?:number offset?:number orderDirection?:Order orderBy?:WorkflowOrder query? tags?:string[] status?:WorkflowStatus[]',
  WorkflowPage: 'workflows:WorkflowItem[] totalCount:number',
  WorkflowItem: `${workflowNames} ${workflowHistory} stepTypeOverviews:StepType[] steps:StepSummary[]`,
  User: '_id firstName?:string|null lastName?:string|null externalId?:string|null',
  StepSummary: 'slug type:StepType issues?:StepIssues',
  StepIssues: 'controls?:ContentIssue[]{} integration?:IntegrationIssue[]{}',
  ContentIssue: 'issueType:ContentIssueType variableName? message',
  IntegrationIssue: 'issueType:IntegrationIssueType variableName? message',
  WorkflowQuery: 'environmentId?',
  Workflow: `${workflowNames} ${workflowHistory} steps:WorkflowStep[] preferences:object severity:Severity description? active?:boolean validatePayload?:boolean payloadSchema?:object|null issues?:WorkflowIssue{} payloadExample?:object|null`,
  /** The specification does not show it. */
  WorkflowIssue: 'issueType variableName? message',
  WorkflowStep: `controls:WorkflowControls ${step}`,
  WorkflowControls: 'dataSchema?:object uiSchema?:UiSchema values:object',
  Step: `controls:Controls ${step}`,
  Controls: 'dataSchema?:object uiSchema?:UiSchema',
  UiSchema: 'group?:UiGroup properties?:UiProperty{}',
  UiProperty: 'placeholder?:any component:UiComponent properties?:UiProperty{}',

  // Events and their activity
  NewEvents: 'events:NewEvent[]',
  NewEvent:
    'name payload?:object overrides?:object to?:Recipient[] transactionId? actor? tenant? context?:string{}',
  Recipient: `subscriberId ${profile} channels?:GivenChannel[]`,
  TriggerResult: 'acknowledged:boolean status:TriggerStatus error?:string[] transactionId?',
  ActivityQuery:
    'channels?:Channel[] templates?:string[] emails?:string[] search? subscriberIds?:string[] severity?:Severity[] page?:number limit?:number transactionId? topicKey? contextKeys?:string[] after? before?',
  ActivityPage: 'hasMore:boolean data:Activity[] pageSize:number page:number',
  Activity:
    '_id? _environmentId _organizationId _subscriberId transactionId _templateId? _digestedNotificationId? createdAt? updatedAt? channels?:StepType[] subscriber?:ActivitySubscriber template?:ActivityWorkflow jobs?:Job[] payload?:object tags?:string[] controls?:object to?:object topics?:ActivityTopic[] severity?:Severity critical?:boolean contextKeys?:string[]',
  ActivitySubscriber: 'subscriberId _id firstName? lastName? email? phone?',
  ActivityWorkflow: '_id? name origin?:Origin triggers:Trigger[]',
  ActivityTopic: '_topicId topicKey',
  Job: '_id type:StepType digest?:Digest executionDetails:ExecutionDetail[] step:JobStep overrides?:object payload?:object providerId:JobProvider status updatedAt? scheduleExtensionsCount?:number',
  Digest: `${digest} type:DigestType events?:object[] timed?:Timed`,
  Timed:
    'atTime? weekDays?:string[] monthDays?:number[] ordinal?:Ordinal ordinalValue? monthlyType?:MonthlyType cronExpression? untilDate?',
  ExecutionDetail:
    '_id createdAt? status:DetailStatus detail isRetry:boolean isTest:boolean providerId? raw?:string|null source:DetailSource',
  JobStep:
    '_id active:boolean replyCallback?:object controlVariables?:object metadata?:object issues?:object filters:StepFilter[] template?:any variants?:NotificationStep[] _templateId name? _parentId?:string|null',
};

/**
 * The operations: method and path, with the shape of the query after `?`, the shape of the body, if any, the status of
 * success and the type of the response, if it has a body.
 */
export const operations = {
  updateIntegration: 'PUT /v1/integrations/{integrationId} IntegrationUpdate 200 Integration',
  deleteIntegration: 'DELETE /v1/integrations/{integrationId} 200 Integration[]',
  setSubscriberCredentials:
    'PATCH /v1/subscribers/{subscriberId}/credentials GivenChannel 200 Subscriber',
  deleteSubscriberCredentials: 'DELETE /v1/subscribers/{subscriberId}/credentials/{providerId} 204',
  bulkCreateSubscribers: 'POST /v1/subscribers/bulk NewSubscribers 201 SavedSubscribers',
  getSubscriberPreferences:
    'GET /v2/subscribers/{subscriberId}/preferences?PreferencesQuery 200 Preferences',
  updateSubscriberPreferences:
    'PATCH /v2/subscribers/{subscriberId}/preferences PreferencesUpdate 200 Preferences',
  listInboxNotifications:
    'GET /v1/subscribers/{subscriberId}/notifications/feed?FeedQuery 200 FeedPage',
  markInboxNotifications:
    'POST /v1/subscribers/{subscriberId}/messages/mark-as Marks 201 Message[]',
  subscribeToTopic: 'POST /v2/topics/{topicKey}/subscriptions NewSubscriptions 201 Subscriptions',
  listTopics: 'GET /v2/topics?TopicsQuery 200 TopicPage',
  getTopic: 'GET /v2/topics/{topicKey} 200 Topic',
  renameTopic: 'PATCH /v2/topics/{topicKey} TopicUpdate 200 Topic',
  listContexts: 'GET /v2/contexts?ContextsQuery 200 ContextPage',
  getContext: 'GET /v2/contexts/{type}/{id} 200 Context',
  createEnvironment: 'POST /v1/environments NewEnvironment 201 Environment',
  listEnvironments: 'GET /v1/environments 200 Environment[]',
  listWorkflows: 'GET /v2/workflows?WorkflowsQuery 200 WorkflowPage',
  getWorkflow: 'GET /v2/workflows/{workflowId}?WorkflowQuery 200 Workflow',
  getWorkflowStep: 'GET /v2/workflows/{workflowId}/steps/{stepId} 200 Step',
  triggerEvents: 'POST /v1/events/trigger/bulk NewEvents 201 TriggerResult[]',
  cancelEvent: 'DELETE /v1/events/trigger/{transactionId} 200 boolean',
  listActivity: 'GET /v1/notifications?ActivityQuery 200 ActivityPage',
} as const;
