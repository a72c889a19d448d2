// Preferences in version 1 of the routes, which older clients of the service call. The sandbox serves them.
import { serviceOperation } from '../operation.ts';

const schemas = () => import('../schemas/preferences.ts');

export const preferencesV1 = {
  listPreferencesV1: serviceOperation({
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/preferences',
    summary: 'List the preferences of a subscriber for all workflows (deprecated)',
    section: 'Subscribers',
    schemas: async () => {
      const { inactiveChannelsQuery, preferencesV1 } = await schemas();
      return { query: inactiveChannelsQuery, response: preferencesV1 };
    },
  }),

  listPreferencesOfLevel: serviceOperation({
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/preferences/{parameter}',
    summary: 'List the preferences of a subscriber of one level: global or template (deprecated)',
    section: 'Subscribers',
    schemas: async () => {
      const { inactiveChannelsQuery, preferencesV1 } = await schemas();
      return { query: inactiveChannelsQuery, response: preferencesV1 };
    },
  }),

  updatePreferenceV1: serviceOperation({
    method: 'PATCH',
    path: '/v1/subscribers/{subscriberId}/preferences/{parameter}',
    summary: 'Update the preference of a subscriber for a workflow (deprecated)',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: async () => {
      const { updatePreferenceV1Body, preferenceV1 } = await schemas();
      return { body: updatePreferenceV1Body, response: preferenceV1 };
    },
  }),

  updateGlobalPreferenceV1: serviceOperation({
    method: 'PATCH',
    path: '/v1/subscribers/{subscriberId}/preferences',
    summary: 'Update the global preference of a subscriber (deprecated)',
    section: 'Subscribers',
    idempotent: () => true,
    schemas: async () => {
      const { updateGlobalPreferenceV1Body, globalPreferenceV1 } = await schemas();
      return { body: updateGlobalPreferenceV1Body, response: globalPreferenceV1 };
    },
  }),
};
