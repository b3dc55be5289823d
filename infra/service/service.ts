import type { Operation } from './api/operation.ts';
import { type ServedApi, serveApi } from './api/server.ts';
import { connectionOperations } from './connections/connection-operations.ts';
import { Connections } from './connections/connections.ts';
import { sendOverAmqp } from './etl/hub-sender.ts';
import { Pipelines, type SendToHubs } from './etl/pipelines.ts';
import { Outbox } from './events/outbox.ts';
import { Database } from './storage/database.ts';
import { Teams } from './teams/teams.ts';
import { Clock } from './time/clock.ts';
import { Jobs } from './time/jobs.ts';
import { userOperations } from './users/user-operations.ts';
import { Users } from './users/users.ts';
import { Deliveries, type Send } from './webhooks/deliveries.ts';
import { Endpoints } from './webhooks/endpoints.ts';
import { sendOverHttp } from './webhooks/send.ts';

export interface ServiceOptions {
  /** SQLite file with the state. Default: memory. */
  readonly path?: string;
  /** Virtual time of a new database, in milliseconds since 1970. Default: the machine's time. */
  readonly start?: number;
  /** Whether the clock of a new database moves by itself. Default: true. */
  readonly runs?: boolean;
  /** Sends a webhook. Default: over HTTP. */
  readonly send?: Send;
  /** Sends events to hubs. Default: with the official client. */
  readonly sendToHubs?: SendToHubs;
}

/** The whole service without its ports. */
export class Service {
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly teams: Teams;
  readonly users: Users;
  readonly connections: Connections;
  readonly outbox: Outbox;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly pipelines: Pipelines;
  readonly operations: readonly Operation[];
  readonly #database: Database;

  constructor({
    path = ':memory:',
    start = Date.now(),
    runs = true,
    send = sendOverHttp,
    sendToHubs = sendOverAmqp,
  }: ServiceOptions = {}) {
    this.#database = Database.open(path);
    this.clock = new Clock(this.#database, { start, runs });
    this.jobs = new Jobs(this.#database, this.clock);
    const state = { database: this.#database, clock: this.clock, jobs: this.jobs };
    this.teams = new Teams(state);
    this.users = new Users(state);
    this.endpoints = new Endpoints(state);
    this.deliveries = new Deliveries(state, this.endpoints, send);
    this.pipelines = new Pipelines(state, sendToHubs);
    this.outbox = new Outbox(state, (event) => {
      this.deliveries.plan(event);
      this.pipelines.plan(event.team_id);
    });
    this.connections = new Connections(state, this.outbox);
    this.operations = [...userOperations(this.users, this.connections), ...connectionOperations(this.users, this.connections)];
  }

  /** Serves the API of the teams, and begins to do jobs. */
  async serve(address: { readonly host?: string; readonly port?: number } = {}): Promise<ServedApi> {
    const served = await serveApi(this.operations, this.teams, address);
    this.jobs.start();
    return served;
  }

  async close(): Promise<void> {
    await this.jobs.close();
    this.#database.close();
  }
}
