/** An AMQP error, as sent in a detach, a close or a rejection. */
export interface AmqpCondition {
  readonly condition: string;
  readonly description: string;
}

/** The error conditions that Event Hubs uses. */
export const condition = {
  argument: 'com.microsoft:argument-error',
  argumentOutOfRange: 'com.microsoft:argument-out-of-range',
  authFailed: 'com.microsoft:auth-failed',
  serverBusy: 'com.microsoft:server-busy',
  connectionForced: 'amqp:connection:forced',
  decode: 'amqp:decode-error',
  detachForced: 'amqp:link:detach-forced',
  internal: 'amqp:internal-error',
  messageSize: 'amqp:link:message-size-exceeded',
  notAllowed: 'amqp:not-allowed',
  notFound: 'amqp:not-found',
  resourceLimit: 'amqp:resource-limit-exceeded',
  stolen: 'amqp:link:stolen',
  unauthorized: 'amqp:unauthorized-access',
} as const;

/** Returns the error for a missing entity. The official clients recognize it by the words "could not be found". */
export function entityNotFound(entity: string): AmqpCondition {
  return { condition: condition.notFound, description: `The messaging entity '${entity}' could not be found.` };
}

export function partitionOutOfRange(partitions: number): AmqpCondition {
  return {
    condition: condition.argumentOutOfRange,
    description: `The specified partition is invalid for an EventHub partition sender or receiver. It should be between 0 and ${partitions - 1}.`,
  };
}

/** Returns the error that Event Hubs sends to a client without the right to listen. */
export function listenMissing(entity: string): AmqpCondition {
  const description = `Unauthorized access. 'Listen' claim is required to perform this operation. Resource: '${entity}'.`;
  return { condition: condition.unauthorized, description };
}
