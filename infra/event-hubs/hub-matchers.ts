/**
 * How the health-data service routes events to hubs, as configured in its management API (`azure_amqp`). The first
 * matcher that matches the event type determines the hub. If no matcher matches, the event goes to the default hub.
 */
export interface HubRouting {
  readonly default_event_hub: string;
  readonly event_hub_matchers?: readonly HubMatcher[];
}

/** A matcher has either a prefix or a regex, and either a hub or blob storage. The other members are null or absent. */
export interface HubMatcher {
  readonly event_type_prefix?: string | null;
  /** in RE2 syntax */
  readonly event_type_regex?: string | null;
  readonly event_hub?: string | null;
  readonly blob_storage?: object | null;
}

/**
 * The destination of an event type. `hub` is undefined if the destination is blob storage, to which `publishDeliveries` does
 * not publish.
 */
export interface HubDestination {
  readonly hub: string | undefined;
}

type Test = (eventType: string) => boolean;

const given = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

/** Matches features that JavaScript supports but RE2 does not: look-around and back references. */
const notInRe2 = /\(\?<?[=!]|\\[1-9]|\\k</;

/**
 * Converts an RE2 expression to JavaScript. The documentation of the health-data service says that expressions use RE2,
 * but not whether they match only at the beginning. Here, as in RE2, an expression matches anywhere unless it is anchored.
 */
function re2(expression: string): RegExp {
  if (notInRe2.test(expression.replaceAll('\\\\', ''))) throw new SyntaxError('RE2 has no look-around and no back references');
  const [, flags = '', rest = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(expression)!;
  return new RegExp(rest.replaceAll('(?P<', '(?<'), `u${flags}`);
}

function testOf({ event_type_prefix: prefix, event_type_regex: regex }: HubMatcher, name: string): Test {
  if (given(prefix) === given(regex)) throw new RangeError(`${name} needs either event_type_prefix or event_type_regex`);
  if (given(prefix)) return (eventType) => eventType.startsWith(prefix);
  let expression: RegExp;
  try {
    expression = re2(regex!);
  } catch {
    throw new RangeError(`${name}.event_type_regex is not a valid RE2 expression`);
  }
  return (eventType) => expression.test(eventType);
}

/**
 * Returns a function that maps an event type to its destination. If a matcher is invalid, throws a {@link RangeError} that
 * names the matcher.
 */
export function hubRouter({ default_event_hub, event_hub_matchers = [] }: HubRouting): (eventType: string) => HubDestination {
  const matchers = event_hub_matchers.map((matcher, index) => {
    const name = `event_hub_matchers[${index}]`;
    const { event_hub, blob_storage } = matcher;
    if (given(event_hub) === given(blob_storage)) throw new RangeError(`${name} needs either event_hub or blob_storage`);
    return { matches: testOf(matcher, name), destination: { hub: event_hub ?? undefined } };
  });
  const otherwise = { hub: default_event_hub };
  return (eventType) => matchers.find(({ matches }) => matches(eventType))?.destination ?? otherwise;
}
