import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '@aorta/service';
import { afterAll, describe, expect, test } from 'vitest';
import { happensWithin, takesAtMost } from '../../infra/machine/goal.fixture.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from '../e2e/command.ts';
import { Control } from '../reference-service/control.ts';
import { addTeam, serveTeam, type Team } from '../reference-service/team.ts';

/** Stops the service's API or rotates its key during `aorta run`. `/readyz` must give the reason until the API works again. */

const program = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const root = mkdtempSync(join(tmpdir(), 'aorta-service-away-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Readiness turns red a minute after the first failed call, which happens within five seconds. The rest is a margin. */
const RED_MS = 75_000;
const GREEN_MS = 30_000;

interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly { readonly reason: string }[];
}

class Running {
  readonly folder: string;
  readonly #child: ChildProcess;
  said = '';

  constructor(folder: string) {
    this.folder = folder;
    this.#child = spawn(process.execPath, [program, 'run'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
  }

  /** Returns the response from `/readyz`, or undefined if the process does not answer. */
  async readiness(): Promise<Readiness | undefined> {
    const port = /"port":(\d+)[^\n]*"health server started"/.exec(this.said)?.[1];
    if (port === undefined) return undefined;
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return (await answer?.json()) as Readiness | undefined;
  }

  async turnsGreen(): Promise<void> {
    await until(
      'readiness to turn green',
      async () => (await this.readiness())?.ready,
      true,
      () => this.said.slice(-2000),
    );
  }

  /** Waits until readiness is red. Returns how long this took, in milliseconds. */
  turnsRed(): Promise<number> {
    const isRed = async (): Promise<boolean> => (await this.readiness())?.ready === false;
    return happensWithin(RED_MS, 'red readiness', isRed, () => this.said.slice(-2000));
  }

  lines(message: string): Record<string, unknown>[] {
    const lines = this.said.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'close');
  }
}

function start(name: string, { url, key }: Pick<Team, 'url' | 'key'>): Running {
  const folder = join(root, name);
  mkdirSync(join(folder, 'incoming'), { recursive: true });
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `sources: [{ type: files, paths: [./incoming] }]
health: { port: 0 }
service:
  { base_url: "${url}", key: ${key}, key_header: x-vital-api-key, deadline_s: 2, deadline_total_s: 4,
    fetch: { users_s: 5, lab_catalogue_s: 0, completeness_s: 0, workout_streams: false, lab_results: false } }
`,
  );
  return new Running(folder);
}

describe.concurrent('aorta run while the service is unavailable', () => {
  test('readiness turns red and gives a reason a minute after the service goes down, and turns green after the service is back', async () => {
    const path = join(root, 'service.sqlite');
    const team = await serveTeam({ path });
    const port = Number(new URL(team.url).port);
    let service: AsyncDisposable | undefined = team;
    const stop = async (): Promise<void> => {
      await service?.[Symbol.asyncDispose]();
      service = undefined;
    };
    const running = start('away', team);
    try {
      await running.turnsGreen();
      await stop();
      const redMs = await running.turnsRed();
      expect(redMs).toBeGreaterThan(50_000);
      const { reasons } = (await running.readiness())!;
      expect(reasons.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/^service has waited for \d+ s \(limit 60 s\): the API at 127\.0\.0\.1:\d+ does not answer$/),
      ]);
      const status = await aorta(running.folder, ['status']);
      expect(status.stdout).toContain('does not answer');
      expect(running.lines('the service cannot be used')).toMatchObject([{ level: 40, code: 'AORTA-SERVICE-UNREACHABLE' }]);
      service = await startService({ path, port });
      await takesAtMost(GREEN_MS, 'turning green', () => running.turnsGreen());
      expect(running.lines('the service answers again')).toHaveLength(1);
    } finally {
      await running.stop();
      await stop();
    }
  });

  test('readiness turns red and gives a reason a minute after the key is rotated, and turns green after the key is restored', async () => {
    await using service = await startService();
    const control = new Control(service.controlUrl);
    await control.ask('/snapshots', { name: 'without-key' });
    const team = await addTeam(service.url, service.controlUrl);
    await control.ask('/snapshots', { name: 'with-key' });
    const running = start('rotated', team);
    try {
      await running.turnsGreen();
      await control.ask('/snapshots/without-key/restore', {});
      await running.turnsRed();
      const { reasons } = (await running.readiness())!;
      expect(reasons.map(({ reason }) => reason)).toEqual([expect.stringMatching(/rejects the API key$/)]);
      await control.ask('/snapshots/with-key/restore', {});
      await takesAtMost(GREEN_MS, 'turning green', () => running.turnsGreen());
      expect(running.said).not.toContain(team.key);
    } finally {
      await running.stop();
    }
  });

  test('readiness stays green if the service answers 503 for 20 s or 429 for 70 s', async () => {
    await using service = await serveTeam();
    const running = start('short', service);
    const seen = new Set<boolean>();
    try {
      await running.turnsGreen();
      const asks = { effect: { kind: 'status', status: 429, retry_after: { seconds: 1 } } };
      const away = { effect: { kind: 'status', status: 503 } };
      for (const [scene, seconds] of [
        [[away], 20],
        [[], 20],
        [[asks], 70],
      ] as const) {
        await service.control.plan(scene);
        for (let second = 0; second < seconds; second++) {
          seen.add((await running.readiness())!.ready);
          await sleep(1000);
        }
      }
      expect([...seen]).toEqual([true]);
      expect(new Set(service.requests().map(({ key_header }) => key_header))).toEqual(new Set(['x-vital-api-key']));
    } finally {
      await running.stop();
    }
  });
});
