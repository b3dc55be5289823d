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
 * Creates a router from the default routes and `routes`. The longest matching prefix decides. A configured route replaces
 * the default route with the same prefix. If no prefix matches, or if the stream does not read event types with this
 * ending, the result is `unrouted`. Routing a cached event type takes one map lookup, or none if the previous call had the
 * same event type.
 */
export function createRouter(routes: readonly Route[] = []): Router {
  const streams = new Map<string, Destination>();
  for (const route of [...defaultRoutes, ...routes]) streams.set(route.prefix, route.stream);
  const lengths = [...new Set([...streams.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a);
  const known = new Map<string, Destination>();
  let last: { readonly eventType: string; readonly stream: Destination } | undefined;

  const longestMatch = (eventType: string): Destination => {
    for (const length of lengths) {
      const prefix = eventType.slice(0, length);
      const stream = length > eventType.length ? undefined : streams.get(prefix);
      if (stream !== undefined) return applies({ prefix, stream }, eventType) ? stream : 'unrouted';
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

interface Endings {
  /** Matches a declared ending and nothing else. */
  readonly only: RegExp;
  /** Matches a declared ending, even after further segments. */
  readonly last: RegExp;
}

const endings: ReadonlyMap<Destination, Endings> = new Map(
  destinations.map((stream) => {
    const forms = streamSchemas[stream].aorta.endings.map((ending) =>
      ending === '*' ? '[^]*' : ending.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^.]+'),
    );
    const any = `(?:${forms.join('|')})$`;
    return [stream, { only: new RegExp(`^${any}`), last: new RegExp(`(?:^|\\.)${any}`) }];
  }),
);

/**
 * Returns whether a route applies to an event type that begins with its prefix. An ending directly follows a prefix that
 * its stream declares. A configured prefix may be shorter, so more segments may come before the ending. A configured
 * route that names the whole event type applies to any ending.
 */
function applies({ prefix, stream }: Route, eventType: string): boolean {
  if (stream === 'unrouted' || (prefix === eventType && !prefix.endsWith('.'))) return true;
  const { only, last } = endings.get(stream)!;
  const isDeclared = streamSchemas[stream].aorta.prefixes.includes(prefix);
  return isDeclared ? only.test(eventType.slice(prefix.length)) : last.test(eventType);
}
