import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Kafka errors, shared by sources and streams. */
export const kafkaErrors = {
  'AORTA-KAFKA-UNREACHABLE': {
    class: 'transient',
    message: 'No Kafka broker of {brokers} answered within {seconds} s ({reason}).',
    remedy:
      'Check the addresses, the network and the firewall, and that the brokers are running. If a broker accepts connections but never answers, a common cause is that only one side uses TLS.',
  },
  'AORTA-KAFKA-LOGIN': {
    class: 'setup',
    message: 'The Kafka brokers refused the login.',
    remedy:
      'Check user, password and mechanism. If the login uses tokens, check their audience, and that their user may access the cluster. For Event Hubs, the user is $ConnectionString, and the password is the whole connection string.',
  },
  'AORTA-KAFKA-TOKEN-REFUSED': {
    class: 'setup',
    message: 'The token endpoint {host} issued no token for the Kafka brokers ({reason}).',
    remedy:
      'Check token_url, client_id, client_secret, scope and audience. invalid_client means that the id or the secret is wrong, or that the secret has expired.',
  },
  'AORTA-KAFKA-TOKEN-FAILED': {
    class: 'transient',
    message: 'Could not get a token for the Kafka brokers from {host} ({reason}).',
    remedy:
      'Aorta retries. If it keeps failing, check the network and the firewall, and whether the endpoint works. With AWS, check the identity of this process.',
  },
  'AORTA-KAFKA-SIGNER': {
    class: 'setup',
    message: 'The package {signer} {problem}. It signs logins for AWS IAM.',
    remedy: 'Install it next to aorta: npm install {signer}',
  },
  'AORTA-KAFKA-TLS': {
    class: 'setup',
    message: 'Could not establish a TLS connection to the Kafka brokers ({reason}).',
    remedy:
      'Check that the port uses TLS, that `ca` contains the authority that signed its certificate, and that the certificate has the right host name. If there is a client key, check its passphrase.',
  },
  'AORTA-KAFKA-FORBIDDEN': {
    class: 'setup',
    message: 'The Kafka brokers deny this user access to the {what}.',
    remedy:
      'Reading needs READ and DESCRIBE on topic and group; writing needs WRITE and DESCRIBE on the topic. The state of enrichment jobs also needs WRITE and DESCRIBE on transactional ids that begin with the prefix of the topics.',
  },
  'AORTA-KAFKA-REFUSED': {
    class: 'setup',
    message: 'The Kafka brokers refused the request ({reason}).',
    remedy:
      "The reason is Kafka's name for the error. INCONSISTENT_GROUP_PROTOCOL means that other programs use the group: use a different group name.",
  },
  'AORTA-KAFKA-FAILED': {
    class: 'transient',
    message: 'The request to the Kafka cluster failed: {doing} ({reason}).',
    remedy: 'Aorta retries if a retry may succeed. If the request keeps failing, check the brokers.',
  },
  'AORTA-KAFKA-TOPIC-MISSING': {
    class: 'setup',
    message: 'The Kafka topic {topic} does not exist, or this user is not allowed to see it.',
    remedy: 'Check the name, and that the user may DESCRIBE the topic. If it does not exist, create it.',
  },
  'AORTA-KAFKA-PARTITION-MISSING': {
    class: 'setup',
    message: 'The Kafka topic {topic} has no partition {partition}.',
    remedy: 'Check how many partitions the topic has. It may have been recreated with fewer.',
  },
  'AORTA-KAFKA-OUT-OF-RANGE': {
    class: 'setup',
    message: 'Reading {topic}, partition {partition}, would continue at offset {next}, but the log contains {low} to {end}.',
    remedy:
      'Retention deleted records before they were read, or the topic was recreated. Reset the committed offset of the group yourself; records that the log no longer contains are lost.',
  },
  'AORTA-KAFKA-OFFSET': {
    class: 'setup',
    message: 'An offset of {topic}, partition {partition}, is larger than 2^53.',
    remedy: 'Delete and recreate the topic. Normal writes never reach an offset this large.',
  },
  'AORTA-KAFKA-COMMIT': {
    class: 'transient',
    message: 'The offset of {topic}, partition {partition}, was not committed ({reason}).',
    remedy: 'Aorta retries with the next commit, and no record is lost. If commits keep failing, check the brokers.',
  },
  'AORTA-KAFKA-RECORD-SIZE': {
    class: 'data',
    message: 'A record of {bytes} bytes exceeds the limit of {topic}, partition {partition}: {limit} bytes.',
    remedy: 'Raise max.message.bytes of the topic (and message.max.bytes of the brokers), or make the record smaller.',
  },
  'AORTA-KAFKA-UNACKNOWLEDGED': {
    class: 'transient',
    message: 'Records for {topic}, partition {partition}, were not acknowledged within {seconds} s ({reason}).',
    remedy: 'The records may or may not be in the topic. A program that writes them again must be able to recognize duplicates.',
  },
  'AORTA-KAFKA-GROUP-IN-USE': {
    class: 'setup',
    message: 'The consumer group {group} has members.',
    remedy: 'Stop them first: committed offsets can be set only while the group is empty.',
  },
} as const satisfies ErrorCatalogue;

export const KafkaError = errorsOf(kafkaErrors);
