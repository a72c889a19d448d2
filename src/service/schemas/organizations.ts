// The organization and the user of an API key, in version 1 of the routes.
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import { colorPattern } from '../rules/formats.ts';
import { isDefined, isString, matches, optional, required, text } from '../rules/rules.ts';

export const organization = z.looseObject({ _id: z.string(), name: z.string() });
export const organizationList = z.array(organization);

/** Body of POST `/v1/organizations`. */
export const createOrganizationBody = z.strictObject({
  name: checked(z.string(), required(isDefined(), isString())),
  logo: checked(z.string().optional(), text()),
  domain: checked(z.string().optional(), text()),
});

/** Body of PATCH `/v1/organizations`. */
export const renameOrganizationBody = createOrganizationBody.pick({ name: true });
export const renamedOrganization = z.looseObject({ name: z.string() });

const color = checked(
  z.string().optional(),
  optional(matches(colorPattern, (name) => `${name} must be a hexadecimal color`)),
);

/** Body of PUT `/v1/organizations/branding`. */
export const brandingBody = z.strictObject({
  logo: checked(z.string().optional(), text()),
  color,
  fontColor: color,
  contentBackground: color,
  fontFamily: checked(z.string().optional(), text()),
});
export const branding = z.looseObject({});

export const member = z.looseObject({ _id: z.string(), _userId: z.string() });
export const memberList = z.array(member);

export const user = z.looseObject({ _id: z.string() });

/** Whether the mail server of the inbound e-mails is configured. */
export const mailServerStatus = z.looseObject({ mxRecordConfigured: z.boolean() });
