import { type AmqpCondition, condition } from './conditions.ts';

/** Maximum number of readers without an owner level on the same partition in the same consumer group. */
const mostReaders = 5;

/**
 * Returns whether a new reader may attach to a partition. `readers` lists the owner levels ("epochs") of the readers that
 * are already attached in the same consumer group. If the new reader is admitted and has a level, `steals` is true, and
 * the new reader displaces all others, even those with the same level.
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

/** Returns the error that a reader receives when a new reader with this owner level displaces it. */
export function stolenBy(level: number | undefined): AmqpCondition {
  return {
    condition: condition.stolen,
    description: `New receiver with higher epoch of '${level}' is created hence current receiver is getting disconnected. If you are recreating the receiver, make sure a higher epoch is used.`,
  };
}
