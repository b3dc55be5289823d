import { resources } from './provider.ts';

/** Every event type that people make: the life cycle of a connection, and three types for each resource of the spine. */
export const peopleEventTypes: readonly string[] = [
  'provider.connection.created',
  'provider.connection.error',
  ...resources.flatMap((resource) => [
    `daily.data.${resource}.created`,
    `daily.data.${resource}.updated`,
    `historical.data.${resource}.created`,
  ]),
];
