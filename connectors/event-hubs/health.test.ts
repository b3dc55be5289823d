import { setTimeout as sleep } from 'node:timers/promises';
import { type Metrics, Progress, silentMetrics } from '@aorta/runtime';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clockChanges, moveClocks } from '../../infra/machine/system-clock.fixture.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { keepingLogger } from './event-hubs.fixture.ts';
import { HubHealth, PartitionHealth, type Verdict } from './health.ts';
import { setupError } from './hub-error.ts';

/** The time of readiness in these tests, in milliseconds since 1970. */
const NOW = Date.UTC(2026, 2, 28);
const place = { namespace: 'ns', hub: 'health', group: 'g' };
const failed = (code: string) => Object.assign(new Error('SharedAccessKey=planted'), { name: 'MessagingError', code });
const probed = new Map([['0', { begin: 0, end: 5 }]]);

let answer: unknown;
let probes: number;
let counts: Record<string, number>;
let progress: Progress;
let logger: ReturnType<typeof keepingLogger>;
let stopping: AbortController;
let hub: HubHealth;

beforeEach(() => {
  answer = undefined;
  probes = 0;
  counts = {};
  progress = new Progress({ clock: () => NOW });
  logger = keepingLogger();
  stopping = new AbortController();
  const metrics: Metrics = {
    ...silentMetrics,
    count: (_, labels) => {
      const { condition } = labels as { condition: string };
      counts[condition] = (counts[condition] ?? 0) + 1;
    },
  };
  hub = new HubHealth({
    source: 'hubs',
    hub: 'health',
    probe: async () => {
      probes += 1;
      if (answer !== undefined) throw setupError(answer, place, 'hub');
      return probed;
    },
    deadlineMs: 30_000,
    logger,
    metrics,
    progress,
    signal: stopping.signal,
    probeEveryMs: 5,
  });
});
afterEach(() => stopping.abort());

const warnings = () => logger.lines.filter(({ level }) => level === 'warn');

async function probedAgain(times: number): Promise<void> {
  const from = probes;
  await until(
    `${times} more probes`,
    () => probes,
    (count) => count >= from + times,
  );
}

test('repeated refusals are counted but logged only once, and only a successful probe ends the outage', async () => {
  answer = failed('UnauthorizedError');
  const heardAt = NOW - 31_000;
  hub.failed(answer, heardAt);
  await probedAgain(4);
  hub.heard();
  expect(hub.refused).toBe(true);
  expect(warnings()).toMatchObject([
    {
      event: 'hub cannot be read',
      fields: { source: 'hubs', hub: 'health', condition: 'amqp:unauthorized-access', code: 'AORTA-HUB-REFUSED' },
    },
  ]);
  expect(counts['amqp:unauthorized-access']).toBeGreaterThanOrEqual(5);
  expect(Object.keys(counts)).toEqual(['amqp:unauthorized-access']);
  expect(progress.stalls().map(({ reason }) => reason)).toEqual([
    'hub health of source hubs has not been read for 31 s: its key or role is refused (amqp:unauthorized-access)',
  ]);
  answer = undefined;
  await until('the end of the outage', () => hub.doubtful, false);
  expect([hub.refused, progress.outages()]).toEqual([false, []]);
  expect(logger.lines.at(-1)).toMatchObject({ level: 'info', event: 'hub can be read again' });
  expect(JSON.stringify(logger.lines)).not.toContain('planted');
});

test('an unreachable hub causes an outage but not a refusal, and the outage ends when a link works', async () => {
  answer = failed('ECONNREFUSED');
  hub.doubt(NOW);
  await probedAgain(2);
  expect([hub.refused, hub.doubtful]).toEqual([false, true]);
  expect(progress.outages()).toMatchObject([{ reason: 'its namespace does not answer (ECONNREFUSED)' }]);
  hub.heard();
  expect(progress.outages()).toEqual([]);
  const before = probes;
  // The pause between probes is 5 ms.
  await sleep(40);
  expect(probes).toBe(before);
});

test('an outage whose cause changes is logged again and keeps its start time', async () => {
  answer = failed('ECONNREFUSED');
  hub.doubt(1000);
  await probedAgain(1);
  answer = failed('UnauthorizedError');
  await probedAgain(2);
  expect(warnings().map(({ fields }) => fields.code)).toEqual(['AORTA-HUB-UNREACHABLE', 'AORTA-HUB-REFUSED']);
  expect(progress.outages()).toMatchObject([{ since: 1000, reason: expect.stringContaining('refused') }]);
});

test('doubt() causes no outage if the probe succeeds, and losing a link to another worker causes no probe', async () => {
  hub.doubt(NOW);
  await until('the end of the probe', () => hub.doubtful, false);
  expect([probes, logger.lines]).toEqual([1, []]);
  hub.failed(failed('ReceiverDisconnectedError'), NOW);
  expect([probes, counts]).toEqual([1, {}]);
});

test('admitted() resolves with the probed hub, or with undefined if the signal aborts first', async () => {
  answer = failed('UnauthorizedError');
  const admitted = hub.admitted();
  await probedAgain(2);
  expect(hub.refused).toBe(true);
  answer = undefined;
  expect(await admitted).toBe(probed);
  answer = failed('UnauthorizedError');
  const never = hub.admitted();
  await probedAgain(1);
  stopping.abort();
  expect(await never).toBeUndefined();
  expect(progress.outages()).toEqual([]);
});

test.each(clockChanges)('if the system clock is %s, no working partition causes a probe, and a silent one does', (_, jump) => {
  const moved = moveClocks();
  const doubts: number[] = [];
  const { health, clock } = watchedPartition(5, { doubt: () => void doubts.push(clock.now) });
  moved.set(jump);
  clock.now = 9_999;
  health.check();
  expect(doubts).toEqual([]);
  clock.now = 10_000;
  health.check();
  expect(doubts).toEqual([10_000]);
});

const limits = { stalledMs: 10_000, heardEveryMs: 2000, reopenings: 2 };

/** A partition whose next expected sequence number is `next`, with a clock that the test sets. Its hub never answers requests. */
function watchedPartition(next: number, hub: Partial<HubHealth> = {}) {
  const clock = { now: 0 };
  const lane: Record<string, unknown> = {};
  const logger = keepingLogger();
  const note = (news: object): void => void Object.assign(lane, news);
  const health = new PartitionHealth({
    names: { hub: 'health', partition: '0' },
    hub: Object.assign(hub, { refused: false, failing: false, doubtful: false, doubt: () => {}, failed: () => {}, ...hub }),
    limits,
    bounds: () => new Promise(() => {}),
    askEveryMs: 3000,
    lane: { report: note, note, end: () => {} },
    logger,
    clock: () => clock.now,
  });
  health.located(next);
  return { health, clock, lane, logger };
}

/** Runs `before` and a check every half second. Returns all verdicts other than `well`. */
function watch(
  { health, clock }: ReturnType<typeof watchedPartition>,
  from: number,
  to: number,
  before: (now: number) => void,
): [number, Verdict][] {
  const verdicts: [number, Verdict][] = [];
  for (clock.now = from; clock.now <= to; clock.now += 500) {
    before(clock.now);
    const verdict = health.check();
    if (verdict !== 'well') verdicts.push([clock.now, verdict]);
  }
  return verdicts;
}

describe('a watched partition', () => {
  test('the decision stays `well` for hours without events as long as the client calls the handler', () => {
    const partition = watchedPartition(5);
    const { health } = partition;
    const decided = watch(partition, 0, 3_600_000, (now) => {
      if (now % 1000 === 0) health.heard(5, { state: 'reading' });
      if (now % 3000 === 0) health.logEnds(5);
    });
    expect(decided).toEqual([]);
  });

  test('a working link that goes silent is reopened, and the new link has `stalledMs` to connect', () => {
    const partition = watchedPartition(5);
    const { health } = partition;
    const decided = watch(partition, 0, 30_000, (now) => {
      if (now <= 5000) health.heard(5, { state: 'reading' });
    });
    expect(decided).toEqual([
      [7000, 'reopen'],
      [17_000, 'reopen'],
      [27_000, 'reopen'],
    ]);
  });

  test('if events in the log do not arrive, the link is reopened twice, and then the process is restarted', () => {
    const partition = watchedPartition(5);
    const { health } = partition;
    const decided = watch(partition, 0, 33_000, (now) => {
      health.heard(5, { state: 'reading' });
      if (now % 3000 === 0) health.logEnds(now < 3000 ? 5 : 9);
    });
    expect(decided).toEqual([
      [13_000, 'reopen'],
      [23_000, 'reopen'],
      [33_000, 'restart'],
    ]);
    expect(health.behind).toBe(4);
  });

  test('an unreachable hub does not cause a restart of the process', () => {
    const partition = watchedPartition(5);
    const { health } = partition;
    health.logEnds(9);
    const decided = watch(partition, 0, 60_000, () => {});
    expect(new Set(decided.map(([, verdict]) => verdict))).toEqual(new Set(['reopen']));
    expect(decided.length).toBeGreaterThan(3);
  });

  test('the decision is `well` while the link waits for this process, and for `heardEveryMs` afterwards', () => {
    const partition = watchedPartition(5);
    const { health } = partition;
    health.heard(5, { state: 'reading' });
    health.logEnds(100);
    health.pause();
    expect(watch(partition, 0, 100_000, () => {})).toEqual([]);
    partition.clock.now = 100_000;
    health.resume();
    expect(watch(partition, 100_500, 101_500, () => {})).toEqual([]);
    expect(watch(partition, 102_000, 102_000, () => {})).toEqual([[102_000, 'reopen']]);
  });

  test('the decision is `well` if no check ran for a while', () => {
    const { health, clock } = watchedPartition(5);
    health.heard(5, { state: 'reading' });
    for (clock.now of [500, 60_000, 60_500]) expect(health.check()).toBe('well');
  });

  test('during an outage, the link is reopened, and after the outage it has `stalledMs` before the process is restarted', () => {
    const hub = { failing: true, doubtful: true };
    const partition = watchedPartition(5, hub);
    const { health, lane, logger } = partition;
    const answering = (): void => {
      health.heard(5, { state: 'reading' });
      health.logEnds(9);
    };
    expect(watch(partition, 0, 41_000, answering)).toEqual([
      [10_000, 'reopen'],
      [20_000, 'reopen'],
      [30_000, 'reopen'],
      [40_000, 'reopen'],
    ]);
    expect(lane).toEqual({ state: 'reading', end: 9 });
    expect(new Set(logger.lines.map(({ level, event }) => `${level}: ${event}`))).toEqual(
      new Set(['debug: silent partition reopened']),
    );
    hub.failing = false;
    hub.doubtful = false;
    expect(watch(partition, 41_500, 50_000, answering)).toEqual([[50_000, 'restart']]);
  });

  test('while a probe runs, the process is not restarted', () => {
    const hub = { doubtful: false };
    const partition = watchedPartition(5, hub);
    const answering = (now: number): void => {
      partition.health.heard(5, { state: 'reading' });
      partition.health.logEnds(9);
      hub.doubtful = now >= 30_000 && now < 33_000;
    };
    expect(watch(partition, 0, 33_000, answering)).toEqual([
      [10_000, 'reopen'],
      [20_000, 'reopen'],
      [33_000, 'restart'],
    ]);
  });

  test('a partition whose position is unknown is neither reopened nor a reason to restart the process', () => {
    const partition = watchedPartition(5);
    const { health } = partition;
    health.logEnds(9);
    health.lostPosition();
    expect(watch(partition, 0, 60_000, () => health.logEnds(9))).toEqual([]);
    health.located(5);
    expect(watch(partition, 60_500, 70_500, () => health.logEnds(9))).toEqual([[70_500, 'reopen']]);
  });

  test('an event resets the count of reopenings', () => {
    const partition = watchedPartition(0);
    const { health } = partition;
    let next = 0;
    const decided = watch(partition, 0, 200_000, (now) => {
      // Each newly opened link delivers a single event.
      if (now % 15_000 === 0) next += 1;
      health.heard(next, { state: 'reading' });
      if (now % 3000 === 0) health.logEnds(1000);
    });
    expect(decided.length).toBeGreaterThan(5);
    expect(decided.filter(([, verdict]) => verdict === 'restart')).toEqual([]);
  });
});

test('unexpected silence is detected within the limit plus one check interval, in any sequence of events', () => {
  // What can happen to a partition within a second.
  const second = fc.record({
    heard: fc.boolean(),
    event: fc.boolean(),
    ahead: fc.nat(3),
    asked: fc.boolean(),
    paused: fc.constantFrom('pause', 'resume', undefined, undefined, undefined),
  });
  let answered = 0;
  fc.assert(
    fc.property(fc.array(second, { minLength: 30, maxLength: 90 }), (life) => {
      const { health, clock } = watchedPartition(0);
      let paused = false;
      let [next, end] = [0, 0];
      let owedSince: number | undefined;
      for (const [index, happens] of life.entries()) {
        clock.now = index * 1000;
        end += happens.ahead;
        if (happens.paused !== undefined) paused = happens.paused === 'pause';
        if (happens.paused === 'pause') health.pause();
        if (happens.paused === 'resume') health.resume();
        const moved = happens.heard && happens.event && next < end;
        if (moved) next += 1;
        if (happens.heard) health.heard(next, { state: 'reading' });
        if (happens.asked) health.logEnds(end);
        const owed = !paused && health.behind > 0 && !moved;
        owedSince = owed ? (owedSince ?? clock.now) : undefined;
        const verdict = health.check();
        if (verdict !== 'well') {
          answered += 1;
          owedSince = undefined;
        }
        if (owedSince !== undefined) expect(clock.now - owedSince).toBeLessThanOrEqual(limits.stalledMs + 1000);
      }
    }),
  );
  expect(answered).toBeGreaterThan(100);
});
