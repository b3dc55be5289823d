import { Authentication } from './api/authentication.ts';
import { refusePages } from './api/errors.ts';
import type { Operation } from './api/operation.ts';
import { limitRequests, type RateLimit, RateLimits } from './api/rate-limit.ts';
import { createApi, dateAnswers, type ServedApi, serveApi } from './api/server.ts';
import { connectionOperations } from './connections/connection-operations.ts';
import { Connections } from './connections/connections.ts';
import { deviceOperations } from './data/device-operations.ts';
import { Ingestion } from './data/ingestion.ts';
import { LiveFeed } from './data/live-feed.ts';
import { refreshOperation } from './data/refresh-operation.ts';
import { summaryOperations } from './data/summary-operations.ts';
import { timeseriesOperations } from './data/timeseries-operations.ts';
import { Wearers } from './data/wearers.ts';
import { DeliveryCounts } from './delivery/counts.ts';
import { DeliveryQueue } from './delivery/queue.ts';
import { HubClients } from './etl/hub-clients.ts';
import type { SendToHub } from './etl/hubs.ts';
import { Pipelines } from './etl/pipelines.ts';
import { Outbox, Retention } from './events/outbox.ts';
import { FaultRules } from './faults/fault-rules.ts';
import { actOnRequests } from './faults/request-faults.ts';
import { catalogueOperations } from './labs/catalogue-operations.ts';
import { managementOperations } from './management/operations.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { serveDocument } from './openapi/pages.ts';
import { LabOrders } from './orders/lab-orders.ts';
import { HistoricalPulls } from './pulls/historical-pulls.ts';
import type { Past } from './pulls/pull.ts';
import { bulkOperations, introspectionOperations } from './pulls/pull-operations.ts';
import { ParsingJobs } from './reports/parsing-jobs.ts';
import { reportOperations } from './reports/report-operations.ts';
import { logRequests, RequestLog } from './requests/request-log.ts';
import { reviewOperations } from './reviews/review-operations.ts';
import { MatchReviews } from './reviews/reviews.ts';
import { runOperations } from './reviews/run-operations.ts';
import { SandboxRuns } from './reviews/sandbox-runs.ts';
import { openState, type State } from './state.ts';
import { Database } from './storage/database.ts';
import { Snapshots } from './storage/snapshots.ts';
import { ManagementKeys } from './teams/management-keys.ts';
import { Organizations } from './teams/organizations.ts';
import { AccessTokens } from './teams/team-keys.ts';
import { TeamPreferences } from './teams/team-preferences.ts';
import { Teams } from './teams/teams.ts';
import type { Clock } from './time/clock.ts';
import type { Jobs } from './time/jobs.ts';
import { userOperations } from './users/user-operations.ts';
import { Users } from './users/users.ts';
import type { Versions } from './versions/versions.ts';
import { Attempts, type Send, tellExhausted } from './webhooks/attempts.ts';
import { Deliveries } from './webhooks/deliveries.ts';
import { Endpoints } from './webhooks/endpoints.ts';
import { httpSender } from './webhooks/http-sender.ts';

export interface ServiceOptions {
  /** SQLite file with the state. Default: memory. */
  readonly path?: string;
  /** Virtual time of a new database, in milliseconds since 1970. Default: the machine's time. */
  readonly start?: number;
  /** Whether the clock of a new database moves by itself. Default: true. */
  readonly runs?: boolean;
  /** Seed of a new database: equal calls give equal answers, ids and keys. Default: random. */
  readonly seed?: number;
  /** Key of 32 bytes, in base64, that encrypts secrets in the state. Default: one in a file beside `path`, or a random one. */
  readonly secretKey?: string;
  /** Folder of the snapshots. Default: beside the file; a temporary folder for a state in memory. */
  readonly snapshots?: string;
  /** Sends a webhook. Default: over HTTP. */
  readonly send?: Send;
  /** Whether webhooks may go to link-local addresses, where cloud machines get their credentials. Default: false. */
  readonly allowLinkLocal?: boolean | undefined;
  /** Sends events to a hub. Default: with the official client. */
  readonly sendToHub?: SendToHub;
  /** Most samples of a page. Default: 5000. */
  readonly pageSize?: number;
  /** Most requests of each key. Default: no limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** Returns what providers have from before a connection. Default: generated data. */
  readonly past?: Past;
}

/** Version of the API in its OpenAPI document. */
const VERSION = '0.1.0';

/** The whole service without its ports. */
export class Service {
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly versions: Versions;
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly managementKeys: ManagementKeys;
  readonly preferences: TeamPreferences;
  readonly authentication: Authentication;
  readonly users: Users;
  readonly connections: Connections;
  readonly outbox: Outbox;
  readonly retention: Retention;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly pipelines: Pipelines;
  readonly deliveryCounts: DeliveryCounts;
  readonly ingestion: Ingestion;
  readonly pulls: HistoricalPulls;
  readonly labs: LabOrders;
  readonly reports: ParsingJobs;
  readonly reviews: MatchReviews;
  readonly faults: FaultRules;
  readonly requests = new RequestLog();
  readonly limits: RateLimits;
  readonly snapshots: Snapshots;
  readonly operations: readonly Operation[];
  readonly #database: Database;
  readonly #hubs = new HubClients();

  /** Throws a {@link StateError} if the file is not a state, or if an option contradicts the state in it. */
  constructor({
    path = ':memory:',
    start,
    runs,
    seed,
    secretKey,
    snapshots = path === ':memory:' ? undefined : `${path}.snapshots`,
    send,
    allowLinkLocal,
    sendToHub,
    pageSize,
    rateLimit,
    past,
  }: ServiceOptions = {}) {
    this.#database = Database.open(path);
    let state: State;
    try {
      const keyFile = path === ':memory:' ? undefined : `${path}.key`;
      state = openState(this.#database, { start, runs, seed, secretKey, keyFile });
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.clock = state.clock;
    this.jobs = state.jobs;
    this.versions = state.versions;
    this.snapshots = new Snapshots(state, snapshots);
    this.faults = new FaultRules(state);
    this.limits = new RateLimits(rateLimit);
    this.organizations = new Organizations(state);
    this.teams = new Teams(state, this.organizations);
    this.managementKeys = new ManagementKeys(state);
    this.preferences = new TeamPreferences(state);
    const tokens = new AccessTokens(state);
    const { teams, managementKeys } = this;
    this.authentication = new Authentication({ teams, managementKeys, tokens, versions: state.versions });
    this.users = new Users(state);
    this.endpoints = new Endpoints(state, { allowLinkLocal });
    const queue = new DeliveryQueue(this.#database);
    this.deliveryCounts = new DeliveryCounts(state);
    const { endpoints, faults, deliveryCounts: counts } = this;
    new Attempts(state, {
      queue,
      endpoints,
      faults,
      counts,
      send: send ?? httpSender({ allowLinkLocal, checked: (id, isRefused) => endpoints.checked(id, isRefused) }),
      exhausted: (delivery) => tellExhausted(this.outbox, delivery),
    });
    this.deliveries = new Deliveries(state, endpoints, queue);
    this.pipelines = new Pipelines(state, { queue, faults, counts, send: sendToHub ?? this.#hubs.send });
    this.retention = new Retention(state);
    this.outbox = new Outbox(state, this.retention, (facts) =>
      this.pipelines.recipientsOf(facts, (told) => this.deliveries.recipientsOf(told)),
    );
    this.connections = new Connections(state, this.outbox);
    // Undoing the deletion of a user does not restore the connections.
    this.users.onDeletion((user) => this.connections.deregisterAll(user));
    this.ingestion = new Ingestion(state, this.teams, this.outbox);
    const { users, connections, outbox, ingestion } = this;
    const wearers = new Wearers();
    this.pulls = new HistoricalPulls(state, {
      users,
      connections,
      outbox,
      preferences: this.preferences.pulls,
      past: past ?? ((...asked) => wearers.past(...asked)),
      take: (...given) => ingestion.take(...given),
    });
    this.reports = new ParsingJobs(state, { users, outbox });
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
    this.labs = new LabOrders(state, { users, outbox, teams: this.teams });
    this.reviews = new MatchReviews(state, { users, outbox, labs: this.labs });
    const { labs, reviews } = this;
    const sandboxRuns = new SandboxRuns(state, { users, labs, reviews });
    this.operations = [
      ...userOperations(users, connections),
      ...connectionOperations(users, connections, (team) => this.labs.orders.count(team)),
      ...deviceOperations(users, ingestion),
      refreshOperation(state, {
        users,
        connections,
        feed,
        isPulling: ({ user_id, provider }, resource) => this.pulls.isRunning(user_id, provider, resource),
      }),
      ...summaryOperations(users, ingestion),
      ...timeseriesOperations(state.cursors, users, ingestion, pageSize),
      ...introspectionOperations(state, { connections, counts: ingestion.counts, pulls: this.pulls.store }),
      ...bulkOperations(this.pulls),
      ...catalogueOperations(state.cursors, this.labs.sets),
      ...this.labs.operations(),
      ...reportOperations(users, this.reports),
      ...reviewOperations(state, { reviews, orderForm: (order) => labs.form(order) }),
      ...runOperations(state, sandboxRuns),
      ...managementOperations(this, state, tokens),
    ];
  }

  /** Serves the API of the teams with its documentation, and begins to do jobs. */
  async serve({
    allowedHosts,
    ...address
  }: {
    readonly host?: string;
    readonly port?: number;
    /** Names that requests may have in `Host` and `Origin`, besides those of this machine. */
    readonly allowedHosts?: readonly string[] | undefined;
  } = {}): Promise<ServedApi> {
    const app = createApi(this.operations, this.authentication, (made) => {
      refusePages(made, allowedHosts);
      logRequests(made, this);
      dateAnswers(made, this.clock);
      limitRequests(made, this);
      actOnRequests(made, this);
    });
    await serveDocument(app, () => openApiDocument(this.operations, VERSION));
    this.labs.serveForms(app);
    const served = await serveApi(app, address);
    this.labs.urls.base = served.url;
    this.jobs.wake();
    return served;
  }

  /** Makes all changes of `change`, or none if it throws. */
  atomically<Result>(change: () => Result): Result {
    return this.#database.transaction(change);
  }

  async close(): Promise<void> {
    await this.jobs.close();
    await this.#hubs.close();
    this.snapshots.close();
    this.#database.close();
  }
}
