import { type AortaError, Progress, silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockChanges } from '../../infra/machine/system-clock.fixture.ts';
import { ServiceAccess } from './access.ts';
import { ServiceError } from './errors.ts';

const host = 'api.example.com';
const operation = 'GET /v2/user';
const unreachable = new ServiceError('AORTA-SERVICE-UNREACHABLE', { host, operation, reason: 'no connection' });
const refusedKey = new ServiceError('AORTA-SERVICE-KEY', { host });
const busy = (status: number): AortaError => new ServiceError('AORTA-SERVICE-BUSY', { host, operation, status });
const gone = new ServiceError('AORTA-SERVICE-GONE', { host, operation });

const START = 1_000_000;
beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the milliseconds that the fake clock has advanced in this test. */
const elapsed = (): number => vi.getMockedSystemTime()!.getTime() - START;

function started() {
  const progress = new Progress();
  const probes: number[] = [];
  const warnings: string[] = [];
  let outcome: AortaError | undefined;
  const access: ServiceAccess = new ServiceAccess({
    host,
    progress,
    logger: { ...silentLogger, warn: (message: string) => void warnings.push(message) },
    probe: async () => {
      probes.push(elapsed());
      if (outcome === undefined) access.answered();
      else access.failed(outcome);
    },
  });
  return {
    access,
    probes,
    warnings,
    reasons: () => progress.stalls().map(({ reason }) => reason),
    next: (error: AortaError | undefined) => {
      outcome = error;
    },
  };
}

test('readiness turns red a minute after the first failure, even if the reason changes, and names the whole limit', async () => {
  const { access, reasons, next } = started();
  access.failed(unreachable);
  next(refusedKey);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(reasons()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reasons()).toEqual([
    expect.stringMatching(/has waited for 60 s \(limit 60 s\): the API at api\.example\.com rejects the API key$/),
  ]);
});

test.each(clockChanges)(
  'after the clock is %s, readiness turns red a minute after the first failure, and not earlier',
  async (_, jump) => {
    const { access, reasons, next } = started();
    access.failed(unreachable);
    next(unreachable);
    vi.setSystemTime(START + jump);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(reasons()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(reasons()).toHaveLength(1);
  },
);

test('an outage causes a probe every 15 s and a single warning', async () => {
  const { access, probes, warnings, reasons, next } = started();
  next(unreachable);
  access.failed(unreachable);
  access.failed(unreachable);
  await vi.advanceTimersByTimeAsync(75_000);
  expect(probes).toEqual([15_000, 30_000, 45_000, 60_000, 75_000]);
  expect([warnings.length, reasons().length]).toEqual([1, 1]);
  next(undefined);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(reasons()).toEqual([]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(probes).toHaveLength(6);
});

test.each([gone, busy(429), new ServiceError('AORTA-SERVICE-FORBIDDEN', { host, operation })])(
  'an outage ends when an error response shows that the service is reachable: $code',
  async (answer) => {
    const { access, probes, reasons } = started();
    access.failed(busy(503));
    access.failed(answer);
    await vi.advanceTimersByTimeAsync(120_000);
    expect([probes, reasons()]).toEqual([[], []]);
  },
);

test('a new outage causes one probe every 15 s, even if it begins during a probe of the previous outage', async () => {
  const began: number[] = [];
  const access = new ServiceAccess({
    host,
    progress: new Progress(),
    logger: silentLogger,
    probe: () => {
      began.push(elapsed());
      return new Promise((done) => setTimeout(done, 5_000));
    },
  });
  access.failed(unreachable);
  await vi.advanceTimersByTimeAsync(16_000);
  access.answered();
  access.failed(unreachable);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(began).toEqual([15_000, 35_000, 55_000]);
  access.close();
});

test('close() ends the outage and stops its probes', async () => {
  const { access, probes, reasons } = started();
  access.failed(unreachable);
  access.close();
  access.failed(unreachable);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([probes, reasons()]).toEqual([[], []]);
});
