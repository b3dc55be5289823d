import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const kafkaSourceErrors = {
  'AORTA-KAFKA-OFFSET-EXPIRED': {
    class: 'setup',
    message:
      'The group {group} is at offset {committed} of partition {partition}, but the log starts at {low}: retention removed {records} offsets before they were read.',
    remedy:
      'If possible, send these records again, and extend the retention of the topic. To continue without them, set when_expired: continue. Nothing was changed.',
  },
  'AORTA-KAFKA-OFFSET-BEYOND': {
    class: 'setup',
    message: 'The group {group} is at offset {committed} of partition {partition}, but its log ends at {end}.',
    remedy:
      'The topic was recreated, or this is a different cluster. If so, reset the offsets of the group (kafka-consumer-groups.sh --reset-offsets), or give the source a different consumer_group: reading then starts at start_position. Nothing was changed.',
  },
  'AORTA-KAFKA-TOPIC-OWN': {
    class: 'setup',
    message: 'The topic {topic} holds streams of Aorta, so it cannot be a source.',
    remedy: 'Remove it from `topics`, and name the topics with the events. Nothing was read.',
  },
  'AORTA-KAFKA-TRANSACTION-OPEN': {
    class: 'transient',
    message:
      'A transaction of a producer has been open since {since}. It holds partition {partition} at offset {offset}: nothing from there up to offset {end} can be read, not even the records of other producers.',
    remedy:
      'Aorta reads these records when the transaction ends. A run with --once ends without them, and a later run reads them. If the producer has died, the brokers abort its transaction after transaction.timeout.ms. To abort it now, run `kafka-transactions.sh --bootstrap-server {brokers} abort --topic {topic} --partition {number} --start-offset {offset}`.',
  },
} as const satisfies ErrorCatalogue;

export const KafkaSourceError = errorsOf(kafkaSourceErrors);
