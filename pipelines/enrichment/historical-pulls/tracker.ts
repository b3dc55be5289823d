import {
  compareEvidence,
  type Evidence,
  foldPulls,
  type HeardPiece,
  type HistoricalPullTrack,
  hearCompletion,
  hearConnection,
  hearPoll,
  learn,
  type Pull,
  type PullHistory,
  type StreamRecords,
  trackRecord,
} from '@aorta/schemas';
import { nothingHeard, type ProviderEvidence, packUser, type UserEvidence, unpackUser } from './packing.ts';

/** The streams that evidence comes from. */
export const evidenceStreams = ['connections', 'historical_completions', 'introspection_polls'] as const;
export type EvidenceStream = (typeof evidenceStreams)[number];

/** How the pulls of a user stand, as far as it decides when the service is asked next. Microseconds since 1970. */
export interface UserStanding {
  /** When something was last heard of a pull that may still come to an end; null where all have ended, or will never tell. */
  readonly openNews: number | null;
  /** A completion waits for introspection to say which pull it ended. */
  readonly unnamed: boolean;
  readonly gone: boolean;
  /** When the service was last asked for the user and answered, in milliseconds since 1970; absent if it never was. */
  readonly askedAt?: number;
}

/** A present pull that has changed, for those who want to be told. */
export interface PresentPull {
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
  readonly pull: Pull;
}

export interface Folded {
  /** Tracks that know more than before. */
  readonly tracks: readonly HistoricalPullTrack[];
  /** Users of whom something new was heard. */
  readonly users: ReadonlyMap<string, UserStanding>;
  readonly present: readonly PresentPull[];
}

interface Open {
  readonly evidence: UserEvidence;
  /** Resources with news, by provider; null: all of the provider. */
  readonly news: Map<string, Set<string> | null>;
  gone: boolean | undefined;
}

/** Folds the evidence of all users. What it holds is a function of the records that it heard, those of one user's answers in their order. */
export class Tracker {
  readonly #packed = new Map<string, Buffer>();
  readonly #gone = new Set<string>();
  #open = new Map<string, Open>();
  #changed = new Set<string>();

  /** Users that anything was heard of. */
  get users(): number {
    return this.#packed.size;
  }

  /** Bytes that the evidence takes. */
  bytes(): number {
    let sum = 0;
    for (const { length } of this.#packed.values()) sum += length;
    return sum;
  }

  hear<S extends EvidenceStream>(stream: S, record: StreamRecords[S]): void {
    if (stream === 'introspection_polls') this.#hearPoll(record as StreamRecords['introspection_polls']);
    else if (stream === 'connections') {
      const connection = record as StreamRecords['connections'];
      this.#learn(this.#opened(connection.event.user_id), hearConnection(connection));
    } else {
      const completion = record as StreamRecords['historical_completions'];
      this.#learn(this.#opened(completion.event.user_id), [hearCompletion(completion)]);
    }
  }

  #hearPoll(record: StreamRecords['introspection_polls']): void {
    const user = this.#opened(record.user_id);
    const { evidence } = user;
    const { offset: asked, received_at: served } = record.receipt;
    // Once more, after a crash. Each of the two clocks may jump, and a new answer then comes later by the other one.
    if (asked <= evidence.lastAsked && served <= evidence.lastServed) return;
    evidence.lastAsked = Math.max(asked, evidence.lastAsked);
    evidence.lastServed = Math.max(served, evidence.lastServed);
    user.gone = record.gone;
    // The service tells whole seconds, and clocks jump: of one user, what is appended later was answered later.
    evidence.lastAnswer = Math.max(served, evidence.lastAnswer + 1);
    this.#learn(user, hearPoll(record, evidence.lastAnswer));
  }

  #opened(userId: string): Open {
    let open = this.#open.get(userId);
    if (open === undefined) {
      const packed = this.#packed.get(userId);
      open = { evidence: packed === undefined ? nothingHeard() : unpackUser(packed), news: new Map(), gone: undefined };
      this.#open.set(userId, open);
    }
    return open;
  }

  #learn({ evidence: { providers }, news }: Open, pieces: readonly HeardPiece[]): void {
    for (const { provider, resource, evidence } of pieces) {
      let known = providers.get(provider);
      if (known === undefined) {
        known = { connection: [], resources: new Map() };
        providers.set(provider, known);
      }
      if (resource === null) {
        if (learn(known.connection, evidence)) news.set(provider, null);
        continue;
      }
      let of = known.resources.get(resource);
      if (of === undefined) {
        of = [];
        known.resources.set(resource, of);
      }
      if (!learn(of, evidence)) continue;
      const before = news.get(provider);
      if (before === undefined) news.set(provider, new Set([resource]));
      else before?.add(resource);
    }
  }

  /** Folds what was heard since the last time. */
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
        const track = trackRecord({ userId, provider, resource }, evidence, history);
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
    return { openNews, unnamed, gone: this.#gone.has(userId), ...(lastAsked > 0 ? { askedAt: lastAsked } : {}) };
  }

  /** Everything, for a snapshot: take it while nothing is open. */
  *snapshot(): Generator<readonly [userId: string, gone: boolean, evidence: Buffer]> {
    for (const [userId, packed] of this.#packed) yield [userId, this.#gone.has(userId), packed];
  }

  /** Users of whom more is known than when this was asked last. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** What is known of one user; undefined where that is nothing. */
  user(userId: string): readonly [gone: boolean, evidence: Buffer] | undefined {
    const packed = this.#packed.get(userId);
    return packed === undefined ? undefined : [this.#gone.has(userId), packed];
  }

  /** Takes back a user of a snapshot, and says how the pulls stand. `troubled` is told of those that failed or are retrying. */
  restore(userId: string, gone: boolean, packed: Buffer, troubled?: (one: PresentPull) => void): UserStanding {
    if (gone) this.#gone.add(userId);
    this.#packed.set(userId, packed);
    return this.#standingOf(userId, unpackUser(packed), undefined, troubled);
  }
}

/** The resources with news of a user: those named, or all of a provider. */
function* withNews({
  evidence: { providers },
  news,
}: Open): Generator<{ readonly provider: string; readonly resource: string; readonly known: ProviderEvidence }> {
  for (const [provider, resources] of news) {
    const known = providers.get(provider)!;
    for (const resource of resources ?? known.resources.keys()) yield { provider, resource, known };
  }
}

/** The newest pull of every resource, and when something was last heard of it, in microseconds since 1970. */
function* presentPulls(
  providers: UserEvidence['providers'],
  folded: ReadonlyMap<Evidence[], PullHistory>,
): Generator<Omit<PresentPull, 'userId'> & { readonly newest: number }> {
  for (const [provider, known] of providers)
    for (const [resource, own] of known.resources) {
      const evidence = wholeEvidence(known, resource);
      const pull = (folded.get(own) ?? foldPulls(provider, resource, evidence)).pulls.at(-1);
      if (pull !== undefined) yield { provider, resource, pull, newest: evidence.at(-1)!.at };
    }
}

/** The evidence of a resource with that of its connection, in the order of evidence. */
function wholeEvidence({ connection, resources }: ProviderEvidence, resource: string): readonly Evidence[] {
  const own = resources.get(resource)!;
  return connection.length === 0 ? own : [...connection, ...own].sort(compareEvidence);
}

/** Whether an answer of the service may still bring the pull forward. */
function mayMove({ state, reports, announcedAt, notPulledAt, lastNotPulledAt, expectedAt }: Pull): boolean {
  if (state === 'success' || state === 'failure') return false;
  // What was not pulled before the connection was made again may be pulled now.
  const lastSaid = lastNotPulledAt ?? notPulledAt;
  const pulled = lastSaid === null || lastSaid < (expectedAt ?? 0);
  return state !== 'expected' || (reports && announcedAt === null && pulled);
}
