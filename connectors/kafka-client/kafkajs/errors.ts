import { type AortaError, isAortaError } from '@aorta/runtime';
import { KafkaError } from '../errors.ts';

/** What the library threw, down to what began it. */
interface LibraryError {
  readonly name?: string;
  /** Name of the error in Kafka's protocol, such as `UNKNOWN_MEMBER_ID`. */
  readonly type?: string;
  readonly code?: string | number;
  readonly cause?: unknown;
}

/** The error that began it: kafkajs wraps what it gave up to repeat. */
function rootOf(error: unknown): LibraryError {
  let root: LibraryError = (error ?? {}) as LibraryError;
  while (typeof root.cause === 'object' && root.cause !== null && root.cause !== root) root = root.cause as LibraryError;
  return root;
}

/** The library found no coordinator of a group, and does not say why. */
export function hasNoCoordinator(error: unknown): boolean {
  return rootOf(error).name === 'KafkaJSGroupCoordinatorNotFound';
}

/** Name of the error in Kafka's protocol; undefined where it is another one. */
export function protocolError(error: unknown): string | undefined {
  return rootOf(error).type;
}

/** The partition went to somebody else, or is about to. */
const NOT_OURS: ReadonlySet<string | undefined> = new Set([
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'REBALANCE_IN_PROGRESS',
  'FENCED_INSTANCE_ID',
  'MEMBER_ID_REQUIRED',
]);

/** Whether a commit was refused because the member does not have the partition any more. */
export function isRefusedCommit(error: unknown): boolean {
  return NOT_OURS.has(protocolError(error));
}

/** Whether the membership itself is gone, with its generation. */
export function isMembershipOver(error: unknown): boolean {
  const type = protocolError(error);
  return type !== 'REBALANCE_IN_PROGRESS' && NOT_OURS.has(type);
}

/** Those that coordinate the group, or lead the partition, are not yet, or not any more: asked again a moment later, it works. */
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

/** Refused for good, whatever is tried: what the brokers call it, and what for. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'topic',
  GROUP_AUTHORIZATION_FAILED: 'consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'cluster',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'producer',
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
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_SASL_MECHANISM',
]);

const TLS = /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_OSSL|HOSTNAME_MISMATCH)/;

/** An error that a person has to set right, out of the catalogue; undefined where trying again may help. */
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

/** What the library threw, out of the catalogue; what is unknown is taken for a cluster that cannot be reached. */
export function reworded(error: unknown, doing: string): AortaError {
  if (isAortaError(error)) return error;
  return setupError(error) ?? new KafkaError('AORTA-KAFKA-FAILED', { doing, reason: reasonOf(error) });
}

/** Names only: messages quote values. */
export function reasonOf(error: unknown): string {
  const { type, code, name } = rootOf(error);
  return type ?? (typeof code === 'string' ? code : undefined) ?? name ?? 'unknown';
}
