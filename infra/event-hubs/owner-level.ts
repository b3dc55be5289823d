import { type AmqpCondition, condition } from './conditions.ts';

/** Readers without an owner level that may read one partition of one group at the same time. */
const mostReaders = 5;

/**
 * Whether a reader may attach beside those that read the same partition in the same group, given the owner level ("epoch") of each. A
 * reader with a level takes the partition from all others, those of the same level included; `steals` says that they have to go.
 */
export function admission(
  readers: readonly (number | undefined)[],
  level: number | undefined,
): { readonly steals: boolean } | { readonly refused: AmqpCondition } {
  const levels = readers.filter((other) => other !== undefined);
  const highest = levels.length === 0 ? undefined : Math.max(...levels);
  if (level === undefined && highest !== undefined)
    return refused(
      condition.stolen,
      `At least one receiver for the endpoint is created with epoch of '${highest}', and so non-epoch receiver is not allowed. Either reconnect with a higher epoch, or make sure all epoch receivers are closed or disconnected.`,
    );
  if (level === undefined && readers.length >= mostReaders)
    return refused(
      condition.resourceLimit,
      `Exceeded the maximum number of allowed receivers per partition in a consumer group which is ${mostReaders}.`,
    );
  if (level !== undefined && highest !== undefined && level < highest)
    return refused(
      condition.stolen,
      `Receiver with a higher epoch '${highest}' already exists. Receiver with epoch ${level} cannot be created. Make sure you are creating receiver with increasing epoch value to ensure connectivity, or ensure all old epoch receivers are closed or disconnected.`,
    );
  return { steals: level !== undefined };
}

function refused(name: string, description: string): { refused: AmqpCondition } {
  return { refused: { condition: name, description } };
}

/** What a reader is told when another with this level takes its partition. */
export function stolenBy(level: number | undefined): AmqpCondition {
  return {
    condition: condition.stolen,
    description: `New receiver with higher epoch of '${level}' is created hence current receiver is getting disconnected. If you are recreating the receiver, make sure a higher epoch is used.`,
  };
}
