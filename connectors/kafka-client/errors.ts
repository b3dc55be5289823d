import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of Kafka clusters, for sources and streams. */
export const kafkaErrors = {
  'AORTA-KAFKA-UNREACHABLE': {
    class: 'transient',
    message: 'No Kafka broker of {brokers} answered within {seconds} s ({reason}).',
    remedy:
      'Check the addresses, the network and the firewall, and whether the brokers run. A broker that takes connections and answers nothing often expects TLS, or none.',
  },
  'AORTA-KAFKA-LOGIN': {
    class: 'setup',
    message: 'The Kafka brokers refused the login.',
    remedy:
      'Check user, password and mechanism; with tokens, their audience, and that the user they name may use the cluster. For Event Hubs the user is $ConnectionString, and the password the whole connection string.',
  },
  'AORTA-KAFKA-TOKEN-REFUSED': {
    class: 'setup',
    message: 'The token endpoint {host} gave no token for the Kafka brokers ({reason}).',
    remedy:
      'Check token_url, client_id, client_secret, scope and audience. invalid_client: the id or the secret is wrong, or the secret has expired.',
  },
  'AORTA-KAFKA-TOKEN-FAILED': {
    class: 'transient',
    message: 'No token for the Kafka brokers could be had of {host} ({reason}).',
    remedy:
      'It is tried again. If it lasts, check the network and the firewall, and whether the endpoint works; with AWS, the identity of this process.',
  },
  'AORTA-KAFKA-SIGNER': {
    class: 'setup',
    message: 'The package {signer} {problem}, which signs logins for AWS IAM.',
    remedy: 'Install it beside aorta: npm install {signer}',
  },
  'AORTA-KAFKA-TLS': {
    class: 'setup',
    message: 'No safe connection to the Kafka brokers came about ({reason}).',
    remedy:
      'Check whether the port speaks TLS, the authority (ca) that signed its certificate, and the name in it; with a key of your own, its passphrase.',
  },
  'AORTA-KAFKA-FORBIDDEN': {
    class: 'setup',
    message: 'The Kafka brokers do not let this user use the {what}.',
    remedy: 'Reading needs READ and DESCRIBE on topic and group, writing WRITE and DESCRIBE on the topic.',
  },
  'AORTA-KAFKA-REFUSED': {
    class: 'setup',
    message: 'The Kafka brokers refused what was asked for ({reason}).',
    remedy:
      "The name is Kafka's own for the error. INCONSISTENT_GROUP_PROTOCOL: other programs use the group; take another name.",
  },
  'AORTA-KAFKA-FAILED': {
    class: 'transient',
    message: 'The Kafka cluster did not do it: {doing} ({reason}).',
    remedy: 'It is tried again where that helps. If it lasts, look at the brokers.',
  },
  'AORTA-KAFKA-TOPIC-MISSING': {
    class: 'setup',
    message: 'There is no Kafka topic {topic} that this user may see.',
    remedy: 'Check the name, and that the user may DESCRIBE it; or make the topic.',
  },
  'AORTA-KAFKA-PARTITION-MISSING': {
    class: 'setup',
    message: 'The Kafka topic {topic} has no partition {partition}.',
    remedy: 'Check how many partitions it has: it may have been made anew with fewer.',
  },
  'AORTA-KAFKA-OUT-OF-RANGE': {
    class: 'setup',
    message: 'Reading {topic}, partition {partition}, goes on at offset {next}, but the log holds {low} to {end}.',
    remedy:
      'Records between were deleted before they were read (retention), or the topic was made anew. Set the position of the group on purpose; what the log no longer has is lost.',
  },
  'AORTA-KAFKA-OFFSET': {
    class: 'setup',
    message: 'An offset of {topic}, partition {partition}, is larger than 2^53.',
    remedy: 'Nothing can be done here; no partition comes that far by records alone. Make the topic anew.',
  },
  'AORTA-KAFKA-COMMIT': {
    class: 'transient',
    message: 'A position in {topic}, partition {partition}, was not committed ({reason}).',
    remedy: 'It is tried again with the next commit. If it lasts, look at the brokers; nothing is lost meanwhile.',
  },
  'AORTA-KAFKA-RECORD-SIZE': {
    class: 'data',
    message: 'A record of {bytes} bytes is more than {topic}, partition {partition}, takes: {limit} bytes.',
    remedy: 'Raise max.message.bytes of the topic (and message.max.bytes of the brokers), or make the record smaller.',
  },
  'AORTA-KAFKA-UNACKNOWLEDGED': {
    class: 'transient',
    message: 'Records for {topic}, partition {partition}, were not acknowledged within {seconds} s ({reason}).',
    remedy: 'They may be in the topic, or not. Whoever writes them again has to be able to tell that they are the same.',
  },
  'AORTA-KAFKA-GROUP-IN-USE': {
    class: 'setup',
    message: 'The consumer group {group} has members.',
    remedy: 'Stop them first: positions of a group are set while nobody reads.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link kafkaErrors}. */
export const KafkaError = errorsOf(kafkaErrors);
