export type { EventHubsControl } from './control.ts';
export { controlClient } from './control.ts';
export {
  type EventHubsOptions,
  type EventHubsProcess,
  type EventHubsServer,
  spawnEventHubs,
  startEventHubs,
} from './event-hubs-server.ts';
export type { HubDeclaration } from './hub.ts';
export type { HubMatcher, HubRouting } from './publisher.ts';
export { type Published, type PublishOptions, publishDeliveries } from './publisher.ts';
export type { HubState, LinkState, PartitionState, ServerState } from './server-state.ts';
export type { RawEvent } from './stored-message.ts';
export { openTimedPublisher, type TimedEvent, type TimedPublisher } from './timed-publisher.ts';
