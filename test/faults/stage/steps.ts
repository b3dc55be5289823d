const FIRST_MINUTE = Date.UTC(2026, 2, 28);

/** Time from one beat to the next, in milliseconds. */
export const BEAT_EVERY_MS = 100;

/** An event as a producer sends it. */
export interface Sent {
  readonly user: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The person whose steps keep a partition moving. */
export const walkerOf = (partition: number): string => `pulse-${partition}`;

/** A minute's steps of the person of a partition; every third corrects an earlier minute, so that versions compete. */
export function stepsOf(partition: number, beat: number): Sent {
  const minute = beat % 3 === 2 ? beat - 2 : beat;
  const [start, end] = [minute, minute + 1].map((at) => new Date(FIRST_MINUTE + at * 60_000).toISOString());
  const user = walkerOf(partition);
  const event_type = 'daily.data.steps.created';
  const data = { source: { provider: 'fitbit', type: 'watch' }, data: [{ start, end, unit: 'count', value: beat }] };
  return {
    user,
    headers: {
      'event-type': event_type,
      'user-id': user,
      'team-id': 'team',
      'idempotency-key': `beat-${partition}-${beat}`,
    },
    body: Buffer.from(JSON.stringify({ event_type, user_id: user, team_id: 'team', data })),
  };
}
