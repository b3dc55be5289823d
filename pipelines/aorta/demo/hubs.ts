import type { HubDeclaration, HubRouting } from '@aorta/event-hubs-server';

/** Hubs of a demonstration. They have few partitions, because a single process reads all of them. */
export const demoHubs: readonly HubDeclaration[] = [
  { name: 'health-events', partitions: 4 },
  { name: 'summaries', partitions: 2 },
  { name: 'summary-updates', partitions: 2 },
];

/**
 * Routing rules in the service's format: the first matching rule applies. One person's events are spread over all hubs. The
 * created and updated events of a summary go to different hubs, so they may arrive in any order. The merge compares their
 * `updated_at` to find out which is newer. For samples, it can compare only the receipts, so all events of a timeseries
 * resource must go to the same hub.
 */
export const demoRouting: HubRouting = {
  default_event_hub: 'health-events',
  event_hub_matchers: [
    { event_type_regex: String.raw`^daily\.data\.(activity|sleep)\.updated$`, event_hub: 'summary-updates' },
    { event_type_prefix: 'daily.data.activity.', event_hub: 'summaries' },
    { event_type_prefix: 'daily.data.sleep.', event_hub: 'summaries' },
  ],
};

/**
 * Event types that the service also posts to the webhook, as it does while a team moves from webhooks to hubs. Their tables
 * have one row per key, so the copies change no row.
 */
export const webhookTypes: readonly string[] = [
  'daily.data.workouts.created',
  'daily.data.workouts.updated',
  'daily.data.body.created',
  'daily.data.weight.created',
  'daily.data.fat.created',
];
