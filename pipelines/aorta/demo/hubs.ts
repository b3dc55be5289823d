import type { HubDeclaration, HubRouting } from '@aorta/event-hubs-server';

/** Hubs of a demonstration: few partitions, since all of them are read by one process. */
export const demoHubs: readonly HubDeclaration[] = [
  { name: 'health-events', partitions: 4 },
  { name: 'summaries', partitions: 2 },
  { name: 'summary-updates', partitions: 2 },
];

/**
 * Matchers as the service has them: the first that matches decides. One person's events are spread over all hubs, and what
 * is created and what is updated of one summary arrive by different ones, in no order: its `updated_at` decides. The
 * versions of a sample are told apart by their receipt alone, so a resource of timeseries has to keep to one hub.
 */
export const demoRouting: HubRouting = {
  default_event_hub: 'health-events',
  event_hub_matchers: [
    { event_type_regex: String.raw`^daily\.data\.(activity|sleep)\.updated$`, event_hub: 'summary-updates' },
    { event_type_prefix: 'daily.data.activity.', event_hub: 'summaries' },
    { event_type_prefix: 'daily.data.sleep.', event_hub: 'summaries' },
  ],
};
