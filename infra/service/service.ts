import type { Operation } from './api/operation.ts';
import { type ServedApi, serveApi } from './api/server.ts';
import { connectionOperations } from './connections/connection-operations.ts';
import { Connections } from './connections/connections.ts';
import { deviceOperations } from './data/device-operations.ts';
import { Ingestion } from './data/ingestion.ts';
import { LiveFeed } from './data/live-feed.ts';
import { refreshOperation } from './data/refresh-operation.ts';
import { summaryOperations } from './data/summary-operations.ts';
import { timeseriesOperations } from './data/timeseries-operations.ts';
import { Wearers } from './data/wearers.ts';
import { sendOverAmqp } from './etl/hub-sender.ts';
import { Pipelines, type SendToHubs } from './etl/pipelines.ts';
import { Outbox } from './events/outbox.ts';
import { bulkOperations } from './pulls/bulk-operations.ts';
import { HistoricalPulls } from './pulls/historical-pulls.ts';
import { introspectionOperations } from './pulls/introspection-operations.ts';
import type { Past } from './pulls/past-data.ts';
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
  /** Seed of the generated data. Default: 1. */
  readonly seed?: number;
  /** Most samples of a page. Default: 5000. */
  readonly pageSize?: number;
  /** Returns what providers have from before a connection. Default: generated data. */
  readonly past?: Past;
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
  readonly ingestion: Ingestion;
  readonly pulls: HistoricalPulls;
  readonly operations: readonly Operation[];
  readonly #database: Database;

  constructor({
    path = ':memory:',
    start = Date.now(),
    runs = true,
    send = sendOverHttp,
    sendToHubs = sendOverAmqp,
    seed = 1,
    pageSize,
    past,
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
      const isDelivered = this.deliveries.plan(event);
      return this.pipelines.plan(event) || isDelivered;
    });
    this.connections = new Connections(state, this.outbox);
    // Undoing the deletion of a user does not restore the connections.
    this.users.onDeletion((user) => this.connections.deregisterAll(user));
    this.ingestion = new Ingestion(state, this.teams, this.outbox);
    const { users, connections, outbox, ingestion } = this;
    const wearers = new Wearers(seed);
    this.pulls = new HistoricalPulls(state, {
      ...{ users, connections, outbox },
      past: past ?? ((...asked) => wearers.past(...asked)),
      take: (...given) => ingestion.take(...given),
    });
    const feed = new LiveFeed(state, { users, connections, ingestion, data: wearers });
    connections.listen({
      made: (user, connection) => {
        feed.begin(user, connection);
        this.pulls.connected(user, connection);
      },
      broken: (user, connection) => {
        ingestion.counts.failed(user.user_id, connection.provider);
        this.pulls.broken(connection);
      },
    });
    this.operations = [
      ...userOperations(users, connections),
      ...connectionOperations(users, connections),
      ...deviceOperations(users, ingestion),
      refreshOperation(state, {
        users,
        connections,
        feed,
        isPulling: ({ user_id, provider }, resource) => this.pulls.isRunning(user_id, provider, resource),
      }),
      ...summaryOperations(users, ingestion),
      ...timeseriesOperations(users, ingestion, pageSize),
      ...introspectionOperations(this.#database, connections, this.pulls.store),
      ...bulkOperations(this.pulls),
    ];
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
