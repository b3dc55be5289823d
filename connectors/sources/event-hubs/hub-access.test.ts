import { setTimeout as sleep } from 'node:timers/promises';
import { type Metrics, Progress, silentMetrics } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { keepingLogger } from './event-hubs.fixture.ts';
import { HubAccess } from './hub-access.ts';
import { setupError } from './hub-error.ts';
import type { ProbedHub } from './probe.ts';

/** The time of readiness in these tests, in milliseconds since 1970. */
const NOW = Date.UTC(2026, 2, 28);
const place = { namespace: 'ns', hub: 'health', group: 'g' };
const failed = (code: string) => Object.assign(new Error('SharedAccessKey=planted'), { name: 'MessagingError', code });
const probed: ProbedHub = { hub: 'health', partitions: new Map() };

let answer: unknown;
let probes: number;
let counts: Record<string, number>;
let progress: Progress;
let logger: ReturnType<typeof keepingLogger>;
let stopping: AbortController;
let access: HubAccess;

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
  access = new HubAccess({
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
  access.failed(answer, heardAt);
  await probedAgain(4);
  access.heard();
  expect(access.refused).toBe(true);
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
  await until('the end of the outage', () => access.doubtful, false);
  expect([access.refused, progress.outages()]).toEqual([false, []]);
  expect(logger.lines.at(-1)).toMatchObject({ level: 'info', event: 'hub can be read again' });
  expect(JSON.stringify(logger.lines)).not.toContain('planted');
});

test('an unreachable hub causes an outage but not a refusal, and the outage ends when a link works', async () => {
  answer = failed('ECONNREFUSED');
  access.doubt(NOW);
  await probedAgain(2);
  expect([access.refused, access.doubtful]).toEqual([false, true]);
  expect(progress.outages()).toMatchObject([{ reason: 'its namespace does not answer (ECONNREFUSED)' }]);
  access.heard();
  expect(progress.outages()).toEqual([]);
  const before = probes;
  // The pause between probes is 5 ms.
  await sleep(40);
  expect(probes).toBe(before);
});

test('an outage whose cause changes is logged again and keeps its start time', async () => {
  answer = failed('ECONNREFUSED');
  access.doubt(1000);
  await probedAgain(1);
  answer = failed('UnauthorizedError');
  await probedAgain(2);
  expect(warnings().map(({ fields }) => fields.code)).toEqual(['AORTA-HUB-UNREACHABLE', 'AORTA-HUB-REFUSED']);
  expect(progress.outages()).toMatchObject([{ since: 1000, reason: expect.stringContaining('refused') }]);
});

test('doubt() causes no outage if the probe succeeds, and losing a link to another worker causes no probe', async () => {
  access.doubt(NOW);
  await until('the end of the probe', () => access.doubtful, false);
  expect([probes, logger.lines]).toEqual([1, []]);
  access.failed(failed('ReceiverDisconnectedError'), NOW);
  expect([probes, counts]).toEqual([1, {}]);
});

test('admitted() resolves with the probed hub, or with undefined if the signal aborts first', async () => {
  answer = failed('UnauthorizedError');
  const admitted = access.admitted();
  await probedAgain(2);
  expect(access.refused).toBe(true);
  answer = undefined;
  expect(await admitted).toBe(probed);
  answer = failed('UnauthorizedError');
  const never = access.admitted();
  await probedAgain(1);
  stopping.abort();
  expect(await never).toBeUndefined();
  expect(progress.outages()).toEqual([]);
});
