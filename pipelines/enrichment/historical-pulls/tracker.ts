import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  addEvidence,
  compareEvidence,
  completionEvidence,
  connectionEvidence,
  type Evidence,
  foldPulls,
  type HistoricalPullTrack,
  type Pull,
  type PullHistory,
  pollEvidence,
  type StreamRecords,
  type SubjectEvidence,
  trackRecord,
} from '@aorta/schemas';

/** Streams that contain evidence of historical pulls. */
export const evidenceStreams = ['connections', 'historical_completions', 'introspection_polls'] as const;
export type EvidenceStream = (typeof evidenceStreams)[number];

/** The part of a user's state that determines when to call the service next. */
export interface UserStanding {
  /** Time of the last news about any pull that may still make progress, in microseconds since 1970; null if there is none. */
  readonly openNews: number | null;
  /** Whether introspection is needed to determine which pull was completed. */
  readonly unnamed: boolean;
  readonly gone: boolean;
  /** Time at which the service's last answer for the user was requested, in milliseconds since 1970; absent if there was none. */
  readonly askedAt?: number;
}

/** The newest pull of a resource that has new evidence. */
export interface PresentPull {
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
  readonly pull: Pull;
}

export interface Folded {
  /** Tracks with new evidence. */
  readonly tracks: readonly HistoricalPullTrack[];
  /** Users with new evidence. */
  readonly users: ReadonlyMap<string, UserStanding>;
  readonly present: readonly PresentPull[];
}

/** Evidence about a user's connection to a provider, and about each resource of the provider. */
interface ProviderEvidence {
  /** Evidence about the connection itself. It applies to all resources. */
  readonly connection: Evidence[];
  readonly resources: Map<string, Evidence[]>;
}

/** All evidence about a user's pulls. */
interface UserEvidence {
  /** Time assigned to the last answer as evidence. It increases with each answer, even if a clock jumps back. */
  lastAnswer: number;
  /** Latest request time and latest service time of all answers. A poll is a repetition if neither of its times is later. */
  lastAsked: number;
  lastServed: number;
  readonly providers: Map<string, ProviderEvidence>;
}

const NEVER = Number.NEGATIVE_INFINITY;

const noEvidence = (): UserEvidence => ({
  lastAnswer: NEVER,
  lastAsked: NEVER,
  lastServed: NEVER,
  providers: new Map(),
});

const kinds = [
  'connected',
  'connection_error',
  'expected',
  'unavailable',
  'not_pulled',
  'completed',
  'completed_partly',
  'told',
] as const satisfies readonly Evidence['kind'][];

type Packed = readonly [kind: number, at: number, ...rest: (string | number | null)[]];

function pack(evidence: Evidence): Packed {
  const kind = kinds.indexOf(evidence.kind);
  switch (evidence.kind) {
    case 'completed':
    case 'completed_partly':
      return [kind, evidence.at, evidence.rangeStart, evidence.rangeEnd];
    case 'told': {
      const { at, status, scheduledAt, rangeStart, rangeEnd, startedAt, endedAt, daysWithData, errorDetails } = evidence;
      const trace = evidence.traceId == null ? [] : [evidence.traceId];
      return [kind, at, rangeStart, rangeEnd, scheduledAt, startedAt, endedAt, daysWithData, status, errorDetails, ...trace];
    }
    default:
      return [kind, evidence.at];
  }
}

function unpack([index, at, ...rest]: Packed): Evidence {
  const kind = kinds[index]!;
  const [rangeStart, rangeEnd, scheduledAt, startedAt, endedAt, daysWithData] = rest as (number | null)[];
  if (kind === 'told') {
    const [status, errorDetails, traceId] = rest.slice(6) as [string, string | null, string?];
    return {
      kind,
      at,
      status,
      scheduledAt: scheduledAt!,
      rangeStart: rangeStart!,
      rangeEnd: rangeEnd!,
      startedAt: startedAt!,
      endedAt: endedAt!,
      daysWithData: daysWithData!,
      errorDetails,
      traceId,
    };
  }
  if (kind === 'completed' || kind === 'completed_partly') return { kind, at, rangeStart: rangeStart!, rangeEnd: rangeEnd! };
  return { kind, at };
}

/** Compresses a user's evidence to about a tenth of its size, because there may be a hundred thousand users. */
function packUser({ lastAnswer, lastAsked, lastServed, providers }: UserEvidence): Buffer {
  const all = [...providers].map(([provider, { connection, resources }]) => [
    provider,
    connection.map(pack),
    [...resources].map(([resource, evidence]) => [resource, evidence.map(pack)]),
  ]);
  // JSON writes -Infinity as null.
  const packed = deflateRawSync(JSON.stringify([lastAnswer, all, lastAsked, lastServed]), { level: 1 });
  // Copies the bytes, because zlib returns a view of a 16 KB buffer, and the view would keep the whole buffer in memory.
  const own = Buffer.allocUnsafeSlow(packed.length);
  packed.copy(own);
  return own;
}

function unpackUser(bytes: Buffer): UserEvidence {
  const [lastAnswer, all, lastAsked, lastServed] = JSON.parse(inflateRawSync(bytes).toString('utf8')) as [
    number | null,
    [string, Packed[], [string, Packed[]][]][],
    (number | null)?,
    (number | null)?,
  ];
  return {
    lastAnswer: lastAnswer ?? NEVER,
    lastAsked: lastAsked ?? NEVER,
    lastServed: lastServed ?? NEVER,
    providers: new Map(
      all.map(([provider, connection, resources]) => [
        provider,
        {
          connection: connection.map(unpack),
          resources: new Map(resources.map(([resource, evidence]) => [resource, evidence.map(unpack)])),
        },
      ]),
    ),
  };
}

interface Open {
  readonly evidence: UserEvidence;
  /** Resources with new evidence, by provider; null stands for all resources. */
  readonly news: Map<string, Set<string> | null>;
  gone: boolean | undefined;
}

/** Derives tracks from evidence. The result depends only on the records and on the order of each user's answers. */
export class Tracker {
  readonly #packed = new Map<string, Buffer>();
  readonly #gone = new Set<string>();
  #open = new Map<string, Open>();
  #changed = new Set<string>();
  readonly #stalledAfterS: number | null;

  /** `stalledAfterS`: seconds without progress after which a pull counts as stalled if its user was never polled. */
  constructor(stalledAfterS: number | null = null) {
    this.#stalledAfterS = stalledAfterS;
  }

  get users(): number {
    return this.#packed.size;
  }

  bytes(): number {
    let sum = 0;
    for (const { length } of this.#packed.values()) sum += length;
    return sum;
  }

  add<S extends EvidenceStream>(stream: S, record: StreamRecords[S]): void {
    if (stream === 'introspection_polls') this.#addPoll(record as StreamRecords['introspection_polls']);
    else if (stream === 'connections') {
      const connection = record as StreamRecords['connections'];
      this.#addPieces(this.#opened(connection.event.user_id), connectionEvidence(connection));
    } else {
      const completion = record as StreamRecords['historical_completions'];
      this.#addPieces(this.#opened(completion.event.user_id), [completionEvidence(completion)]);
    }
  }

  #addPoll(record: StreamRecords['introspection_polls']): void {
    const user = this.#opened(record.user_id);
    const { evidence } = user;
    const { offset: asked, received_at: served } = record.receipt;
    // Skips a poll that was repeated after a crash. Aorta's clock or the service's clock may jump back, but a new answer
    // has a later time on at least one of them.
    if (asked <= evidence.lastAsked && served <= evidence.lastServed) return;
    evidence.lastAsked = Math.max(asked, evidence.lastAsked);
    evidence.lastServed = Math.max(served, evidence.lastServed);
    user.gone = record.gone;
    // The service reports times in whole seconds, and its clock may jump back. The order of a user's records is always
    // the order of the answers.
    evidence.lastAnswer = Math.max(served, evidence.lastAnswer + 1);
    this.#addPieces(user, pollEvidence(record, evidence.lastAnswer));
  }

  #opened(userId: string): Open {
    let open = this.#open.get(userId);
    if (open === undefined) {
      const packed = this.#packed.get(userId);
      open = { evidence: packed === undefined ? noEvidence() : unpackUser(packed), news: new Map(), gone: undefined };
      this.#open.set(userId, open);
    }
    return open;
  }

  #addPieces({ evidence: { providers }, news }: Open, pieces: readonly SubjectEvidence[]): void {
    for (const { provider, resource, evidence } of pieces) {
      let known = providers.get(provider);
      if (known === undefined) {
        known = { connection: [], resources: new Map() };
        providers.set(provider, known);
      }
      if (resource === null) {
        if (addEvidence(known.connection, evidence)) news.set(provider, null);
        continue;
      }
      let of = known.resources.get(resource);
      if (of === undefined) {
        of = [];
        known.resources.set(resource, of);
      }
      if (!addEvidence(of, evidence)) continue;
      const before = news.get(provider);
      if (before === undefined) news.set(provider, new Set([resource]));
      else before?.add(resource);
    }
  }

  /** Derives tracks from the evidence that was added since the last call. */
  fold(): Folded {
    const tracks: HistoricalPullTrack[] = [];
    const present: PresentPull[] = [];
    const users = new Map<string, UserStanding>();
    for (const [userId, open] of this.#open) {
      const wasGone = this.#gone.has(userId);
      if (open.gone === true) this.#gone.add(userId);
      else if (open.gone === false) this.#gone.delete(userId);
      const folded = new Map<Evidence[], PullHistory>();
      for (const { provider, resource, known } of withNews(open)) {
        const evidence = wholeEvidence(known, resource);
        const history = foldPulls(provider, resource, evidence);
        folded.set(known.resources.get(resource)!, history);
        const track = trackRecord({ userId, provider, resource }, evidence, history, this.#stalledAfterS);
        if (track === undefined) continue;
        tracks.push(track);
        present.push({ userId, provider, resource, pull: history.pulls.at(-1)! });
      }
      if (open.news.size > 0 || wasGone !== this.#gone.has(userId))
        users.set(userId, this.#standingOf(userId, open.evidence, folded));
      this.#packed.set(userId, packUser(open.evidence));
      this.#changed.add(userId);
    }
    this.#open = new Map();
    return { tracks, users, present };
  }

  #standingOf(
    userId: string,
    { providers, lastAsked }: UserEvidence,
    folded: ReadonlyMap<Evidence[], PullHistory> = new Map(),
    troubled?: (one: PresentPull) => void,
  ): UserStanding {
    let openNews: number | null = null;
    let unnamed = false;
    for (const { provider, resource, pull, newest } of presentPulls(providers, folded)) {
      if (pull.state === 'failure' || pull.retryingSince !== null) troubled?.({ userId, provider, resource, pull });
      const waits = pull.provisional || pull.perhapsCompletedAt !== null;
      if (waits) unnamed = true;
      if (waits || mayMove(pull)) openNews = Math.max(openNews ?? 0, newest);
    }
    return { openNews, unnamed, gone: this.#gone.has(userId), askedAt: lastAsked > 0 ? lastAsked : undefined };
  }

  /** Yields the evidence of all users, ready to be saved. Call {@link fold} first. */
  *snapshot(): Generator<readonly [userId: string, gone: boolean, evidence: Buffer]> {
    for (const [userId, packed] of this.#packed) yield [userId, this.#gone.has(userId), packed];
  }

  /** Returns the users who have received new evidence since the last call. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** Returns the evidence of one user; undefined if there is none. */
  user(userId: string): readonly [gone: boolean, evidence: Buffer] | undefined {
    const packed = this.#packed.get(userId);
    return packed === undefined ? undefined : [this.#gone.has(userId), packed];
  }

  /** Restores a user from a snapshot. Calls `troubled` for each pull that failed or is retrying. */
  restore(userId: string, gone: boolean, packed: Buffer, troubled?: (one: PresentPull) => void): UserStanding {
    if (gone) this.#gone.add(userId);
    this.#packed.set(userId, packed);
    return this.#standingOf(userId, unpackUser(packed), undefined, troubled);
  }
}

/** Yields the resources of a user that have new evidence. */
function* withNews({
  evidence: { providers },
  news,
}: Open): Generator<{ readonly provider: string; readonly resource: string; readonly known: ProviderEvidence }> {
  for (const [provider, resources] of news) {
    const known = providers.get(provider)!;
    for (const resource of resources ?? known.resources.keys()) yield { provider, resource, known };
  }
}

/** Yields every resource's newest pull, with the time of its last news in microseconds since 1970. */
function* presentPulls(
  providers: UserEvidence['providers'],
  folded: ReadonlyMap<Evidence[], PullHistory>,
): Generator<Omit<PresentPull, 'userId'> & { readonly newest: number }> {
  for (const [provider, known] of providers)
    for (const [resource, own] of known.resources) {
      const evidence = wholeEvidence(known, resource);
      const pull = (folded.get(own) ?? foldPulls(provider, resource, evidence)).pulls.at(-1);
      if (pull !== undefined) yield { provider, resource, pull, newest: lastNews(evidence) };
    }
}

/**
 * Returns the time of the last event, or of the last answer that reported a status of a pull for the first time. A pull that
 * changes between open states for ever is therefore polled less and less often.
 */
function lastNews(evidence: readonly Evidence[]): number {
  const known = new Set<string>();
  let newest = NEVER;
  for (const piece of evidence) {
    if (piece.kind === 'not_pulled') continue;
    if (piece.kind === 'told') {
      const status = `${piece.scheduledAt} ${piece.status}`;
      if (known.has(status)) continue;
      known.add(status);
    }
    newest = piece.at;
  }
  return newest;
}

/** Returns the sorted evidence about a resource and about its connection. */
function wholeEvidence({ connection, resources }: ProviderEvidence, resource: string): readonly Evidence[] {
  const own = resources.get(resource)!;
  return connection.length === 0 ? own : [...connection, ...own].sort(compareEvidence);
}

/** Returns whether the pull may still make progress. */
function mayMove({ state, reports, announcedAt, notPulledAt, lastNotPulledAt, expectedAt }: Pull): boolean {
  if (state === 'success' || state === 'failure') return false;
  // The service may have reported that it did not pull the resource. If the user reconnected after that, the service may
  // still pull it.
  const lastSaid = lastNotPulledAt ?? notPulledAt;
  const pulled = lastSaid === null || lastSaid < (expectedAt ?? 0);
  return state !== 'expected' || (reports && announcedAt === null && pulled);
}
