/**
 * The service's routing of events to hubs, as its management API has it (`azure_amqp`): matchers in order, the first that matches an event
 * type wins, and what none matches goes to the default hub.
 */
export interface HubRouting {
  readonly default_event_hub: string;
  readonly event_hub_matchers?: readonly HubMatcher[];
}

/** One of prefix and regex, and one of hub and blob storage; the other is null or left out. */
export interface HubMatcher {
  readonly event_type_prefix?: string | null;
  /** RE2 */
  readonly event_type_regex?: string | null;
  readonly event_hub?: string | null;
  readonly blob_storage?: object | null;
}

/** Where an event type goes; `hub: undefined` is blob storage, which is no hub of ours. */
export interface HubDestination {
  readonly hub: string | undefined;
}

type Test = (eventType: string) => boolean;

const given = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

/** What RE2 does not have, and JavaScript does: look-around and back references. */
const notInRe2 = /\(\?<?[=!]|\\[1-9]|\\k</;

/**
 * An expression of RE2 as one of JavaScript. The service says that it matches by RE2 and not whether at the beginning, so that an expression
 * matches anywhere, as RE2 does unless it is anchored.
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
    throw new RangeError(`${name}.event_type_regex is no expression of RE2`);
  }
  return (eventType) => expression.test(eventType);
}

/** Makes the function that routes event types. Throws a `RangeError` that names the matcher which cannot be. */
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
