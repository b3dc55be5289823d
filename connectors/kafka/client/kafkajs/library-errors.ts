import { type AortaError, isAortaError } from '@aorta/runtime';
import { KafkaError } from '../errors.ts';

const TLS = /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_OSSL|HOSTNAME_MISMATCH)/;

/** The fields of a library error that are used here. */
interface LibraryError {
  readonly name?: string;
  /** Name of the error in Kafka's protocol, such as `UNKNOWN_MEMBER_ID`. */
  readonly type?: string;
  readonly code?: string | number;
  readonly cause?: unknown;
}

/** Returns the original error, which kafkajs wraps when it gives up retrying. */
function rootOf(error: unknown): LibraryError {
  let root: LibraryError = (error ?? {}) as LibraryError;
  while (typeof root.cause === 'object' && root.cause !== null && root.cause !== root) root = root.cause as LibraryError;
  return root;
}

/** Whether the library found no coordinator of a group. The library does not report the cause. */
export function hasNoCoordinator(error: unknown): boolean {
  return rootOf(error).name === 'KafkaJSGroupCoordinatorNotFound';
}

/** Returns the error's name in Kafka's protocol; undefined for other errors. */
export function protocolError(error: unknown): string | undefined {
  return rootOf(error).type;
}

/** These errors mean that the partition has a new owner, or is about to get one. */
const NOT_OURS: ReadonlySet<string | undefined> = new Set([
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'REBALANCE_IN_PROGRESS',
  'FENCED_INSTANCE_ID',
  'MEMBER_ID_REQUIRED',
]);

/** Whether a commit was refused because the partition is no longer assigned to the member. */
export function isRefusedCommit(error: unknown): boolean {
  return NOT_OURS.has(protocolError(error));
}

/** Returns true if the member no longer belongs to the group, so its generation has ended too. */
export function isMembershipOver(error: unknown): boolean {
  const type = protocolError(error);
  return type !== 'REBALANCE_IN_PROGRESS' && NOT_OURS.has(type);
}

/** These errors mean that the group's coordinator or the partition's leader is changing. A retry shortly afterwards succeeds. */
const SETTLING: ReadonlySet<string | undefined> = new Set([
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);

export function isSettling(error: unknown): boolean {
  return SETTLING.has(protocolError(error));
}

/** Maps each permanent refusal to the kind of resource that it concerns. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'topic',
  GROUP_AUTHORIZATION_FAILED: 'consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'cluster',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'transactional id',
};

const REFUSED: ReadonlySet<string> = new Set([
  'INCONSISTENT_GROUP_PROTOCOL',
  'INVALID_GROUP_ID',
  'INVALID_SESSION_TIMEOUT',
  'INVALID_TOPIC_EXCEPTION',
  'INVALID_REPLICATION_FACTOR',
  'INVALID_PARTITIONS',
  'INVALID_CONFIG',
  'INVALID_REQUEST',
  'INVALID_REQUIRED_ACKS',
  'INVALID_TIMESTAMP',
  'INVALID_RECORD',
  'POLICY_VIOLATION',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_SASL_MECHANISM',
]);

/** Returns the catalogue error for a problem that a person must fix; undefined if a retry may help. */
export function setupError(error: unknown): AortaError | undefined {
  if (isAortaError(error)) return error.class === 'transient' ? undefined : error;
  const root = rootOf(error);
  const type = root.type ?? '';
  if (root.name === 'KafkaJSSASLAuthenticationError' || type === 'SASL_AUTHENTICATION_FAILED')
    return new KafkaError('AORTA-KAFKA-LOGIN');
  const what = FORBIDDEN[type];
  if (what !== undefined) return new KafkaError('AORTA-KAFKA-FORBIDDEN', { what });
  if (REFUSED.has(type)) return new KafkaError('AORTA-KAFKA-REFUSED', { reason: type });
  if (TLS.test(String(root.code ?? ''))) return new KafkaError('AORTA-KAFKA-TLS', { reason: String(root.code) });
  return undefined;
}

/** Converts a library error to a catalogue error. An unknown error becomes AORTA-KAFKA-FAILED. */
export function catalogueError(error: unknown, doing: string): AortaError {
  if (isAortaError(error)) return error;
  return setupError(error) ?? new KafkaError('AORTA-KAFKA-FAILED', { doing, reason: reasonOf(error) });
}

/** Returns the type, code or name of the error, but not its message, which may quote values. */
export function reasonOf(error: unknown): string {
  const { type, code, name } = rootOf(error);
  return type ?? (typeof code === 'string' ? code : undefined) ?? name ?? 'unknown';
}

/** An error that ends a kafkajs consumer permanently: kafkajs neither retries the operation nor restarts the consumer. */
export class MemberOver extends Error {
  readonly retriable = false;

  constructor() {
    super('this member has ended');
    this.name = 'MemberOver';
  }
}

/** An error that would also end a new member, for example because a callback threw. The original error is its `cause`. */
export class Final extends Error {
  constructor(cause: unknown) {
    super('this member cannot continue', { cause });
  }
}
