import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of streams in Kafka topics and of their schema registry. */
export const topicErrors = {
  'AORTA-STREAM-TOPIC-MISSING': {
    class: 'setup',
    message: 'The topic {topic}, which the streams need, does not exist.',
    remedy: 'Create the topics with `aorta apply`, which needs permission to create topics. `aorta plan` shows what it would do.',
  },
  'AORTA-STREAM-RECREATED': {
    class: 'transient',
    message:
      'Topic {topic}, partition {partition}, ends at {end} but ended at {known} before: the topic was recreated, or has lost records.',
    remedy:
      'Aorta reads the topic again from its beginning; no row is duplicated. If records were lost before they reached the tables, let the sources deliver them again.',
  },
  'AORTA-STREAM-TOPIC-SHORTER': {
    class: 'setup',
    message: 'Topic {topic}, partition {partition}, ends at {end}, but the tables contain its records up to {position}.',
    remedy:
      'The topic has lost records at its end, or was recreated. Start a worker that runs ingestion: it registers a new incarnation of the topic. The loader then reads the topic from its beginning. No row is duplicated.',
  },
  'AORTA-STREAM-OVERTAKEN': {
    class: 'setup',
    message:
      'Topic {topic}, partition {partition}, begins at {low}, but the tables contain its records only up to {position}: retention deleted the records in between.',
    remedy:
      'Let the sources deliver the missing records again. Then set `overtaken: continue` in `streams` for one run, which continues with the first record that the topic still contains. To keep records longer, raise `retention_hours` and the topic’s retention.ms.',
  },
  'AORTA-STREAM-UNREADABLE': {
    class: 'setup',
    message: 'The record at {position} of topic {topic}, partition {partition}, cannot be read: {problem}.',
    remedy:
      'Another program, or a newer version of Aorta, has written to the topic. Run that version, or revoke the other program’s permission to write. Aorta still reads the other partitions.',
  },
  'AORTA-STREAM-REGISTRY': {
    class: 'transient',
    message: 'The schema registry at {host} cannot be used: {reason}.',
    remedy: 'Aorta retries. If it keeps failing, check `registry` in `streams` and the log of the registry.',
  },
  'AORTA-STREAM-INCOMPATIBLE': {
    class: 'setup',
    message:
      'The schema registry at {host} rejects the schema of subject {subject}, because it breaks the compatibility rule of that subject.',
    remedy:
      'Aorta’s schemas are FULL_TRANSITIVE compatible, so another program must have registered or changed a schema under this subject. Use a different `prefix` for the topics, or delete the schema of the other program from the registry.',
  },
  'AORTA-STREAM-SILENT': {
    class: 'transient',
    message: 'Topic {topic} was not read to its end within {seconds} s.',
    remedy:
      'Aorta retries. If it keeps failing, check that this user may read the topic, and may use consumer groups whose names begin with the prefix of the topics. A transaction that another program has left open in the topic also has this effect.',
  },
  'AORTA-STREAM-TRANSACTION-OPEN': {
    class: 'transient',
    message:
      'An open transaction holds topic {topic}, partition {partition}, at offset {offset}: nothing from there up to offset {end} can be read.',
    remedy:
      'Another program has begun the transaction, because Aorta writes its streams without transactions. End the transaction, or run `kafka-transactions.sh --bootstrap-server BROKER abort --topic {topic} --partition {partition} --start-offset {offset}`. Revoke the other program’s permission to write. Aorta then reads the remaining records.',
  },
  'AORTA-STREAM-STATE-TAKEN': {
    class: 'transient',
    message: 'Another worker has taken over the job {job}, so this worker could not save the state of the job.',
    remedy:
      'Do nothing: the other worker runs the job. If this happens often, find out why workers freeze for longer than the session timeout of 30 s, for example because a virtual machine is paused.',
  },
} as const satisfies ErrorCatalogue;

export const TopicError = errorsOf(topicErrors);
