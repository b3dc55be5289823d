import type { AortaError } from '@aorta/runtime';
import { HubError } from './errors.ts';

/**
 * Kinds of failures in the client or the checkpoint store. They are derived only from condition names and codes,
 * because messages may quote health data or secrets.
 */
export type Failure =
  | 'refused' // The key or the identity is rejected.
  | 'not-found' // The hub or the consumer group is missing.
  | 'stolen' // Another reader owns the partition.
  | 'stale' // The position is not in the partition's log.
  | 'unreachable' // The host cannot be reached or does not answer.
  | 'busy' // The service throttles requests.
  | 'other';

const failures: readonly (readonly [Failure, RegExp])[] = [
  [
    'refused',
    /^(UnauthorizedError|amqp:unauthorized-access|com\.microsoft:auth-failed|PublisherRevokedError|CredentialUnavailableError|AuthenticationError|AuthenticationRequiredError|AuthorizationFailure|AuthenticationFailed|AuthorizationPermissionMismatch|AuthorizationFailed|InvalidSignature|401|403)$/,
  ],
  ['not-found', /^(MessagingEntityNotFoundError|amqp:not-found|MessagingEntityDisabledError|ContainerNotFound|404)$/],
  ['stolen', /^(ReceiverDisconnectedError|amqp:link:stolen|PartitionNotOwnedError)$/],
  ['stale', /^(ArgumentError|com\.microsoft:argument-error)$/],
  [
    'unreachable',
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ServiceCommunicationError|ConnectionLostError|OperationTimeoutError|TimeoutError|ServiceUnavailableError|ConnectionForcedError|SocketError|HTTP_\d{3})$/,
  ],
  ['busy', /^(ServerBusyError|com\.microsoft:server-busy|QuotaExceededError|ServerBusy|503|429)$/],
];

/** Classifies a failure by the first known code or name in the error and its nested errors. */
export function failureOf(error: unknown): Failure {
  for (const name of namesOf(error)) {
    const found = failures.find(([, names]) => names.test(name));
    if (found !== undefined) return found[0];
  }
  return 'other';
}

/** Maps the client's error names to AMQP conditions. */
const conditions: Readonly<Record<string, string>> = {
  UnauthorizedError: 'amqp:unauthorized-access',
  MessagingEntityNotFoundError: 'amqp:not-found',
  MessagingEntityDisabledError: 'com.microsoft:entity-disabled',
  ReceiverDisconnectedError: 'amqp:link:stolen',
  ServerBusyError: 'com.microsoft:server-busy',
};

/**
 * Returns the name under which a failure is logged. The protocol, the operating system or the client defines the name. It
 * is never a message.
 */
export function conditionOf(error: unknown): string {
  const names = namesOf(error).filter((name) => /^[A-Za-z][A-Za-z0-9_:.-]{1,60}$/.test(name) && name !== 'Error');
  const name = names.find((one) => failures.some(([, known]) => known.test(one))) ?? names[0] ?? 'unknown';
  return conditions[name] ?? name;
}

/** Lists the codes and names in an error and its nested errors, depth first. The codes of an error come before its name. */
function namesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 3) return [];
  const { code, condition, statusCode, name, errors, cause } = error as Readonly<Record<string, unknown>>;
  const own = [condition, code, statusCode, name].filter(
    (part): part is string | number => typeof part === 'string' || typeof part === 'number',
  );
  const inner = Array.isArray(errors) ? errors.toReversed().flatMap((one) => namesOf(one, depth + 1)) : [];
  return [...own.map(String), ...inner, ...namesOf(cause, depth + 1)];
}

/** The hub that an error concerns. */
export interface HubLocation {
  readonly namespace: string;
  readonly hub: string;
  readonly group: string;
}

/**
 * Converts a failure to open a hub into an error that tells the user what to do. `asking` tells whether the hub or its
 * consumer group was being opened.
 */
export function setupError(error: unknown, place: HubLocation, asking: 'hub' | 'group'): AortaError {
  const { namespace, hub, group } = place;
  const condition = conditionOf(error);
  switch (failureOf(error)) {
    case 'refused':
      return new HubError('AORTA-HUB-REFUSED', { namespace, hub, condition });
    case 'not-found':
      return asking === 'hub'
        ? new HubError('AORTA-HUB-MISSING', { namespace, hub, condition })
        : new HubError('AORTA-HUB-GROUP-MISSING', { namespace, hub, group, condition });
    case 'unreachable':
    case 'busy':
      return new HubError('AORTA-HUB-UNREACHABLE', { namespace, condition });
    default:
      return new HubError('AORTA-HUB-FAILED', { namespace, hub, condition });
  }
}
