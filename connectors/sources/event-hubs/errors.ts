import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const hubErrors = {
  'AORTA-HUB-UNREACHABLE': {
    class: 'transient',
    message: 'The Event Hubs namespace {namespace} cannot be reached ({condition}).',
    remedy:
      'Check the name of the host, the network and the firewall of the namespace (AMQP is port 5671; with `transport: websockets` it is port 443, and the proxy has to let it through).',
  },
  'AORTA-HUB-REFUSED': {
    class: 'setup',
    message: 'The Event Hubs namespace {namespace} does not let us listen to {hub}.',
    remedy:
      'Check the key of the connection string, and that its policy has the claim Listen; with an identity, that it has the role Azure Event Hubs Data Receiver.',
  },
  'AORTA-HUB-MISSING': {
    class: 'setup',
    message: 'The Event Hubs namespace {namespace} has no hub {hub}.',
    remedy: 'Correct hubs in the configuration, or make the hub.',
  },
  'AORTA-HUB-GROUP-MISSING': {
    class: 'setup',
    message: 'The hub {hub} of {namespace} has no consumer group {group}.',
    remedy: 'Make the consumer group, for Aorta alone, or correct consumer_group in the configuration.',
  },
  'AORTA-HUB-FAILED': {
    class: 'setup',
    message: 'The hub {hub} of {namespace} could not be opened ({condition}).',
    remedy: 'Run `aorta doctor`; docs/guides/event-hubs.md says what the conditions mean.',
  },
  'AORTA-HUB-CHECKPOINT': {
    class: 'setup',
    message:
      'The checkpoint of partition {partition} of hub {hub}, group {group}, is sequence number {checkpoint}, but the last one that the hub has is {last}.',
    remedy:
      'The hub was made anew, or this is another one of the same name. If so, delete the checkpoints of this hub and group, or give the source another name and folder: it is then read from start_position. Nothing was changed.',
  },
  'AORTA-HUB-STALLED': {
    class: 'transient',
    message:
      'Partition {partition} of hub {hub} has {behind} events waiting and has sent nothing for {seconds} s, although it was opened anew.',
    remedy: 'The process ends, to be started anew. If that repeats, look at the health of the namespace.',
  },
  'AORTA-CHECKPOINTS-UNREACHABLE': {
    class: 'setup',
    message: 'The container {container} of the checkpoints cannot be used ({problem}).',
    remedy:
      'Make the container, check the connection string or the address of the storage account, and that the identity has the role Storage Blob Data Contributor there.',
  },
  'AORTA-CHECKPOINTS-KEPT': {
    class: 'setup',
    message:
      'The storage account of the container {container} keeps a copy of every checkpoint and claim that is overwritten ({kept}).',
    remedy:
      'Turn {kept} off for this storage account, or use an account of its own for checkpoints. The copies cost money and slow listings down; reading goes on.',
  },
} as const satisfies ErrorCatalogue;

export const HubError = errorsOf(hubErrors);
