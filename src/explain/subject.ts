// The event that is explained, and for whom.
import type { ActivityItem } from '../service/schemas/activity.ts';

export interface Subject {
  subscriberId: string;
  item: ActivityItem;
  /** Only the steps of these channels; all if absent. */
  channels?: readonly string[] | undefined;
}

export const workflowIdentifier = ({ template }: ActivityItem): string | undefined =>
  template?.triggers?.[0]?.identifier;
