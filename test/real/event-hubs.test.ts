import { eventHubsSuite } from './event-hubs.suite.ts';

/** Runs the suite against a real namespace with `npm run real` (docs/guides/real-services.md). */
const variable = (name: string, otherwise?: string): string => {
  const value = process.env[name] ?? otherwise;
  if (value === undefined || value === '') throw new Error(`${name} is not set: see docs/guides/real-services.md`);
  return value;
};

eventHubsSuite(() => ({
  connection: variable('AORTA_EVENT_HUBS_CONNECTION'),
  hub: variable('AORTA_EVENT_HUBS_HUB', 'aorta-test'),
  group: variable('AORTA_EVENT_HUBS_GROUP', '$Default'),
  storage: variable('AORTA_EVENT_HUBS_CHECKPOINTS'),
  container: variable('AORTA_EVENT_HUBS_CONTAINER', 'aorta-test'),
}));
