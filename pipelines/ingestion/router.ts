import { type EventStream, streamNames, streamSchemas } from '@aorta/schemas';

/** Where an event type may lead. */
export type Destination = EventStream | 'unrouted';

export interface Route {
  /** Event types that begin with this go to the stream. */
  readonly prefix: string;
  readonly stream: Destination;
}

/** Gives the stream of an event type. */
export type Router = (eventType: string) => Destination;

/** Names of the streams that a route may name, `unrouted` (which switches a route off) included. */
export const destinations: readonly Destination[] = streamNames.filter(
  (name): name is Destination => name === 'unrouted' || !['whole', 'fetched'].includes(streamSchemas[name].aorta.shape),
);

/** The routes that the declarations of the streams bring. */
export const defaultRoutes: readonly Route[] = streamNames.flatMap((stream) =>
  streamSchemas[stream].aorta.prefixes.map((prefix) => ({ prefix, stream: stream as EventStream })),
);

/** Event types that are remembered; the service has about 200, and what exceeds this is looked up each time. */
const REMEMBERED = 4096;

/**
 * A router over the default routes, overlaid by `routes`: the longest prefix wins, of two equal ones the configured one,
 * and what none matches is `unrouted`. A known event type costs one look into a map, and the last one not even that.
 */
export function createRouter(routes: readonly Route[] = []): Router {
  const streams = new Map<string, Destination>();
  for (const route of [...defaultRoutes, ...routes]) streams.set(route.prefix, route.stream);
  const lengths = [...new Set([...streams.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a);
  const known = new Map<string, Destination>();
  let last: { readonly eventType: string; readonly stream: Destination } | undefined;

  const longestMatch = (eventType: string): Destination => {
    for (const length of lengths) {
      const stream = length > eventType.length ? undefined : streams.get(eventType.slice(0, length));
      if (stream !== undefined) return stream;
    }
    return 'unrouted';
  };

  return (eventType) => {
    if (eventType === last?.eventType) return last.stream;
    let stream = known.get(eventType);
    if (stream === undefined) {
      stream = longestMatch(eventType);
      if (known.size < REMEMBERED) known.set(eventType, stream);
    }
    last = { eventType, stream };
    return stream;
  };
}
