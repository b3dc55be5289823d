export { type Checkpoints, releaseClaims } from './checkpoints/checkpoints.ts';
export { openCheckpoints } from './checkpoints/open.ts';
export { openNamespace } from './namespace.ts';
export { probeHub } from './probe.ts';
export { EventHubsSource, type EventHubsSourceOptions } from './source.ts';
