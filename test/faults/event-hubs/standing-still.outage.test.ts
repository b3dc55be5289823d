import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { happensWithin, takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { aorta } from '../../e2e/command.ts';
import { HUB, Hubs } from './hubs.ts';
import { type HubMachine, Machines } from './workers.ts';

/** Tests faults that stop all reading from a hub. `/readyz` must be red and give the reason until the hub is repaired. */

const GROUP = 'aorta';
/** Maximum time from the fault to a red `/readyz`, in milliseconds. */
const RED_MS = 60_000;
/** Maximum time from the repair to a green `/readyz`, in milliseconds. */
const GREEN_MS = 30_000;

const timings: string[] = [];
afterAll(() => void process.stdout.write(`Readiness of a stalled source:\n${timings.map((one) => `  ${one}\n`).join('')}`));

interface Setup {
  readonly hubs: Hubs;
  readonly machine: HubMachine;
}

/** Runs a case with a worker that has read three events from each of two partitions and is ready. */
async function withWorker(act: (setup: Setup) => Promise<void>): Promise<void> {
  const hubs = await Hubs.start(2, [GROUP]);
  const machines = new Machines(hubs);
  try {
    const machine = machines.add({ consumer_group: GROUP });
    machine.start();
    await append(hubs, 3);
    await reads(machine, hubs);
    await turnsGreen(machine);
    await act({ hubs, machine });
  } finally {
    await machines.remove();
    await hubs.remove();
  }
}

async function append({ faults }: Hubs, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, at) => ({
    body: Buffer.from(JSON.stringify({ event_type: 'historical.data.sleep.created', user_id: 'u', data: { at } })).toString(
      'base64',
    ),
  }));
  for (const partition of ['0', '1']) await faults.append({ hub: HUB, partition, events });
}

/** Waits until the worker has read everything in the hub. */
async function reads(machine: HubMachine, hubs: Hubs): Promise<void> {
  const ends = await hubs.ends();
  const areRead = (positions: ReadonlyMap<string, number>): boolean =>
    [...ends].every(([name, end]) => (positions.get(name) ?? 0) >= end);
  await until(
    `the worker to read up to ${JSON.stringify([...ends])}`,
    () => machine.positions(),
    areRead,
    () => lastLines(machine),
  );
}

async function turnsGreen(machine: HubMachine): Promise<void> {
  await until(
    'readiness to turn green',
    async () => (await machine.readiness())?.ready,
    true,
    () => lastLines(machine),
  );
}

/** Whether readiness is red because the worker cannot read the hub. */
const isOutage = (machine: HubMachine) => async () => {
  const { ready, reasons } = (await machine.readiness()) ?? { ready: true, reasons: [] };
  return !ready && reasons[0]!.reason.startsWith(`hub ${HUB} of source event-hubs has not been read for`);
};

const lastLines = ({ lines }: HubMachine): string =>
  lines
    .slice(-12)
    .map((line) => JSON.stringify(line))
    .join('\n');

interface Fault {
  readonly named: string;
  readonly happens: (hubs: Hubs) => Promise<unknown>;
  readonly repair: (hubs: Hubs) => Promise<unknown>;
  /** Matches the condition that the log, the metric, `/readyz` and `aorta status` report. */
  readonly condition: RegExp;
  readonly code: string;
}

const faults: readonly Fault[] = [
  {
    named: 'the server is gone',
    happens: (hubs) => hubs.kill(),
    repair: (hubs) => hubs.startAgain(),
    condition: /^(ECONNREFUSED|ECONNRESET|OperationTimeoutError|TimeoutError)$/,
    code: 'AORTA-HUB-UNREACHABLE',
  },
  {
    named: 'the key is rotated',
    happens: ({ faults }) => faults.rotateKey({ key: 'another-key' }),
    repair: ({ faults }) => faults.rotateKey(),
    condition: /^amqp:unauthorized-access$/,
    code: 'AORTA-HUB-REFUSED',
  },
  {
    named: 'the role is removed',
    happens: ({ faults }) => faults.revokeListen(),
    repair: ({ faults }) => faults.grantListen(),
    condition: /^amqp:unauthorized-access$/,
    code: 'AORTA-HUB-REFUSED',
  },
  {
    named: 'the hub is deleted',
    happens: ({ faults }) => faults.deleteHub({ hub: HUB }),
    repair: ({ faults }) => faults.restoreHub({ hub: HUB }),
    condition: /^amqp:not-found$/,
    code: 'AORTA-HUB-MISSING',
  },
  {
    named: 'the consumer group is deleted',
    happens: ({ faults }) => faults.deleteGroup({ hub: HUB, group: GROUP }),
    repair: ({ faults }) => faults.createGroup({ hub: HUB, group: GROUP }),
    condition: /^amqp:not-found$/,
    code: 'AORTA-HUB-GROUP-MISSING',
  },
];

const SECRETS = ['aorta-on-this-machine-only', 'another-key', 'SharedAccessKey='];

describe.concurrent('a stalled hub', () => {
  for (const { named, happens, repair, condition, code } of faults) {
    test(`${named}: readiness turns red with the reason, and turns green after the repair without a restart`, () =>
      withWorker(async ({ hubs, machine }) => {
        await happens(hubs);
        const redMs = await happensWithin(RED_MS, 'red readiness, with the reason', isOutage(machine), () => lastLines(machine));
        const [stall, ...others] = (await machine.readiness())!.reasons;
        expect(others).toEqual([]);
        const metrics = await machine.metrics();
        expect(metrics).toContain('aorta_ready 0');

        // Waits long enough for two more attempts, which must not log more warnings.
        await sleep(20_000);
        const warnings = machine.said('hub cannot be read');
        expect(warnings.map((line) => [line.level, line.code, line.hub])).toEqual([[40, code, HUB]]);
        const said = String(warnings[0]!.condition);
        expect(said).toMatch(condition);
        expect(stall!.reason).toContain(said);
        const counted = (await machine.metrics()).match(
          new RegExp(`^aorta_source_refusals_total\\{source="event-hubs",condition="${said}"\\} (\\d+)$`, 'm'),
        );
        expect(Number(counted?.[1])).toBeGreaterThan(1);
        const status = await aorta(machine.folder, ['status']);
        expect(status.stdout).toMatch(new RegExp(`Source event-hubs: hub ${HUB} .*${said}`));

        await repair(hubs);
        const repairedAt = performance.now();
        const greenMs = await takesAtMost(GREEN_MS, 'reading again', async () => {
          await turnsGreen(machine);
          const ms = performance.now() - repairedAt;
          await append(hubs, 2);
          await reads(machine, hubs);
          return ms;
        });
        expect(machine.said('worker process crashed')).toEqual([]);
        expect(machine.said('worker process started')).toHaveLength(1);
        const everything = [JSON.stringify(machine.lines), metrics, status.stdout, stall!.reason].join('\n');
        for (const secret of SECRETS) expect(everything).not.toContain(secret);
        timings.push(`${named}: red after ${seconds(redMs)}, green ${seconds(greenMs)} after the repair`);
      }));
  }

  test('if a worker crashes while its key is refused, it restarts, waits, and resumes reading after the repair', () =>
    withWorker(async ({ hubs, machine }) => {
      await hubs.faults.rotateKey({ key: 'another-key' });
      const warned = (times: number) => async () => machine.said('hub cannot be read').length === times;
      await happensWithin(RED_MS, 'the warning', warned(1), () => lastLines(machine));
      machine.killWorker();
      await happensWithin(RED_MS, 'the warning of the next worker', warned(2), () => lastLines(machine));
      await happensWithin(RED_MS, 'red readiness, with the reason', isOutage(machine), () => lastLines(machine));
      await append(hubs, 2);
      await hubs.faults.rotateKey();
      await takesAtMost(GREEN_MS, 'turning green', () => turnsGreen(machine));
      await takesAtMost(GREEN_MS, 'reading again', () => reads(machine, hubs));
      expect(machine.said('worker process started')).toHaveLength(2);
    }));

  test('repeated restarts of the server, each shorter than the limit, do not turn readiness red', () =>
    withWorker(async ({ hubs, machine }) => {
      const seen: (boolean | undefined)[] = [];
      const watching = new AbortController();
      const watch = (async () => {
        while (!watching.signal.aborted) {
          seen.push((await machine.readiness())?.ready);
          await sleep(200);
        }
      })();
      for (let time = 0; time < 3; time++) {
        await hubs.away(12_000);
        await append(hubs, 1);
        await takesAtMost(GREEN_MS, 'reading again', () => reads(machine, hubs));
      }
      watching.abort();
      await watch;
      expect(seen.length).toBeGreaterThan(100);
      expect(seen.filter((ready) => ready !== true)).toEqual([]);
    }));

  test('a hub that was deleted and recreated ends the run with AORTA-HUB-CHECKPOINT', () =>
    withWorker(async ({ hubs, machine }) => {
      await hubs.faults.deleteHub({ hub: HUB });
      await happensWithin(
        RED_MS,
        'red readiness',
        async () => (await machine.readiness())?.ready === false,
        () => lastLines(machine),
      );
      await hubs.faults.restoreHub({ hub: HUB });
      await hubs.faults.recreate({ hub: HUB });
      const hasFailed = (): boolean => machine.lines.some((line) => line.code === 'AORTA-HUB-CHECKPOINT');
      await takesAtMost(GREEN_MS, 'the error', () => until('the error', hasFailed, true, () => lastLines(machine)));
    }));
});

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(0)} s`;
