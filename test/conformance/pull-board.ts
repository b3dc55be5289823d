import type { WarehouseReader } from '@aorta/connectors';
import {
  type Evidence,
  foldPulls,
  type IntrospectionPoll,
  type StreamName,
  type StreamRecords,
  trackRecord,
} from '@aorta/schemas';
import { describe, expect, test } from 'vitest';
import {
  type Count,
  countBoard,
  cursorAfter,
  newestLoaded,
  parseCursor,
  type Row,
  readBoard,
  readChanges,
  readPage,
} from '../../pipelines/aorta/report/pulls/board.ts';
import type { WarehouseUnderTest } from './warehouse-under-test.ts';

/** The evidence of one pull, and the row that the board must show for it. */
interface Case {
  readonly provider?: string;
  readonly resource?: string;
  readonly evidence: readonly Evidence[];
  /**
   * Age of the service's newest answer about the user, and the answer's fields that differ from the default. Absent if the
   * service was never asked.
   */
  readonly answered?: Partial<IntrospectionPoll> & { readonly minutesAgo: number };
  /** The configured limit, if the track names one. */
  readonly stalledAfterS?: number;
  readonly says: readonly [standing: string, reason: string, whatToDo: string | null, stale: boolean];
}

const MINUTE = 60_000_000;
const NOW = Math.floor(Date.now() / 1000) * 1_000_000;
const ago = (minutes: number): number => NOW - minutes * MINUTE;
const DAY = 1440;
const plannedAt = ago(60);
const range = { rangeStart: ago(90 * DAY), rangeEnd: ago(60) };
/** Formats an instant as all readers do: whole seconds have no fraction. */
const instantOf = (micros: number): string => new Date(micros / 1000).toISOString().replace('.000Z', 'Z');
const connected = (minutes: number): Evidence => ({ kind: 'connected', at: ago(minutes) });
const expected = (minutes: number): Evidence => ({ kind: 'expected', at: ago(minutes) });
const completed = (minutes: number): Evidence => ({ kind: 'completed', at: ago(minutes), ...range });

function told(minutes: number, status: string, errorDetails: string | null = null, more: object = {}): Evidence {
  const times = { scheduledAt: plannedAt, startedAt: ago(59), endedAt: ago(58) };
  return { kind: 'told', at: ago(minutes), status, ...times, ...range, daysWithData: 70, errorDetails, ...more };
}

const fresh = { minutesAgo: 1 };
const noProgress = 'no progress: no further day has data';
const triggerOrAsk = 'trigger the pull again, or ask the service';
const reconnectOrAsk = 'ask the user to connect again, or the service for the reason, by its trace id';
const wait = 'wait: the service tries again by itself';

/** One answer a day, the last one an hour ago. The statuses follow each other in a cycle that ends with the first one. */
const openFor = (days: number, cycle: readonly string[], more: (day: number) => object = () => ({})): Evidence[] =>
  Array.from({ length: days }, (_, index) => days - 1 - index).map((day) =>
    told(day * DAY + 60, cycle[day % cycle.length]!, null, more(day)),
  );

const cases: Readonly<Record<string, Case>> = {
  connected: { evidence: [connected(5), expected(5)], says: ['in_motion', 'connected', null, true] },
  planned: { evidence: [told(5, 'scheduled')], answered: fresh, says: ['in_motion', 'scheduled', null, false] },
  'at work': { evidence: [told(5, 'in_progress')], answered: fresh, says: ['in_motion', 'in_progress', null, false] },
  'no evidence for a day': {
    evidence: [connected(2 * DAY), expected(2 * DAY)],
    says: ['stalled', 'connected, but no event or answer mentions a pull', triggerOrAsk, true],
  },
  'no pull scheduled for a day': {
    evidence: [connected(2 * DAY), expected(2 * DAY)],
    answered: fresh,
    says: ['stalled', 'connected, but the service has planned no pull', triggerOrAsk, false],
  },
  'no progress for a day, with a fresh answer': {
    evidence: [told(2 * DAY, 'in_progress')],
    answered: fresh,
    says: ['stalled', noProgress, triggerOrAsk, false],
  },
  // A change between open states is no progress, whatever the states and the length of the cycle.
  ...Object.fromEntries(
    [
      ['in_progress', 'scheduled'],
      ['scheduled', 'in_progress'],
      ['in_progress', 'retrying'],
      ['in_progress', 'scheduled', 'retrying'],
      ['in_progress', 'paused'],
    ].map((cycle): [string, Case] => [
      `changes between ${cycle.join(' and ')} for ever`,
      { evidence: openFor(40, cycle), answered: fresh, says: ['stalled', noProgress, triggerOrAsk, false] },
    ]),
  ),
  'retried for ever': {
    evidence: [told(40 * DAY, 'retrying', 'provider_unavailable')],
    answered: fresh,
    says: ['stalled', 'no progress, although the service tries again: provider_unavailable', triggerOrAsk, false],
  },
  'retried for ever, with each attempt reported': {
    evidence: openFor(40, ['retrying', 'in_progress'], (day) => ({ startedAt: ago(day * DAY + 5), endedAt: ago(day * DAY + 1) })),
    answered: fresh,
    says: ['stalled', 'no progress, although the service tries again: no reason given', triggerOrAsk, false],
  },
  'each attempt counts the same days again': {
    evidence: openFor(40, ['in_progress', 'retrying'], (day) => ({ daysWithData: [0, 30, 70][day % 3] })),
    answered: fresh,
    says: ['stalled', noProgress, triggerOrAsk, false],
  },
  'slow, but more and more days have data': {
    evidence: openFor(40, ['in_progress'], (day) => ({ daysWithData: 100 - day })),
    answered: fresh,
    says: ['in_motion', 'in_progress', null, false],
  },
  'slow and tried again, but more and more days have data': {
    evidence: openFor(40, ['retrying', 'in_progress'], (day) => ({ daysWithData: 100 - day })),
    answered: fresh,
    says: ['retrying', 'no reason given', wait, false],
  },
  'scheduled late, but a moment ago': {
    evidence: [expected(23 * 60), told(5, 'scheduled')],
    answered: fresh,
    says: ['in_motion', 'scheduled', null, false],
  },
  'never polled, for longer than configured': {
    evidence: [connected(30), expected(30)],
    stalledAfterS: 600,
    says: ['stalled', 'connected, but no event or answer mentions a pull', triggerOrAsk, true],
  },
  'no progress known, because the answer is old': {
    evidence: [told(2 * DAY, 'in_progress')],
    answered: { minutesAgo: 2 * DAY - 5 },
    says: ['in_motion', 'in_progress', null, true],
  },
  'no progress for longer than configured': {
    evidence: [told(30, 'scheduled')],
    answered: { minutesAgo: 1, stalled_after_s: 600 },
    says: ['stalled', noProgress, triggerOrAsk, false],
  },
  'connection broken': {
    evidence: [told(5, 'retrying', 'provider_unavailable'), { kind: 'connection_error', at: ago(4) }],
    answered: fresh,
    says: ['stalled', 'the connection broke', 'ask the user to connect again', false],
  },
  ...Object.fromEntries(
    ['provider_rate_limit_exceeded', 'provider_unavailable', 'transport_failure', 'resource_contention', 'never_heard_of'].map(
      (details): [string, Case] => [
        `retrying for ${details}`,
        { evidence: [told(5, 'retrying', details)], answered: fresh, says: ['retrying', details, wait, false] },
      ],
    ),
  ),
  'retrying after an error called final': {
    evidence: [told(5, 'retrying', 'unexpected_error')],
    answered: fresh,
    says: ['retrying', 'unexpected_error', 'wait: the service tries again, although the error says that it does not', false],
  },
  'at work after a problem': {
    evidence: [told(5, 'retrying'), told(4, 'in_progress')],
    answered: fresh,
    says: ['in_motion', 'trying again', null, false],
  },
  ...Object.fromEntries(
    ['non_retriable_error', 'unexpected_error', 'retry_quota_exhausted', 'never_heard_of'].map((details): [string, Case] => [
      `failed for ${details}`,
      { evidence: [told(5, 'failure', details)], answered: fresh, says: ['failed', details, reconnectOrAsk, false] },
    ]),
  ),
  'failed for a transient error': {
    evidence: [told(5, 'failure', 'transport_failure')],
    answered: fresh,
    says: ['failed', 'transport_failure', 'trigger the pull again', false],
  },
  'failed without a reason': {
    evidence: [told(5, 'failure')],
    answered: fresh,
    says: ['failed', 'no reason given', reconnectOrAsk, false],
  },
  'failed with a trace id': {
    evidence: [told(5, 'failure', 'unexpected_error', { traceId: 'trace-1' })],
    answered: fresh,
    says: ['failed', 'unexpected_error', reconnectOrAsk, false],
  },
  'failed on a connection without retrying': {
    evidence: [{ kind: 'connected', at: Date.UTC(2025, 4, 8) * 1000 }, told(5, 'failure', 'unexpected_error')],
    answered: fresh,
    says: [
      'failed',
      'unexpected_error; perhaps temporary: the service does not say so for connections made before 9 May 2025',
      reconnectOrAsk,
      false,
    ],
  },
  complete: { evidence: [told(5, 'success')], answered: fresh, says: ['complete', 'done', null, false] },
  'complete, and the answer is old': {
    evidence: [told(DAY, 'success')],
    answered: { minutesAgo: DAY },
    says: ['complete', 'done', null, true],
  },
  'complete without a day of data': {
    evidence: [told(5, 'success', null, { daysWithData: 0 })],
    answered: fresh,
    says: ['complete', 'done, and no day of the range had data', null, false],
  },
  'complete according to an event': {
    evidence: [expected(60), completed(5)],
    says: ['complete', 'the service announced the end; its introspection does not report it yet', null, true],
  },
  'one of two complete': {
    evidence: [told(50, 'in_progress'), told(20, 'in_progress', null, { scheduledAt: ago(30) }), completed(5)],
    answered: fresh,
    says: ['in_motion', 'one of several pulls has ended; the service does not say yet which one', null, false],
  },
  'an unknown status': {
    evidence: [told(5, 'paused')],
    answered: fresh,
    says: [
      'unknown',
      'unknown status from the service: paused',
      'look up the status; a newer version of Aorta may know it',
      false,
    ],
  },
  'no status': {
    resource: 'a_resource_that_is_not_known',
    evidence: [told(5, '')],
    answered: fresh,
    says: ['unknown', 'unknown status from the service: none', 'look up the status; a newer version of Aorta may know it', false],
  },
  'not pulled': {
    evidence: [expected(30), { kind: 'not_pulled', at: ago(5) }],
    answered: fresh,
    says: [
      'not_pulled',
      'the service does not pull this resource of the connection',
      'ask the user for the permissions that the resource needs',
      false,
    ],
  },
  'announced by Garmin': {
    provider: 'garmin',
    evidence: [expected(5), completed(5)],
    says: ['announced', 'this provider announces the end before any data arrives', 'expect the data as daily events', true],
  },
  'never reported by Polar': {
    provider: 'polar',
    resource: 'activity',
    evidence: [expected(2 * DAY)],
    answered: fresh,
    says: [
      'not_reported',
      'the service never reports on this resource of this provider',
      'judge by the data that has arrived',
      false,
    ],
  },
  'never reported by old Dexcom': {
    provider: 'dexcom',
    resource: 'glucose',
    evidence: [expected(2 * DAY)],
    answered: fresh,
    says: [
      'not_reported',
      'the service never reports on this resource of this provider',
      'judge by the data that has arrived',
      false,
    ],
  },
  'user is gone': {
    evidence: [told(3 * DAY, 'in_progress')],
    answered: { minutesAgo: 2 * DAY, gone: true },
    says: ['gone', 'the service no longer has this user', 'nothing, or erase the user: aorta status says what is due', false],
  },
  'user is gone, and the history is complete': {
    evidence: [told(3 * DAY, 'success')],
    answered: { minutesAgo: 2 * DAY, gone: true },
    says: ['complete', 'done', null, false],
  },
};

function poll(user: string, { minutesAgo, ...more }: NonNullable<Case['answered']>): IntrospectionPoll {
  const receipt = {
    source: 'introspection',
    partition: '',
    offset: ago(minutesAgo) / 1000,
    received_at: ago(minutesAgo),
    delivery_id: null,
    header_facts: 0,
    body_bytes: 0,
    body_crc32: 0,
    arrived_at: null,
  };
  const stale_at = ago(minutesAgo) + 12 * 60 * MINUTE;
  return {
    receipt,
    reader: 1,
    user_id: user,
    gone: false,
    stale_at,
    stalled_after_s: 86_400,
    pulls: [],
    not_pulled: [],
    ...more,
  };
}

const order = [
  'failed',
  'stalled',
  'retrying',
  'unknown',
  'in_motion',
  'announced',
  'not_pulled',
  'not_reported',
  'gone',
  'complete',
];

/** Checks the queries of `aorta pulls`: the order of the pages, the counts, the changed rows and the steps of a pull. */
async function pagesFollow(reader: WarehouseReader, board: readonly unknown[][]): Promise<void> {
  const whole = board
    .map(([user, , standing, since]) => ({ user: String(user), standing: String(standing), since: Date.parse(String(since)) }))
    .sort((a, b) => order.indexOf(a.standing) - order.indexOf(b.standing) || b.since - a.since || (a.user < b.user ? -1 : 1));
  const found: Row[] = [];
  for (let after: string | undefined; ; after = cursorAfter(found.at(-1)!)) {
    const before = found.length;
    const wanted = { selection: {}, limit: 7, after: after === undefined ? undefined : parseCursor(after) };
    for await (const rows of readPage(reader, wanted)) found.push(...rows);
    if (found.length === before) break;
  }
  expect(found.map(({ user_id }) => user_id)).toEqual(whole.map(({ user }) => user));
  const counts = await countBoard(reader, {});
  expect(counts.reduce((sum, { pulls }) => sum + pulls, 0)).toBe(board.length);
  const failed = board.filter(([, provider, standing]) => provider === 'oura' && standing === 'failed').length;
  const failedOfAll = board.filter(([, , standing]) => standing === 'failed').length;
  expect(counts.find((one) => one.provider === 'oura' && one.standing === 'failed')?.pulls).toBe(failed);

  const firstPage = async (limit: number, counted: readonly Count[]): Promise<unknown[]> => {
    const rows: Row[] = [];
    for await (const page of readPage(reader, { selection: {}, limit }, counted)) rows.push(...page);
    return rows.map(({ user_id }) => user_id);
  };
  for (const limit of [1, failed + 1, board.length, board.length + 1])
    expect(await firstPage(limit, counts)).toEqual(whole.slice(0, limit).map(({ user }) => user));
  // Simulates a load that changed the board after the counts were read.
  const before = counts.map((one) => (one.standing === 'failed' ? { ...one, pulls: one.pulls + 5 } : one));
  expect(await firstPage(failedOfAll + 3, before)).toEqual(whole.slice(0, failedOfAll + 3).map(({ user }) => user));

  const newest = await newestLoaded(reader);
  const changed = async (by: 'track' | 'answer', after: string | null): Promise<unknown[]> => {
    const rows: unknown[] = [];
    for await (const page of readBoard(reader, { selection: {}, changed: { by, after } }))
      rows.push(...page.map(({ user_id }) => user_id));
    return rows.sort();
  };
  expect(await changed('track', newest.track)).toEqual([]);
  // A resource has no track if the service only ever reported it as not pulled.
  const tracked = whole.map(({ user }) => user).filter((user) => user in cases);
  expect(await changed('track', null)).toEqual(tracked.sort());
  expect(await changed('answer', newest.answer)).toEqual([]);
  const answered = whole.filter(({ user, standing }) => ['stalled', 'gone'].includes(standing) && cases[user]?.answered);
  expect(await changed('answer', null)).toEqual(answered.map(({ user }) => user).sort());

  const steps = await readChanges(reader, { user: 'at work after a problem', resource: 'sleep' });
  const states: unknown[] = [];
  for await (const chunk of steps.rows) for (const row of chunk) states.push(row[5]);
  expect(states).toEqual(['retrying', 'in_progress']);
  const quoted: unknown[] = [];
  for await (const rows of readBoard(reader, { selection: { user: "o'hara \\" } })) quoted.push(...rows);
  expect(quoted).toEqual([]);
}

/** Tests the board and its views in one warehouse against the rows expected in {@link cases}. */
export function pullBoardConformance(name: string, create: () => Promise<WarehouseUnderTest>): void {
  describe(`${name}: the board of historical pulls`, () => {
    test('the board shows the standing, the reason and the advice for every kind of pull', async () => {
      const under = await create();
      try {
        const tracks = Object.entries(cases).map(([user, { provider = 'oura', resource = 'sleep', evidence, stalledAfterS }]) => {
          const history = foldPulls(provider, resource, evidence);
          const track = trackRecord({ userId: user, provider, resource }, evidence, history, stalledAfterS);
          return track!;
        });
        const polls = Object.entries(cases).flatMap(([user, { answered }]) =>
          answered === undefined ? [] : [poll(user, answered)],
        );
        // The first two pulls appear only in the service's answers. The third also has a track, but the board must show it once.
        const notPulled = (resource: string) => ({ provider: 'oura', resource });
        polls.push({ ...poll('never pulled', { minutesAgo: 5 }), not_pulled: [notPulled('sleep'), notPulled('sleep')] });
        polls.push({ ...poll('not pulled, with an old answer', { minutesAgo: 2 * DAY }), not_pulled: [notPulled('sleep')] });
        const known = polls.findIndex(({ user_id }) => user_id === 'not pulled');
        polls[known] = { ...polls[known]!, not_pulled: [notPulled('sleep')] };
        const warehouse = await under.open();
        const land = <S extends StreamName>(stream: S, records: readonly StreamRecords[S][]): Promise<void> =>
          warehouse.land({ stream, incarnation: 'i', from: 0, to: records.length, records });
        await land('historical_pull_tracks', tracks);
        await land('introspection_polls', polls);
        // All tracks were landed as one batch, so their table is merged at most once.
        const merged = await warehouse.merge('all');
        await warehouse.settled?.();
        expect(merged.targets.filter(({ table }) => table === 'historical_pull_tracks').length).toBeLessThanOrEqual(1);
        await warehouse.publish('now');
        await warehouse.close();

        const reader = await under.read();
        try {
          const rowsOf = async (sql: string): Promise<unknown[][]> => {
            const rows: unknown[][] = [];
            for await (const chunk of (await reader.query(sql)).rows) rows.push(...chunk.map((row) => [...row]));
            return rows;
          };
          const board = await rowsOf('select user_id, standing, reason, what_to_do, stale from historical_pull_board');
          const notPulledSays = ['not_pulled', cases['not pulled']!.says[1], cases['not pulled']!.says[2]];
          expect(Object.fromEntries(board.map(([user, ...says]) => [user, says]))).toEqual({
            ...Object.fromEntries(Object.entries(cases).map(([user, { says }]) => [user, says])),
            'never pulled': [...notPulledSays, false],
            'not pulled, with an old answer': [...notPulledSays, true],
          });
          expect(board.length).toBe(tracks.length + 2);
          // `since` is the time that the service reports, not the time of its answer.
          const at = async (user: string): Promise<unknown[]> =>
            (await rowsOf(`select since, trace_id from historical_pull_board where user_id = '${user}'`))[0]!;
          expect((await at('failed for unexpected_error'))[0]).toBe(instantOf(ago(58)));
          expect((await at('retrying for provider_unavailable'))[0]).toBe(instantOf(ago(58)));
          expect((await at('at work'))[0]).toBe(instantOf(ago(59)));
          expect((await at('planned'))[0]).toBe(instantOf(plannedAt));
          // A stalled pull has the time of its last progress.
          const firstAnswer = ago(39 * DAY + 60);
          expect((await at('changes between in_progress and scheduled for ever'))[0]).toBe(instantOf(firstAnswer));
          expect((await at('each attempt counts the same days again'))[0]).toBe(instantOf(ago(38 * DAY + 60)));
          expect(await at('failed with a trace id')).toEqual([instantOf(ago(58)), 'trace-1']);
          await pagesFollow(reader, await rowsOf('select user_id, provider, standing, since from historical_pull_board'));
          const counted = async (view: string): Promise<number> =>
            Number((await rowsOf(`select count(*) as n from ${view}`))[0]![0]);
          const sum = (of: (track: (typeof tracks)[number]) => readonly unknown[]): number =>
            tracks.reduce((all, track) => all + of(track).length, 0);
          expect(await counted('historical_pulls')).toBe(sum(({ pulls }) => pulls));
          expect(await counted('historical_pulls where is_present')).toBe(tracks.length);
          expect(await counted('historical_pull_changes')).toBe(sum(({ changes }) => changes));
          expect(await counted('historical_pull_evidence')).toBe(sum(({ evidence }) => evidence));
        } finally {
          await reader.close();
        }
      } finally {
        await under.remove();
      }
    });
  });
}
