import type { DeliveryRule, OperationRule } from './fault-rule.ts';

/** A request, as rules see it. */
export interface RequestFacts {
  /** Id of the operation; undefined for a path that no operation has. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Returns the team whose key the request has. */
  readonly team: () => string | undefined;
}

/** An attempt to deliver an event, as rules see it. */
export interface DeliveryFacts {
  readonly via: 'webhook' | 'pipeline';
  readonly event_type: string;
  /** Null for an event about no known user. */
  readonly user_id: string | null;
  readonly team_id: string;
  /** Undefined in a pipeline. */
  readonly endpoint_id: string | undefined;
}

/** Returns whether a rule selects a request. */
export function selectsRequest({ match }: OperationRule, facts: RequestFacts): boolean {
  const { operation, method, path, path_prefix, query = {}, team_id } = match;
  return (
    (operation === undefined || operation === facts.operation) &&
    (method === undefined || method === facts.method) &&
    (path === undefined || isPath(path, facts.path)) &&
    (path_prefix === undefined || facts.path.startsWith(path_prefix)) &&
    Object.entries(query).every(([name, value]) => facts.query[name] === value) &&
    (team_id === undefined || team_id === facts.team())
  );
}

/** Returns whether a rule selects an attempt. */
export function selectsDelivery({ match }: DeliveryRule, facts: DeliveryFacts): boolean {
  const { event_type_prefix, user_id, endpoint_id, pipeline, via } = match;
  return (
    (event_type_prefix === undefined || facts.event_type.startsWith(event_type_prefix)) &&
    (user_id === undefined || user_id === facts.user_id) &&
    (endpoint_id === undefined || endpoint_id === facts.endpoint_id) &&
    (pipeline === undefined || (facts.via === 'pipeline' && pipeline === facts.team_id)) &&
    (via === undefined || via === facts.via)
  );
}

/** Returns whether a path fits a pattern, in which `{name}` stands for one segment. A slash at the end does not matter. */
function isPath(pattern: string, path: string): boolean {
  const [wanted, found] = [segmentsOf(pattern), segmentsOf(path)];
  return wanted.length === found.length && wanted.every((segment, index) => /^\{.+\}$/.test(segment) || segment === found[index]);
}

const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');
