import rhea, { type EventContext, type Sender } from 'rhea';
import { type AmqpCondition, condition, entityNotFound, listenMissing, partitionOutOfRange } from './conditions.ts';
import { type Hub, type Hubs, hubNamed } from './hub.ts';
import type { PartitionLog } from './partition-log.ts';
import type { Claims, Policy } from './sas.ts';

const stringCode = 0xa1;

/** A response from `$cbs` or `$management`: a success with an optional body, or an error with its condition. */
export type Answer =
  | { readonly status: 200 | 202; readonly body?: unknown }
  | { readonly status: 400 | 401 | 404 | 501; readonly refused: AmqpCondition };

export function requestProperties(context: EventContext): Record<string, unknown> {
  return context.message?.application_properties ?? {};
}

/**
 * Sends the response to a request on the link that the client opened to receive responses. This is the link in the same
 * session whose source address equals the target address of the request. The request's message id becomes the correlation id.
 * Does nothing if there is no such link.
 */
export function answer(context: EventContext, given: Answer): void {
  const { session, receiver, message } = context;
  const address = receiver!.target.address;
  const back = session!.find_sender((sender: Sender) => sender.source?.address === address);
  if (back === undefined) return;
  const refused = 'refused' in given ? given.refused : undefined;
  back.send({
    to: message!.reply_to,
    correlation_id: message!.message_id,
    body: 'body' in given ? given.body : undefined,
    application_properties: {
      'status-code': types.wrap_int(given.status),
      'status-description': refused?.description ?? (given.status === 202 ? 'Accepted' : 'OK'),
      ...(refused === undefined ? {} : { 'error-condition': types.wrap_symbol(refused.condition) }),
    },
  });
}

const { types } = rhea;

/** Returns whether an address is `$management` or `hub/$management`. */
export function isManagement(address: string): boolean {
  return /^(?:[^/]+\/)?\$management$/.test(address);
}

/** Answers a `READ` request with the properties of a hub or a partition. */
export function readEntity(
  context: EventContext,
  { hubs, claims, policy }: { hubs: Hubs; claims: Claims; policy: Policy },
): Answer {
  const { operation, name, type, partition } = requestProperties(context);
  if (operation !== 'READ')
    return { status: 501, refused: { condition: 'amqp:not-implemented', description: 'This server supports only READ.' } };
  const hub = hubNamed(hubs, String(name));
  if (hub === undefined) return { status: 404, refused: entityNotFound(String(name)) };
  const entity = `${hub.name}/$management`;
  if (!policy.listens || !claims.allow(context.connection, entity)) return { status: 401, refused: listenMissing(entity) };
  if (type === 'com.microsoft:eventhub') return { status: 200, body: hubFacts(hub) };
  if (type !== 'com.microsoft:partition')
    return { status: 400, refused: { condition: condition.argument, description: 'This server does not support the type.' } };
  const log = hub.partition(String(partition));
  if (log === undefined) return { status: 400, refused: partitionOutOfRange(hub.partitions.length) };
  return { status: 200, body: partitionFacts(hub, log) };
}

function hubFacts(hub: Hub): object {
  return {
    name: hub.name,
    type: 'com.microsoft:eventhub',
    created_at: hub.created,
    partition_count: types.wrap_int(hub.partitions.length),
    partition_ids: types.wrap_array(
      hub.partitions.map(({ id }) => id),
      stringCode,
      undefined,
    ),
    georeplication_factor: types.wrap_int(hub.geoReplicated ? 2 : 1),
  };
}

function partitionFacts(hub: Hub, { id, ends }: PartitionLog): object {
  return {
    name: hub.name,
    type: 'com.microsoft:partition',
    partition: id,
    begin_sequence_number: types.wrap_long(ends.begin),
    last_enqueued_sequence_number: types.wrap_long(ends.last.sequenceNumber),
    last_enqueued_offset: ends.last.offset,
    last_enqueued_time_utc: types.wrap_timestamp(ends.last.enqueuedTime),
    is_partition_empty: ends.empty,
  };
}
