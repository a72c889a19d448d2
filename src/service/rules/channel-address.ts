// The addresses of endpoints: the members of each type, and the types that each chat provider can send to.
import { isObject } from '../../core/objects.ts';
import type { endpointTypes } from '../schemas/vocabulary.ts';

type Check = (value: unknown) => boolean;

const anyText: Check = (value) => typeof value === 'string';
const filledText: Check = (value) => typeof value === 'string' && value.length > 0;
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const like =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const textsByName: Check = (value) => isObject(value) && Object.values(value).every(anyText);
const webAddress: Check = (value) =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

interface Members {
  [member: string]: Check;
}

const region = oneOf('us', 'eu');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Address = readonly (readonly [required: Members, optional?: Members])[];

const addresses: Record<(typeof endpointTypes)[number], Address> = {
  slack_channel: [[{ channelId: anyText }]],
  slack_user: [[{ userId: anyText }]],
  webhook: [[{ url: anyText }, { channel: anyText }]],
  phone: [[{ phoneNumber: anyText }]],
  ms_teams_channel: [[{ teamId: anyText, channelId: anyText }]],
  ms_teams_user: [[{ userId: anyText }, { tenantId: anyText }]],
  telegram_chat: [[{ chatId: anyText }]],
  webex_room: [[{ roomId: filledText }, { parentId: filledText }]],
  webex_person: [[{ personId: filledText }], [{ personEmail: filledText }]],
  line_user: [[{ userId: anyText }]],
  pagerduty_service: [[{ routingKey: like(/^[a-zA-Z0-9]{32}$/), region }]],
  opsgenie_integration: [[{ apiKey: like(uuid), region }]],
  grafana_oncall_integration: [[{ url: webAddress }, { authToken: filledText }]],
  tool_webhook: [
    [{ url: webAddress }, { headers: textsByName, method: oneOf('POST', 'PUT', 'PATCH') }],
  ],
};

/** Whether an address has the members of its type, and no others. */
export const isChannelAddress = (type: string, address: Record<string, unknown>): boolean =>
  (new Map<string, Address>(Object.entries(addresses)).get(type) ?? []).some(
    ([needed, optional = {}]) =>
      Object.entries(needed).every(([member, fits]) => fits(address[member])) &&
      Object.entries(address).every(([member, value]) =>
        Object.hasOwn(needed, member)
          ? true
          : value === undefined || (Object.hasOwn(optional, member) && optional[member]?.(value)),
      ),
  );

export const addressMessage = (type: unknown): string =>
  `Endpoint must match the required format for type "${type}"`;

/** Chat providers that send to the phone number of the subscriber. */
export const phoneProviders: readonly string[] = ['whatsapp-business', 'sendblue'];

const typesByProvider = new Map<string, readonly string[]>([
  ['slack', ['slack_channel', 'slack_user', 'webhook']],
  ['msteams', ['ms_teams_channel', 'ms_teams_user', 'webhook']],
  ['telegram', ['telegram_chat']],
  ['webex-messaging', ['webex_room', 'webex_person']],
  ['line', ['line_user']],
  ...phoneProviders.map((id) => [id, ['phone']] as const),
]);

/** The types of the addresses that a chat provider can send to. */
export const addressTypes = (providerId: string): readonly string[] =>
  typesByProvider.get(providerId) ?? ['webhook'];
