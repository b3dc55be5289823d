import type { z } from 'zod';
import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';

/**
 * When the interface changed (UTC). The specification names months, which begin on their first day here. Only for retrying pulls,
 * it names the day.
 */
export const changes = {
  'undo of deletions': '2024-02-01',
  'ids in envelopes': '2024-03-01',
  'existing user in conflicts': '2024-03-01',
  'management API': '2024-04-01',
  'pipelines to Event Hubs': '2024-06-01',
  'hubs by event type': '2024-08-01',
  'preparation of credentials': '2024-08-01',
  'X-Management-Key': '2025-04-01',
  'management keys of teams': '2025-05-01',
  'management of webhooks': '2025-05-01',
  'retrying pulls': '2025-05-10',
  'interpretation of orders': '2025-06-01',
  'closed betas in JSON': '2025-11-01',
} as const;

export type Change = keyof typeof changes;

/** Returns whether a change has come at a time (ms since 1970). */
export const hasCome = (change: Change, at: number): boolean => at >= Date.parse(changes[change]);

const LAST = Math.max(...Object.values(changes).map((date) => Date.parse(date)));

/** Returns whether the interface is as its OpenAPI document says: all changes have come. */
const isCurrent = (at: number): boolean => at >= LAST;

/** Name under which a schema and the OpenAPI document have the date of a change. */
export const SINCE = 'x-since';

/** Marks a member of a schema that a change has added. Before, {@link withoutLater} leaves it out. */
export const addedBy = (change: Change) => ({ [SINCE]: changes[change] });

/**
 * The date of the interface that each team and organization uses. Default: the present of the virtual clock. Another date can be
 * set when the team or the organization is created.
 */
export class Versions {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns the date of a team, in milliseconds since 1970. `now` is when the team acts. Default: the present. */
  ofTeam(team: string, now?: number): number {
    return this.#of('select as_of from teams where team_id = ?', team, now);
  }

  /** Returns the date of an organization, in milliseconds since 1970. */
  ofOrganization(organization: string): number {
    return this.#of('select as_of from organizations where org_id = ?', organization);
  }

  /** Returns whether a change has come for a team. `now` is when the team acts. Default: the present. */
  has(change: Change, team: string, now?: number): boolean {
    return hasCome(change, this.ofTeam(team, now));
  }

  /** Returns the given date, or the present if there is none, in milliseconds since 1970. */
  at(as_of: string | null, now = this.#clock.now()): number {
    return as_of === null ? now : Date.parse(as_of);
  }

  #of(query: string, id: string, now?: number): number {
    return this.at(this.#database.get<{ as_of: string | null }>(query, id)?.as_of ?? null, now);
  }
}

/** The parts of a Zod schema that contain other schemas. */
interface Parts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

/** Removes the members of a value that later changes added to its schema. `at` is the date of the interface, in ms since 1970. */
export function withoutLater(schema: z.ZodType, value: unknown, at: number): unknown {
  return isCurrent(at) ? value : stripped(schema, value, at);
}

function stripped(schema: z.ZodType, value: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { shape, element, options = [], innerType, in: input, out } = schema.def as Parts;
  if (element !== undefined && Array.isArray(value)) return value.map((one) => stripped(element, one, at));
  if (shape !== undefined)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const form = Object.hasOwn(shape, name) ? shape[name] : undefined;
        if (form === undefined) return [[name, member]];
        return isLater(form, at) ? [] : [[name, stripped(form, member, at)]];
      }),
    );
  const inside = [...options, innerType, input, out].filter((one) => one !== undefined);
  return inside.reduce((rest, one) => stripped(one, rest, at), value as unknown);
}

function isLater(schema: z.ZodType, at: number): boolean {
  const since = schema.meta()?.[SINCE];
  return typeof since === 'string' && at < Date.parse(since);
}
