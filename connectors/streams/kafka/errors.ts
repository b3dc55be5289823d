import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of streams in Kafka topics and of their schema registry. */
export const topicErrors = {
  'AORTA-STREAM-TOPIC-MISSING': {
    class: 'setup',
    message: 'The topic {topic} of the streams does not exist.',
    remedy: 'Create the topics with `aorta apply`, which needs permission to create topics. `aorta plan` shows what it would do.',
  },
  'AORTA-STREAM-RECREATED': {
    class: 'transient',
    message:
      'Topic {topic}, partition {partition}, ends at {end} but ended at {known} before: it was created again, or has lost records.',
    remedy:
      'Aorta reads the topic again from its beginning; no row is duplicated. If records were lost before they reached the tables, let the sources deliver them again.',
  },
  'AORTA-STREAM-TOPIC-SHORTER': {
    class: 'setup',
    message: 'Topic {topic}, partition {partition}, ends at {end}, but the tables contain its records up to {position}.',
    remedy:
      'The topic has lost records at its end, or was created again. Start a worker that runs ingestion: it notes a new incarnation of the topic, whose records are then read from the beginning. No row is duplicated.',
  },
  'AORTA-STREAM-OVERTAKEN': {
    class: 'setup',
    message:
      'Topic {topic}, partition {partition}, begins at {low}, but the tables contain its records only up to {position}: retention deleted the records between.',
    remedy:
      'Let the sources deliver the missing records again. Then set `overtaken: continue` in `streams` for one run, which continues at the beginning of the topic. To keep records longer, raise `retention_hours` and the topic’s retention.ms.',
  },
  'AORTA-STREAM-UNREADABLE': {
    class: 'setup',
    message: 'The record at {position} of topic {topic}, partition {partition}, cannot be read: {problem}.',
    remedy:
      'A different program, or a later version of Aorta, writes to the topic. Run that version, or revoke the permission to write. Aorta still reads the other partitions.',
  },
  'AORTA-STREAM-REGISTRY': {
    class: 'transient',
    message: 'The schema registry at {host} cannot be used: {reason}.',
    remedy: 'Aorta retries. If it keeps failing, check `registry` in `streams` and the log of the registry.',
  },
  'AORTA-STREAM-INCOMPATIBLE': {
    class: 'setup',
    message: 'The schema registry at {host} rejects the schema of subject {subject}: its compatibility rule forbids it.',
    remedy:
      'Aorta’s schemas are FULL_TRANSITIVE compatible, so a different program registered or changed a schema under this subject. Use a different `prefix` for the topics, or delete that version from the registry.',
  },
  'AORTA-STREAM-SILENT': {
    class: 'transient',
    message: 'Topic {topic} was not read to its end within {seconds} s.',
    remedy:
      'Aorta retries. If it keeps failing, check that this user may read the topic, and may use groups that begin with the prefix of the topics.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link topicErrors}. */
export const TopicError = errorsOf(topicErrors);
