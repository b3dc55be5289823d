import { resources } from './provider.ts';

/** All event types in a recording: two for the life cycle of a connection, and three for each resource. */
export const peopleEventTypes: readonly string[] = [
  'provider.connection.created',
  'provider.connection.error',
  ...resources.flatMap((resource) => [
    `daily.data.${resource}.created`,
    `daily.data.${resource}.updated`,
    `historical.data.${resource}.created`,
  ]),
];
