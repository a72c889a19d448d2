// Layouts of e-mails (resource of the service, not in the specification).
import { z } from 'zod';
import { checked, parameter, toNumberOrNone } from '../rules/checked.ts';
import {
  isDefined,
  isObject,
  isOneOf,
  isString,
  nested,
  optional,
  required,
} from '../rules/rules.ts';
import { countedPage, offsetPaging, pageAndSize, textFilter } from './query.ts';
import {
  checkedFlag,
  checkedText,
  jsonObject,
  nonEmptyText,
  openEnum,
  requiredText,
} from './values.ts';
import { editorTypes, orderDirections, workflowOrigins } from './vocabulary.ts';
import { userReference } from './workflows.ts';

const flag = z.boolean().optional();

/** A layout. A listing leaves out `variables` and the members of `controls`. */
export const layout = z.looseObject({
  _id: z.string(),
  layoutId: z.string(),
  slug: z.string(),
  name: z.string(),
  isDefault: z.boolean(),
  origin: openEnum(workflowOrigins),
  type: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  updatedBy: userReference.optional(),
  isTranslationEnabled: flag,
  variables: jsonObject.nullable().optional(),
  controls: z.looseObject({
    dataSchema: jsonObject.optional(),
    uiSchema: jsonObject.optional(),
    values: z.looseObject({
      email: z
        .looseObject({ body: z.string().optional(), editorType: openEnum(editorTypes).optional() })
        .optional(),
    }),
  }),
});

export const layoutPage = z.looseObject({ layouts: z.array(layout), totalCount: z.number() });

const layoutOrders = ['createdAt', 'updatedAt', 'name'] as const;

export const listLayoutsQuery = z.strictObject({
  ...offsetPaging,
  orderDirection: checked(z.enum(orderDirections).optional(), optional(isOneOf(orderDirections))),
  orderBy: checked(z.enum(layoutOrders).optional(), optional(isOneOf(layoutOrders), isString())),
  query: textFilter,
});

const name = checked(nonEmptyText, required(isString()));
const isTranslationEnabled = checkedFlag;

/** Body of POST `/v2/layouts`. The body of the layout cannot be given here. */
export const createLayoutBody = z.strictObject({
  layoutId: checked(nonEmptyText, required(isString())),
  name,
  isTranslationEnabled,
  __source: checked(z.string().optional(), optional(isOneOf(['dashboard']))),
});

/** The content of a layout: a block document as JSON text, or HTML with Liquid. It contains the variable `content`. */
const layoutControlsBody = z.strictObject({
  email: z
    .strictObject({ body: z.string(), editorType: z.enum(editorTypes).optional() })
    .optional(),
});

/** Body of PUT `/v2/layouts/{layoutId}`. Without `controlValues` the content is kept, with null it is removed. */
export const updateLayoutBody = z.strictObject({
  name,
  isTranslationEnabled,
  controlValues: checked(layoutControlsBody.nullable().optional(), nested({ email: nested({}) })),
});

export const duplicateLayoutBody = z.strictObject({ name, isTranslationEnabled });

export const previewLayoutBody = z.strictObject({
  controlValues: checked(layoutControlsBody.optional(), optional(isObject)),
  previewPayload: jsonObject.optional(),
});

export const layoutUsage = z.looseObject({
  workflows: z.array(z.looseObject({ name: z.string(), workflowId: z.string() })),
});

export const layoutPreview = z.looseObject({
  result: z.looseObject({ preview: z.looseObject({ body: z.string().optional() }) }),
  previewPayloadExample: jsonObject.optional(),
  schema: jsonObject.nullable().optional(),
});

export { emptyResponse } from './values.ts';
export type Layout = z.output<typeof layout>;

// Layouts in version 1 of the routes: HTML with `{{{body}}}`.

export const layoutV1 = z.looseObject({
  _id: z.string(),
  name: z.string(),
  identifier: z.string(),
  isDefault: z.boolean(),
});

export const createdLayout = z.looseObject({ _id: z.string() });

export const layoutQuery = z.strictObject({
  ...pageAndSize,
  sortBy: textFilter,
  orderBy: parameter(z.number().optional(), toNumberOrNone),
});

export const layoutListV1 = countedPage(layoutV1);

const shared = {
  description: checkedText,
  variables: z.unknown().optional(),
  isDefault: checkedFlag,
};

export const createLayoutV1Body = z.strictObject({
  name: requiredText,
  identifier: requiredText,
  content: checked(z.string(), required(isDefined())),
  ...shared,
});

export const updateLayoutV1Body = z.strictObject({
  name: checkedText,
  identifier: checkedText,
  content: z.string().optional(),
  ...shared,
});
