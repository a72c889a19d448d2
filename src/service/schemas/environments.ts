// Environments (specification: Resources, Environment; Endpoints, Environments).
import { z } from 'zod';
import { checked, checksOfList } from '../rules/checked.ts';
import { colorPattern } from '../rules/formats.ts';
import {
  isArray,
  isDefined,
  isObjectId,
  isOneOf,
  isString,
  matches,
  optional,
  required,
} from '../rules/rules.ts';
import {
  checkedFlag,
  checkedName,
  checkedText,
  hexColor,
  jsonObject,
  nonEmptyText,
  openEnum,
  requiredText,
} from './values.ts';
import { environmentTypes } from './vocabulary.ts';

export const apiKey = z.looseObject({
  key: z.string(),
  _userId: z.string(),
  hash: z.string().optional(),
});

export const apiKeyList = z.array(apiKey);

export const environment = z.looseObject({
  _id: z.string(),
  name: z.string(),
  _organizationId: z.string(),
  identifier: z.string(),
  type: openEnum(environmentTypes).nullable().optional(),
  apiKeys: z.array(apiKey).optional(),
  _parentId: z.string().optional(),
  slug: z.string().optional(),
  // The specification does not name the following members.
  color: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  __v: z.number().optional(),
  widget: jsonObject.optional(),
  dns: jsonObject.optional(),
  bridge: jsonObject.optional(),
});

export const environmentList = z.array(environment);

export const createEnvironmentBody = z.strictObject({
  name: checked(
    nonEmptyText,
    required(
      isDefined('Environment name is required'),
      isString('Environment name must be a string'),
    ),
  ),
  parentId: checked(
    nonEmptyText.optional(),
    optional(isObjectId('Parent ID must be a valid MongoDB ObjectId')),
  ),
  color: checked(
    hexColor,
    required(
      isDefined('Environment color is required'),
      matches(colorPattern, () => 'Color must be a valid hex color code'),
    ),
  ),
});

/** Body of PUT `/v1/environments/{environmentId}`. Absent fields are kept. */
export const updateEnvironmentBody = z.strictObject({
  name: checkedName,
  identifier: checkedName,
  parentId: checked(nonEmptyText.optional(), optional(isObjectId())),
  color: checked(
    hexColor.optional(),
    optional(matches(colorPattern, (name) => `${name} must be a hexadecimal color`)),
  ),
  dns: jsonObject.optional(),
  bridge: jsonObject.optional(),
});

/** Some servers return the number of changed environments, others the environment. */
export const environmentChange = z.looseObject({
  matched: z.number().optional(),
  modified: z.number().optional(),
});

export const deletedEnvironment = z.looseObject({}).nullable().optional();

export const tagList = z.array(z.looseObject({ name: z.string() }));

export type Environment = z.output<typeof environment>;

const publishable = ['workflow', 'step', 'localization_group', 'layout', 'agent'] as const;
const publishedResource = z.strictObject({
  resourceType: checked(z.enum(publishable), required(isOneOf(publishable))),
  resourceId: checked(z.string(), required(isString())),
});

/** Body of POST `/v2/environments/{targetEnvironmentId}/diff`. The source is Development if it is absent. */
export const diffBody = z.strictObject({ sourceEnvironmentId: checkedText });

export const publishBody = z.strictObject({
  sourceEnvironmentId: checkedText,
  dryRun: checkedFlag,
  resources: checked(
    z.array(publishedResource).optional(),
    checksOfList(optional(isArray), publishedResource),
  ),
});

/** No response: a key reaches one environment. */
export const refused = z.never();

// The organization and the user of an API key, in version 1 of the routes.

export const organization = z.looseObject({ _id: z.string(), name: z.string() });
export const organizationList = z.array(organization);

export const createOrganizationBody = z.strictObject({
  name: requiredText,
  logo: checkedText,
  domain: checkedText,
});

export const renameOrganizationBody = createOrganizationBody.pick({ name: true });
export const renamedOrganization = z.looseObject({ name: z.string() });

const color = checked(
  z.string().optional(),
  optional(matches(colorPattern, (name) => `${name} must be a hexadecimal color`)),
);

export const brandingBody = z.strictObject({
  logo: checkedText,
  color,
  fontColor: color,
  contentBackground: color,
  fontFamily: checkedText,
});
export const branding = z.looseObject({});

export const member = z.looseObject({ _id: z.string(), _userId: z.string() });
export const memberList = z.array(member);

export const user = z.looseObject({ _id: z.string() });

/** Whether the mail server of the inbound e-mails is configured. */
export const mailServerStatus = z.looseObject({ mxRecordConfigured: z.boolean() });
