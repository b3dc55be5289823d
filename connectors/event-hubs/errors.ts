import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const hubErrors = {
  'AORTA-HUB-UNREACHABLE': {
    class: 'transient',
    message: 'The Event Hubs namespace {namespace} cannot be reached ({condition}).',
    remedy:
      'Check the host name, the network, and the firewall of the namespace. AMQP uses port 5671. With `transport: websockets` it uses port 443, which any proxy must allow.',
  },
  'AORTA-HUB-REFUSED': {
    class: 'setup',
    message: 'The Event Hubs namespace {namespace} does not allow this source to listen to {hub}.',
    remedy:
      'Check the key in the connection string, and that its policy has the Listen claim. If the source uses an identity, give it the role Azure Event Hubs Data Receiver.',
  },
  'AORTA-HUB-MISSING': {
    class: 'setup',
    message: 'The Event Hubs namespace {namespace} has no hub {hub}.',
    remedy: 'Correct `hubs` in the configuration, or create the hub.',
  },
  'AORTA-HUB-GROUP-MISSING': {
    class: 'setup',
    message: 'The hub {hub} of {namespace} has no consumer group {group}.',
    remedy: 'Create the consumer group, which only Aorta may use, or correct consumer_group in the configuration.',
  },
  'AORTA-HUB-FAILED': {
    class: 'setup',
    message: 'The hub {hub} of {namespace} could not be opened ({condition}).',
    remedy: 'Run `aorta doctor`. docs/guides/event-hubs.md explains the conditions.',
  },
  'AORTA-HUB-CHECKPOINT': {
    class: 'setup',
    message:
      'The checkpoint of partition {partition} of hub {hub}, group {group}, is at sequence number {checkpoint}, but the hub ends at {last}.',
    remedy:
      'The hub was recreated, or its name now refers to a different hub. If so, delete the checkpoints of this hub and group, or give the source a different name and folder: reading then starts at start_position. Nothing was changed.',
  },
  'AORTA-HUB-CHECKPOINT-DAMAGED': {
    class: 'setup',
    message: '{file} is damaged. It is the checkpoint of partition {partition} of hub {hub}. Nothing was changed.',
    remedy:
      'Set `start_position: earliest` for the source, delete {file}, and start again: everything that the hub still has is read again, and no row is lost or duplicated. A different start_position would skip events.',
  },
  'AORTA-HUB-STALLED': {
    class: 'transient',
    message:
      'Partition {partition} of hub {hub} has a lag of {behind} events but has sent nothing for {seconds} s, although it was reopened.',
    remedy: 'The process exits, so that its supervisor restarts it. If this repeats, check the health of the namespace.',
  },
  'AORTA-CHECKPOINTS-UNREACHABLE': {
    class: 'setup',
    message: 'The checkpoint container {container} cannot be used ({problem}).',
    remedy:
      'Create the container, and check the connection string or the address of the storage account. If the source uses an identity, give it the role Storage Blob Data Contributor.',
  },
  'AORTA-CHECKPOINTS-KEPT': {
    class: 'setup',
    message: 'The storage account of the container {container} keeps a copy of every overwritten checkpoint and claim ({kept}).',
    remedy:
      'Turn {kept} off for this storage account, or use a separate account for checkpoints. The copies cost money and slow down listings. Reading continues.',
  },
} as const satisfies ErrorCatalogue;

export const HubError = errorsOf(hubErrors);
