import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventHubsProcess } from '@aorta/event-hubs-server';
import { expect } from 'vitest';
import { askJson } from '../../reference-service/control.ts';
import { orderLabTests } from '../../reference-service/lab-orders.ts';
import { loadEverything } from '../../reference-service/load-everything.ts';
import { Answers } from '../../reference-service/record/answers.ts';
import { addRareUser } from '../../reference-service/record/rare-data.ts';
import { type ServiceRecord, serviceRecord } from '../../reference-service/record/record.ts';
import { Receiver } from '../webhook/receiver.ts';
import { endpoint } from './endpoint.ts';
import type { Kill } from './kill-plan.ts';
import { isAlive, killed } from './killed.ts';
import { ServiceProcess } from './service-process.ts';

const HOUR_MS = 3_600_000;
/** Virtual time after which every interrupted webhook has been retried often enough, in hours. */
const RETRIES_HOURS = 20;

/** The providers of the users' demo connections, one for each user. */
const wearing = ['oura', 'fitbit'];

/** Resources that demo connections lack, or generate for some seeds only. */
const rare = [
  'blood_pressure',
  'body',
  'electrocardiogram',
  'insulin_injection',
  'meal',
  'menstrual_cycle',
  'note',
  'sleep_cycle',
  'workouts',
];

interface Parts {
  readonly folder: string;
  readonly hubs: EventHubsProcess;
  readonly hub: string;
  readonly other: Awaited<ReturnType<typeof endpoint>>;
  readonly service: ServiceProcess;
  readonly receiver: Receiver;
  readonly team: string;
  readonly key: string;
}

/**
 * The service and `aorta run`, each in a process that can be killed, with an Event Hubs server and a webhook between them. A
 * second endpoint shows what the service sends.
 */
export class Stage {
  readonly folder: string;
  readonly service: ServiceProcess;
  readonly team: string;
  /** The events that the second endpoint has received, by message id. */
  readonly received: Parts['other']['events'];
  /** How many kills interrupted a move of the clock. */
  interrupted = 0;
  readonly #parts: Parts;
  #aorta: ChildProcess | undefined;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.folder = parts.folder;
    this.service = parts.service;
    this.team = parts.team;
    this.received = parts.other.events;
  }

  /** Starts both processes. `hub` is a hub of the server that nobody else uses. */
  static async open(seed: number, hubs: EventHubsProcess, hub: string): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'aorta-reference-'));
    const other = await endpoint();
    // Its clock starts at real time, because hubs stamp real time. Aorta recognizes copies that lie less than 48 hours apart.
    const service = await ServiceProcess.create(folder, seed);
    await service.start();
    const made = { name: 'first', partial_webhooks_enabled: true };
    const { team_id, api_key } = (await service.steer('/teams', made)) as Record<string, string>;
    const [team, key] = [team_id!, api_key!];
    const source = `{ type: event-hubs, connection: "${hubs.connectionString}", hubs: [${hub}], claim_s: 0.2, claim_expiry_s: 1 }`;
    const more = `service: { base_url: "${service.url}", key: ${key} }\nhistorical_pulls: {}`;
    const receiver = await Receiver.create(folder, [source], more);
    const stage = new Stage({ folder, hubs, hub, other, service, receiver, team, key });
    await stage.#configure();
    await stage.#startAorta();
    return stage;
  }

  async #configure(): Promise<void> {
    const { service, hubs, hub, receiver, other, team, key } = this.#parts;
    await service.steer(`/pipelines/${team}`, {
      push_historical_data: true,
      azure_amqp: { connection_string: hubs.connectionString, default_event_hub: hub },
    });
    const { url, secret } = receiver.service;
    await service.steer('/webhooks', { team_id: team, url, secret });
    await service.steer('/webhooks', { team_id: team, url: other.url });
    await service.steer('/pulls/script', {
      provider: 'oura',
      resource: 'sleep',
      outcomes: [{ kind: 'rate_limit', attempts: 2 }, { kind: 'transport_failure' }],
    });
    await service.steer('/pulls/script', { provider: 'oura', resource: 'hrv', outcomes: [{ kind: 'unexpected_error' }] });
    const ask = (path: string, body?: object) => askJson(`${service.url}${path}`, { body, key });
    const steer = (path: string, body?: object) => service.steer(path, body);
    for (const [number, provider] of wearing.entries()) {
      const { user_id } = await ask('/v2/user', { client_user_id: `c-${number}` });
      await ask('/v2/link/connect/demo', { user_id, provider });
      if (number === 0) await orderLabTests(String(user_id), ask, steer);
    }
    await addRareUser(ask, steer, rare);
  }

  async #startAorta(): Promise<void> {
    this.#aorta = await this.#parts.receiver.startSupervised();
  }

  /** Kills the supervisor and its worker. */
  #killAorta(): Promise<void> {
    return killed('aorta run', this.#aorta!, true);
  }

  /** Returns what the service has, according to its API. */
  record(): Promise<ServiceRecord> {
    return serviceRecord(new Answers(this.service.url, this.#parts.key));
  }

  /** Returns how many events the hub holds, including those that were sent again. */
  async eventsInHub(): Promise<number> {
    const { hubs } = await this.#parts.hubs.faults.state();
    const { partitions } = hubs.find(({ name }) => name === this.#parts.hub)!;
    return partitions.reduce((sum, { last }) => sum + last + 1, 0);
  }

  /** Moves the clock, and kills processes while the service works. Then starts them again. */
  async play({ victims, hours, afterMessages, afterMs }: Kill): Promise<void> {
    const { service } = this;
    const end = (await service.now()) + hours * HOUR_MS;
    const arrived = this.#parts.other.arrived(afterMessages);
    let isDone = false;
    const advancing = service.advanceTo(end).then(() => {
      isDone = true;
    });
    const ended = victims.includes('service') ? advancing.catch(() => {}) : advancing;
    await Promise.race([arrived, ended]);
    await sleep(afterMs);
    if (!isDone) this.interrupted += 1;
    await Promise.all([
      victims.includes('service') ? service.kill() : undefined,
      victims.includes('aorta') ? this.#killAorta() : undefined,
    ]);
    await ended;
    await Promise.all([
      victims.includes('service') ? service.start() : undefined,
      victims.includes('aorta') ? this.#startAorta() : undefined,
    ]);
  }

  /** Lets the service deliver the rest, and then lets Aorta load everything. */
  async settle(): Promise<void> {
    await this.service.advanceTo((await this.service.now()) + RETRIES_HOURS * HOUR_MS);
    const exited = once(this.#aorta!, 'exit');
    this.#aorta!.kill('SIGTERM');
    expect(await exited, this.log()).toEqual([0, null]);
    await loadEverything(this.folder);
  }

  /** Returns the end of Aorta's log. */
  log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8').slice(-8000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.stop();
    if (this.#aorta !== undefined && isAlive(this.#aorta)) await this.#killAorta();
    this.#parts.other.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
