import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const kafkaSourceErrors = {
  'AORTA-KAFKA-OFFSET-EXPIRED': {
    class: 'setup',
    message:
      'The group {group} is at offset {committed} of partition {partition}, but the first one that the log still has is {low}: retention has removed {records} offsets before they were read.',
    remedy:
      'Fetch them again from where they came from, if that is possible, and lengthen the retention of the topic. To go on without them, set when_expired: continue. Nothing was changed.',
  },
  'AORTA-KAFKA-OFFSET-BEYOND': {
    class: 'setup',
    message: 'The group {group} is at offset {committed} of partition {partition}, but its log ends at {end}.',
    remedy:
      'The topic was made anew, or this is another cluster. If so, reset the offsets of the group (kafka-consumer-groups.sh --reset-offsets), or give the source another consumer_group: it is then read from start_position. Nothing was changed.',
  },
} as const satisfies ErrorCatalogue;

export const KafkaSourceError = errorsOf(kafkaSourceErrors);
