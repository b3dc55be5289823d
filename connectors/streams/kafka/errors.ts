import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of streams in Kafka topics and of their schema registry. */
export const topicErrors = {
  'AORTA-STREAM-TOPIC-MISSING': {
    class: 'setup',
    message: 'There is no topic {topic} for the streams.',
    remedy: 'Make the topics with `aorta apply`, which asks for the right to create them; `aorta plan` says what it would do.',
  },
  'AORTA-STREAM-RECREATED': {
    class: 'transient',
    message: 'Topic {topic} ends at {end} in partition {partition}, where it had {known}: it was made anew, or has lost records.',
    remedy:
      'Aorta goes on with what it holds, from its beginning; nothing is doubled. What was in it and not in the tables has to come from the sources again.',
  },
  'AORTA-STREAM-TOPIC-SHORTER': {
    class: 'setup',
    message: 'Topic {topic} ends at {end} in partition {partition}, but its records are in the tables to {position}.',
    remedy:
      'It has lost records at its end, or was made anew. Start a worker that takes deliveries in: it notes that this is another topic, whose records are then read from the beginning; nothing is doubled.',
  },
  'AORTA-STREAM-OVERTAKEN': {
    class: 'setup',
    message:
      'Topic {topic} begins at {low} in partition {partition}, and its records are in the tables to {position} only: retention has dropped what is between.',
    remedy:
      'Let the sources deliver it again; then set `overtaken: continue` in `streams` for one run, which goes on at the beginning of the topic. Keep records longer with `retention_hours`, and the topic’s retention.ms.',
  },
  'AORTA-STREAM-UNREADABLE': {
    class: 'setup',
    message: 'The record at {position} of topic {topic}, partition {partition}, cannot be read: {problem}.',
    remedy:
      'Something else than Aorta, or a later version of it, writes to the topic. Go back to that version, or take away its right to write; the other partitions are read on.',
  },
  'AORTA-STREAM-REGISTRY': {
    class: 'transient',
    message: 'The schema registry at {host} cannot be used: {reason}.',
    remedy: 'Aorta tries again. Where it stays so: check `registry` in `streams`, and the registry’s own log.',
  },
  'AORTA-STREAM-INCOMPATIBLE': {
    class: 'setup',
    message: 'The schema registry at {host} does not take the schema of subject {subject}: its rule does not allow it.',
    remedy:
      'Schemas of Aorta keep to FULL_TRANSITIVE. Somebody else registered a schema under this subject, or changed one: give the topics another `prefix`, or take that version out.',
  },
  'AORTA-STREAM-SILENT': {
    class: 'transient',
    message: 'Topic {topic} was not read to its end in {seconds} s.',
    remedy: 'Aorta tries again. Where it stays so: may this user read the topic, and groups whose names begin as its topics do?',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link topicErrors}. */
export const TopicError = errorsOf(topicErrors);
