import { type EventStream, streamNames, streamSchemas } from '@aorta/schemas';

/** A stream that a route may name. */
export type Destination = EventStream | 'unrouted';

export interface Route {
  /** Event types with this prefix are routed to `stream`. */
  readonly prefix: string;
  readonly stream: Destination;
}

export type Router = (eventType: string) => Destination;

/** Streams that a route may name. A route to `unrouted` disables the default route with the same prefix. */
export const destinations: readonly Destination[] = streamNames.filter(
  (name): name is Destination => name === 'unrouted' || !['whole', 'fetched'].includes(streamSchemas[name].aorta.shape),
);

/** The routes that the schemas of the streams declare. */
export const defaultRoutes: readonly Route[] = streamNames.flatMap((stream) =>
  streamSchemas[stream].aorta.prefixes.map((prefix) => ({ prefix, stream: stream as EventStream })),
);

/** Maximum number of cached event types; about 200 types exist. If the cache is full, each uncached type requires a search. */
const REMEMBERED = 4096;

/**
 * Creates a router from the default routes and `routes`. The router uses the longest matching prefix. A configured route
 * replaces the default route with the same prefix. If no prefix matches, the result is `unrouted`. Routing a cached
 * event type takes one map lookup, or none if the previous call had the same event type.
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
