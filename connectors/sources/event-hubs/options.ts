import { z } from 'zod';
import { hubOfConnection, isConnectionString } from '../connection-string.ts';
import { startPositionOption } from '../partitions/start-position.ts';

const hubName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/, { error: 'not the name of an event hub' });

const blobCheckpoints = z
  .strictObject({
    type: z.literal('blob').describe('A container of a storage account: any number of machines.'),
    container: z.string().min(3).max(63).describe('Name of the container, which has to be there.'),
    connection: z
      .string()
      .min(1)
      .optional()
      .describe('Connection string of the storage account. A secret: take it from the environment.'),
    url: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe('Address of the storage account, such as https://account.blob.core.windows.net, opened with the identity.'),
  })
  .superRefine(({ connection, url }, context) => {
    if ((connection === undefined) === (url === undefined))
      context.addIssue({
        code: 'custom',
        path: ['connection'],
        message: 'either `connection` or `url` is needed, not both',
        params: { hint: 'Give `connection` for a connection string, or `url` for the platform’s identity.' },
      });
  });

const fileCheckpoints = z.strictObject({
  type: z.literal('file').describe('A folder of this machine, for the processes of this machine.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe('The folder. Where left out, beside the streams, so that it belongs to one data folder.'),
});

export const eventHubsSourceOptions = z
  .strictObject({
    type: z.literal('event-hubs').describe('Azure Event Hubs, over AMQP.'),
    name: z.string().min(1).default('event-hubs').describe('Name of the source in receipts.'),
    connection: z
      .string()
      .refine(isConnectionString, { error: 'not a connection string (Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=…)' })
      .optional()
      .describe('Connection string of the namespace, with the right to listen. A secret: take it from the environment.'),
    namespace: z
      .string()
      .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, { error: 'not a host name, such as my-namespace.servicebus.windows.net' })
      .optional()
      .describe('Host name of the namespace, opened with the identity, in place of `connection`.'),
    identity: z
      .strictObject({
        client_id: z.string().min(1).optional().describe('Client id of a user-assigned managed identity.'),
      })
      .prefault({})
      .describe(
        'The identity of the platform (workload identity, managed identity, environment, az login), for what has no connection string.',
      ),
    transport: z
      .enum(['amqp', 'websockets'])
      .default('amqp')
      .describe('`amqp`: TCP port 5671. `websockets`: AMQP over WebSockets on port 443, for networks that let only HTTPS out.'),
    proxy: z
      .url({ protocol: /^https?$/, error: 'not the address of a proxy (http://host:port)' })
      .optional()
      .describe(
        'HTTP proxy for the namespace (needs `transport: websockets`), and for the storage account and the identity of this source. With a password it is a secret: take it from the environment.',
      ),
    hubs: z
      .array(hubName)
      .min(1)
      .optional()
      .describe('Event hubs of the namespace that are read. Where left out, the one that the connection string names.'),
    consumer_group: z
      .string()
      .min(1)
      .default('$Default')
      .describe('Consumer group; one for Aorta alone, in every hub of the list.'),
    start_position: startPositionOption.describe(
      'Where a partition without a checkpoint is begun: `earliest`, `latest`, or a time (RFC 3339).',
    ),
    checkpoints: z
      .discriminatedUnion('type', [fileCheckpoints, blobCheckpoints])
      .prefault({ type: 'file' })
      .describe('Where it is kept how far each partition was taken, and which process has it.'),
    checkpoint_s: z
      .number()
      .positive()
      .max(600)
      .optional()
      .describe(
        'A partition’s checkpoint is written so often: what a killed process reads again. Default: 1 with checkpoints in files, 30 in blobs, where every write is a request that is paid for.',
      ),
    claim_s: z.number().positive().max(60).default(1).describe('Workers look so often at who has which partition.'),
    claim_expiry_s: z
      .number()
      .positive()
      .max(3600)
      .default(30)
      .describe('A partition whose worker was not heard of for so long is taken over. At least three times `claim_s`.'),
    stalled_s: z
      .number()
      .positive()
      .max(3600)
      .default(10)
      .describe(
        'A partition that has events, or a connection, and is silent for so long is opened anew; after two more times in vain the process ends, to be started anew.',
      ),
    held_bytes: z
      .int()
      .positive()
      .default(64 * 1024 * 1024)
      .describe('Bytes of bodies received and not yet taken, over all partitions of the source, from which on receiving pauses.'),
  })
  .superRefine((source, context) => {
    const problem = (path: string, message: string, hint: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { hint } });
    if ((source.connection === undefined) === (source.namespace === undefined))
      problem(
        'connection',
        'either `connection` or `namespace` is needed, not both',
        'Give `connection` for a connection string, or `namespace` for the platform’s identity.',
      );
    const named = source.connection === undefined ? undefined : hubOfConnection(source.connection);
    if (source.hubs === undefined && named === undefined)
      problem('hubs', 'no hub is named', 'List the hubs: hubs: [health-events]');
    if (source.hubs !== undefined && named !== undefined)
      problem(
        'hubs',
        'the connection string names a hub (EntityPath) as well',
        'Leave `hubs` away, or take a connection string of the namespace, which names no hub.',
      );
    const distinct = new Set(source.hubs?.map((hub) => hub.toLowerCase()));
    if (source.hubs !== undefined && distinct.size < source.hubs.length)
      problem('hubs', 'a hub is named twice', 'Name each hub once; upper and lower case are the same.');
    if (source.proxy !== undefined && source.transport === 'amqp')
      problem('proxy', 'an HTTP proxy does not carry plain AMQP', 'Add `transport: websockets`, or leave `proxy` away.');
    if (source.claim_expiry_s < 3 * source.claim_s)
      problem('claim_expiry_s', 'less than three times `claim_s`', 'Raise it, or lower `claim_s`.');
  })
  .describe('Reads event hubs of one namespace.');

export type EventHubsSettings = z.output<typeof eventHubsSourceOptions>;

/** Returns the seconds between two checkpoints of a partition. With blobs, 32 partitions make 92,160 write requests a day. */
export function checkpointSeconds({
  checkpoint_s,
  checkpoints,
}: Pick<EventHubsSettings, 'checkpoint_s' | 'checkpoints'>): number {
  return checkpoint_s ?? (checkpoints.type === 'blob' ? 30 : 1);
}

/** Returns the hubs of a source in lower case. Event Hubs ignores case, and partition names contain the hub. */
export function hubsOf({ hubs, connection }: Pick<EventHubsSettings, 'hubs' | 'connection'>): readonly string[] {
  const named = connection === undefined ? undefined : hubOfConnection(connection);
  return (hubs ?? (named === undefined ? [] : [named])).map((hub) => hub.toLowerCase());
}
