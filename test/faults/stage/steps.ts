const FIRST_MINUTE = Date.UTC(2026, 2, 28);

/** Time from one tick to the next, in milliseconds. */
export const TICK_MS = 100;

/** An event as a producer sends it. */
export interface Sent {
  readonly user: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Returns the id of the user whose events are written to a partition at every tick. */
export const userOf = (partition: number): string => `pulse-${partition}`;

/** Returns an event with the number of a user's steps in one minute. Every third event is a new version of an earlier minute. */
export function stepsOf(partition: number, tick: number): Sent {
  const minute = tick % 3 === 2 ? tick - 2 : tick;
  const [start, end] = [minute, minute + 1].map((at) => new Date(FIRST_MINUTE + at * 60_000).toISOString());
  const user = userOf(partition);
  const event_type = 'daily.data.steps.created';
  const data = { source: { provider: 'fitbit', type: 'watch' }, data: [{ start, end, unit: 'count', value: tick }] };
  return {
    user,
    headers: {
      'event-type': event_type,
      'user-id': user,
      'team-id': 'team',
      'idempotency-key': `tick-${partition}-${tick}`,
    },
    body: Buffer.from(JSON.stringify({ event_type, user_id: user, team_id: 'team', data })),
  };
}
