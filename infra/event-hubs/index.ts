export type { EventHubsControl } from './control.ts';
export { controlClient } from './control-port.ts';
export { type EventHubsOptions, type EventHubsServer, startEventHubs } from './event-hubs-server.ts';
export type { HubDeclaration } from './hub.ts';
export type { HubMatcher, HubRouting } from './hub-matchers.ts';
export { type Published, type PublishOptions, publishDeliveries } from './publisher.ts';
export type { RawEvent } from './raw-event.ts';
export { type EventHubsProcess, spawnEventHubs } from './server-process.ts';
export type { HubState, LinkState, PartitionState, ServerState } from './server-state.ts';
