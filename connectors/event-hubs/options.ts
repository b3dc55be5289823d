import { isHttpAddress, secret } from '@aorta/runtime';
import { z } from 'zod';
import { hubOfConnection, isConnectionString } from '../sources/connection-string.ts';
import { startPositionOption } from '../sources/partition.ts';

const hubName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/, { error: 'not the name of an event hub' });

const blobCheckpoints = z
  .strictObject({
    type: z
      .literal('blob')
      .describe('Checkpoints in a container of a storage account, shared by workers on any number of machines.'),
    container: z.string().min(3).max(63).describe('Name of the container, which must exist.'),
    connection: secret('Connection string of the storage account. A secret: take it from the environment.').optional(),
    url: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe('Address of the storage account, such as https://account.blob.core.windows.net, to connect with `identity`.'),
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
  type: z.literal('file').describe('Checkpoints in a folder, shared by the processes on this machine.'),
  folder: z.string().min(1).optional().describe('Folder for the checkpoints. Default: a folder next to the streams.'),
});

export const eventHubsSourceOptions = z
  .strictObject({
    type: z.literal('event-hubs').describe('Azure Event Hubs, over AMQP.'),
    name: z
      .string()
      .min(1)
      .default('event-hubs')
      .describe('Name of the source, which is stored in the receipt of each delivery.'),
    connection: secret('Connection string of the namespace, with the Listen claim. A secret: take it from the environment.')
      .refine(isConnectionString, { error: 'not a connection string (Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=…)' })
      .optional(),
    namespace: z
      .string()
      .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, { error: 'not a host name, such as my-namespace.servicebus.windows.net' })
      .optional()
      .describe('Host name of the namespace, to connect with `identity` instead of `connection`.'),
    identity: z
      .strictObject({
        client_id: z.string().min(1).optional().describe('Client id of a user-assigned managed identity.'),
      })
      .prefault({})
      .describe(
        'The identity that the platform provides: workload identity, managed identity, environment variables or `az login`. Aorta uses it if there is no connection string.',
      ),
    transport: z
      .enum(['amqp', 'websockets'])
      .default('amqp')
      .describe(
        '`amqp`: TCP port 5671. `websockets`: AMQP over WebSockets on port 443, for networks that allow only outgoing HTTPS.',
      ),
    proxy: secret(
      'URL of an HTTP proxy through which this source reaches the namespace, the storage account and the identity provider. Requires `transport: websockets`. If the URL contains a password, it is a secret: take it from the environment.',
    )
      .refine(isHttpAddress, { error: 'not the address of a proxy (http://host:port)' })
      .optional(),
    hubs: z.array(hubName).min(1).optional().describe('Event hubs to read. Default: the hub that the connection string names.'),
    consumer_group: z
      .string()
      .min(1)
      .default('$Default')
      .describe('Consumer group in each of these hubs. No other program may use it.'),
    start_position: startPositionOption.describe(
      'Where to start reading a partition without a checkpoint: `earliest`, `latest`, or a time (RFC 3339).',
    ),
    checkpoints: z
      .discriminatedUnion('type', [fileCheckpoints, blobCheckpoints])
      .prefault({ type: 'file' })
      .describe('Where Aorta stores the checkpoints of partitions and the claims of workers.'),
    checkpoint_s: z
      .number()
      .positive()
      .max(600)
      .optional()
      .describe(
        'Seconds between two checkpoints of a partition. After a crash, Aorta reads up to this many seconds of events again. Default: 1 with checkpoints in files, 30 with checkpoints in blobs, because Azure bills every write.',
      ),
    claim_s: z.number().positive().max(60).default(1).describe('Seconds after which a worker reads all claims again.'),
    claim_expiry_s: z
      .number()
      .positive()
      .max(3600)
      .default(30)
      .describe(
        'If a worker has not renewed its claims for this many seconds, other workers take over its partitions. Must be at least three times `claim_s`.',
      ),
    stalled_s: z
      .number()
      .positive()
      .max(3600)
      .default(10)
      .describe(
        'If a partition has unread events or no connection, and nothing arrives for this many seconds, Aorta reopens it. If reopening fails twice, the process exits, so that its supervisor restarts it.',
      ),
    held_bytes: z
      .int()
      .positive()
      .default(64 * 1024 * 1024)
      .describe(
        'Maximum bytes of event bodies that are received but not yet processed, over all partitions of the source. Receiving pauses above this limit.',
      ),
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
        'the connection string already names a hub (EntityPath)',
        'Remove `hubs`, or use a connection string of the namespace, which names no hub.',
      );
    const distinct = new Set(source.hubs?.map((hub) => hub.toLowerCase()));
    if (source.hubs !== undefined && distinct.size < source.hubs.length)
      problem('hubs', 'a hub is named twice', 'Name each hub once; upper and lower case are the same.');
    if (source.proxy !== undefined && source.transport === 'amqp')
      problem('proxy', 'an HTTP proxy does not carry plain AMQP', 'Add `transport: websockets`, or remove `proxy`.');
    if (source.claim_expiry_s < 3 * source.claim_s)
      problem('claim_expiry_s', 'less than three times `claim_s`', 'Raise it, or lower `claim_s`.');
  })
  .describe('Reads event hubs of one namespace.');

export type EventHubsSettings = z.output<typeof eventHubsSourceOptions>;

/**
 * Returns the seconds between two checkpoints of a partition. With 32 partitions, the default for blob storage results in
 * 92,160 write requests a day.
 */
export function checkpointSeconds({
  checkpoint_s,
  checkpoints,
}: Pick<EventHubsSettings, 'checkpoint_s' | 'checkpoints'>): number {
  return checkpoint_s ?? (checkpoints.type === 'blob' ? 30 : 1);
}

/** Returns a source's hub names in lower case. Event Hubs ignores their case, and Aorta's partition names contain them. */
export function hubsOf({ hubs, connection }: Pick<EventHubsSettings, 'hubs' | 'connection'>): readonly string[] {
  const named = connection === undefined ? undefined : hubOfConnection(connection);
  return (hubs ?? (named === undefined ? [] : [named])).map((hub) => hub.toLowerCase());
}
