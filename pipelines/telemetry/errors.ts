/**
 * The error catalogue: the only place where errors that people read are made.
 *
 * Each entry has a code that never changes its meaning, a class that says what a program should do about it, a sentence
 * with named places, and what a person can do. Details are names, counts and positions; a value of health data or an
 * identifier of a person never becomes one. Messages of third-party libraries are not passed on: they quote values.
 */

/** What to do about an error: *setup* alert once, retry slowly; *transient* retry with backoff; *data* dead letter; *usage* correct the command; *bug* stop. */
export type ErrorClass = 'setup' | 'transient' | 'data' | 'usage' | 'bug';

interface CatalogueEntry {
  readonly class: ErrorClass;
  /** What happened, with `{place}`s filled from the details. */
  readonly message: string;
  /** What a person can do about it. */
  readonly remedy: string;
}

export const catalogue = {
  'AORTA-CONFIG-NOT-FOUND': {
    class: 'usage',
    message: 'There is no configuration file {file}.',
    remedy: 'Give another path with --config, or leave --config away to use ./aorta.yaml or the defaults.',
  },
  'AORTA-CONFIG-SYNTAX': {
    class: 'usage',
    message: '{file}:{line}:{column}: this is not YAML ({problem}).',
    remedy: 'Correct the line; `aorta validate` checks the file again.',
  },
  'AORTA-CONFIG-INVALID': {
    class: 'usage',
    message: '{file}:{line}: {field}: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-CONFIG-VARIABLE': {
    class: 'usage',
    message: '{file}:{line}: the environment variable {variable} is not set.',
    remedy: 'Set it, or give a default after the name: {variable}:-value.',
  },
  'AORTA-USAGE': {
    class: 'usage',
    message: '{problem}.',
    remedy: '{hint}',
  },
  'AORTA-FILE-NOT-FOUND': {
    class: 'usage',
    message: 'There is no file or folder {file}.',
    remedy: 'Check the path.',
  },
  'AORTA-FILE-UNREADABLE': {
    class: 'setup',
    message: '{file} cannot be read ({code}).',
    remedy: 'Check the permissions of the file and of its folders.',
  },
  'AORTA-FILE-LEFT-OUT': {
    class: 'data',
    message: '{file} was left out: {problem}.',
    remedy: 'The other files were taken. Remove it from the folder, or put a file in its place and load again.',
  },
  'AORTA-FILE-COMPRESSION': {
    class: 'data',
    message: '{file} is not a whole gzip file: decompression failed {where}.',
    remedy: 'Everything before the damage was taken. Fetch the file again and load it again; nothing is doubled.',
  },
  'AORTA-FILE-EMPTY': {
    class: 'data',
    message: '{file} is empty.',
    remedy: 'Nothing to do if it should be. Otherwise fetch it again and load it again.',
  },
  'AORTA-FILE-ENTRY': {
    class: 'data',
    message: '{file}:{line}: {problem}.',
    remedy:
      'The line is kept as a dead letter. A delivery line is {"source": text, "partition": number or text, "offset": whole number, "received_at": RFC 3339, "headers": {…}, "body": any JSON} or has "body_base64" in place of "body".',
  },
  'AORTA-FILE-OFFSETS': {
    class: 'data',
    message:
      '{file}:{line}: offset {offset} of source {source}, partition {partition}, does not ascend (the line before had {previous}).',
    remedy:
      'Offsets ascend within a delivery file. Sort the lines of each partition by offset, or give each partition a file of its own.',
  },
  'AORTA-FILE-TOO-LARGE': {
    class: 'data',
    message: '{file}:{line}: a line or JSON document of more than {limit} bytes was left out.',
    remedy: 'Write the file as NDJSON, one event a line, or raise limits.document_bytes in the configuration.',
  },
  'AORTA-FILE-ENDLESS': {
    class: 'data',
    message: '{file}:{line}: this line inflates to far more than {limit} bytes; the file was not read further.',
    remedy:
      'Everything before the line was taken. Fetch the file again, or raise limits.document_bytes in the configuration, and load it again; nothing is doubled.',
  },
  'AORTA-FILE-RECEIVED-AT': {
    class: 'usage',
    message: '{file} is a plain event file, and the tables already hold rows of another source.',
    remedy:
      'Say when these events were received with --received-at (RFC 3339): an old export must not win over newer rows by the time it was downloaded.',
  },
  'AORTA-DATA-LOCKED': {
    class: 'setup',
    message: 'The data folder {folder} is in use by process {pid}.',
    remedy: 'Wait for that process or stop it. `aorta query` and `aorta status` work beside it.',
  },
  'AORTA-DATA-LOCKED-ELSEWHERE': {
    class: 'setup',
    message: 'The data folder {folder} is in use by process {pid} of host {host}.',
    remedy:
      'Wait for that process or stop it. If that machine or container is gone for good, delete {path} and start again; never while it runs.',
  },
  'AORTA-DATA-NEWER': {
    class: 'setup',
    message: '{path} was written by a newer version of Aorta (format {found}; this one reads {known}).',
    remedy: 'Use the newer version.',
  },
  'AORTA-DATA-UNWRITABLE': {
    class: 'setup',
    message: '{path} cannot be written ({code}).',
    remedy:
      'Check the free space and the permissions of the folder, then start again: nothing that was reported as loaded is lost.',
  },
  'AORTA-SEGMENT-TORN': {
    class: 'data',
    message: 'The segment {file} ended in the middle of a block: {bytes} bytes after record {record} were cut.',
    remedy: 'Nothing to do: the block had not been reported as durable, and its source sends it again.',
  },
  'AORTA-SEGMENT-CORRUPT': {
    class: 'setup',
    message: 'The segment {file} is damaged in the middle, in the block after record {record}.',
    remedy:
      "Restore the file from a backup, or move the stream's folder away and load its deliveries again: nothing is doubled. The other streams go on.",
  },
  'AORTA-STREAMS-MISSING': {
    class: 'usage',
    message: 'There are no streams at {folder} yet.',
    remedy: 'Load something first (aorta load FILE…), or name the place of the data with --warehouse, --data or --config.',
  },
  'AORTA-STREAM-SHORTER': {
    class: 'setup',
    message: 'The stream {stream} ends at record {end}, but {position} of its records are in the tables.',
    remedy:
      'A segment of it is missing. Restore its folder from a backup, or move the folder away and load its deliveries again: nothing is doubled.',
  },
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
  'AORTA-WAREHOUSE-LOCKED': {
    class: 'setup',
    message: 'The warehouse {path} is in use by another process.',
    remedy:
      'DuckDB lets one process write: one worker lands and merges, however many take deliveries in (`aorta run --only consumers`). Stop the other one, or read the published copy beside it with `aorta query`. Several workers need BigQuery as their warehouse.',
  },
  'AORTA-WAREHOUSE-UNPUBLISHED': {
    class: 'transient',
    message: 'Another process is making the tables of {path}; none are published yet.',
    remedy: 'Try again in a moment.',
  },
  'AORTA-WAREHOUSE-UNREADABLE': {
    class: 'setup',
    message: 'The warehouse {path} cannot be opened ({problem}).',
    remedy:
      'If the file was written by a newer version of Aorta or DuckDB, use that version. Otherwise move the file away: the tables are rebuilt from the streams.',
  },
  'AORTA-WAREHOUSE-COLUMN': {
    class: 'setup',
    message: 'The warehouse {path} is of another version: column {column} of {table} {problem}.',
    remedy:
      'Nothing was changed. Use the version that wrote the file, or move it and its published copy away: aorta run --only jobs --once makes the tables again from the streams.',
  },
  'AORTA-WAREHOUSE-MISSING': {
    class: 'usage',
    message: 'There is no warehouse at {path} yet.',
    remedy:
      'Load something first: aorta load FILE… --warehouse duckdb:{path}. Where the streams hold records already, aorta run --only jobs --once makes the tables from them.',
  },
  'AORTA-WAREHOUSE-FAILED': {
    class: 'setup',
    message: 'The warehouse refused {step} ({problem}).',
    remedy: 'Nothing was committed. Run `aorta doctor`, then start again.',
  },
  'AORTA-BIGQUERY-CREDENTIALS': {
    class: 'setup',
    message: 'BigQuery does not know who asks: {reason}.',
    remedy:
      'Give `key_file` in `warehouse`, set GOOGLE_APPLICATION_CREDENTIALS, or run where a service account is attached; for a person, `gcloud auth application-default login`.',
  },
  'AORTA-BIGQUERY-FORBIDDEN': {
    class: 'setup',
    message: 'BigQuery does not allow {step} on {of} (permission: {permission}).',
    remedy:
      'Check `project` and `dataset`, and give the account the roles BigQuery Data Editor on the dataset and BigQuery Job User on the project; docs/guides/bigquery.md lists every permission. Nothing was lost.',
  },
  'AORTA-BIGQUERY-PROJECT': {
    class: 'setup',
    message: 'The project in `warehouse` cannot be used: {reason}.',
    remedy: 'Check `project` in `warehouse`, that the BigQuery API is enabled there, and that it has billing.',
  },
  'AORTA-BIGQUERY-DATASET': {
    class: 'setup',
    message: 'There is no dataset {dataset} in project {project} that this account may see.',
    remedy: 'Check both names; `aorta apply` makes the dataset, where the account may create one.',
  },
  'AORTA-BIGQUERY-LOCATION': {
    class: 'setup',
    message: 'The dataset {dataset} is in {found}, and `location` says {configured}.',
    remedy: 'Set `location: {found}` in `warehouse`. A dataset cannot be moved: for another place, name another dataset.',
  },
  'AORTA-BIGQUERY-TABLE': {
    class: 'setup',
    message: 'The table {table} is not as this version declares it: {problem}.',
    remedy:
      '`aorta plan` says what differs, `aorta apply` adds what is missing. What somebody else made under this name has to be renamed by hand, or Aorta given another dataset. Nothing was changed.',
  },
  'AORTA-BIGQUERY-MISSING': {
    class: 'setup',
    message: 'BigQuery did not find what {step} needs in {of}.',
    remedy: '`aorta plan` says what is missing, and `aorta apply` makes it. Landed batches wait meanwhile.',
  },
  'AORTA-BIGQUERY-QUOTA': {
    class: 'transient',
    message: 'A limit of BigQuery held up {step} for {seconds} s: {reason}.',
    remedy:
      'Quotas of a day come back at midnight, Pacific time; what waits is kept. Does something else load into this project? `workers` in `warehouse` has to be the number of processes that share its quotas.',
  },
  'AORTA-BIGQUERY-UNAVAILABLE': {
    class: 'transient',
    message: 'BigQuery did not do it within {seconds} s: {step} ({reason}).',
    remedy:
      'The process ends, to be started again; nothing is lost and nothing doubled. Where it stays so, look at the network and at status.cloud.google.com.',
  },
  'AORTA-BIGQUERY-FAILED': {
    class: 'setup',
    message: 'BigQuery refused {step}: {reason}.',
    remedy:
      'Nothing was lost: what is landed stays. `aorta doctor` looks at what is needed; docs/guides/bigquery.md lists the reasons.',
  },
  'AORTA-BIGQUERY-REFUSED': {
    class: 'bug',
    message: 'BigQuery did not accept what was sent for {step}: {reason}.',
    remedy: 'Please report it with this line. Nothing was lost: what was not accepted stays in the streams or in landed batches.',
  },
  'AORTA-BIGQUERY-BATCH-GONE': {
    class: 'bug',
    message: 'The landed batch {batch} is gone, and nothing says that it was merged.',
    remedy:
      'Who deleted it? BigQuery keeps a deleted table for seven days: copy it back with `bq cp {dataset}.{batch}@-3600000 {dataset}.{batch}`. Else replay its records from the streams.',
  },
  'AORTA-BIGQUERY-CAP': {
    class: 'setup',
    message: '{step} would cost more than is left of `most_per_day`.',
    remedy:
      'It waits for the next day (UTC), and landing goes on. `aorta status --cost` shows the day; raise `most_per_day` if it is too low.',
  },
  'AORTA-BIGQUERY-UNMADE': {
    class: 'setup',
    message: '`aorta apply` could not make all of the dataset {dataset}: {count} missing ({names}).',
    remedy: 'What was made stays. The lines above say why of each; mend that, and run `aorta apply` again.',
  },
  'AORTA-BIGQUERY-BATCH-ASIDE': {
    class: 'setup',
    message: 'BigQuery cannot merge the landed batch {batch} into {table}, even alone: {reason}.',
    remedy:
      'Nothing is lost: the batch stays landed, is tried again after an hour and then ever less often, and the other batches are merged without it. `aorta run --once` tries it at once. If it fails again, give the project more slots for a while, or report it with this line.',
  },
  'AORTA-QUERY-NOT-READ-ONLY': {
    class: 'usage',
    message: 'Only one SELECT is allowed here; this is {statement}.',
    remedy: 'Write one statement that starts with SELECT, WITH, FROM, VALUES, DESCRIBE or SUMMARIZE.',
  },
  'AORTA-QUERY-FAILED': {
    class: 'usage',
    message: 'The query failed: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-HEALTH-PORT': {
    class: 'setup',
    message: 'Health cannot be served at {host}:{port} ({code}).',
    remedy: 'Give another health.port in the configuration (0 takes a free one), or end the process that has it.',
  },
  'AORTA-KAFKA-LOCAL': {
    class: 'setup',
    message: 'No Kafka broker can be started on this machine: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-BIGQUERY-LOCAL': {
    class: 'setup',
    message: 'No local BigQuery can be started on this machine: {problem}.',
    remedy: '{hint}',
  },
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
  'AORTA-SERVICE-KEY': {
    class: 'setup',
    message: 'The service at {host} does not know the API key.',
    remedy:
      'Check service.key, that it is a team key of the region and environment of service.base_url, and the name of the header (service.key_header).',
  },
  'AORTA-SERVICE-FORBIDDEN': {
    class: 'setup',
    message: 'The service at {host} does not let this key do {operation}.',
    remedy: 'Check the rights and the plan of the team.',
  },
  'AORTA-SERVICE-NOT-ENABLED': {
    class: 'setup',
    message: 'The service at {host} has not opened {operation} for this team: it is in closed beta.',
    remedy: 'Ask the service to enable it, or leave out what needs it. Everything else goes on.',
  },
  'AORTA-SERVICE-GONE': {
    class: 'data',
    message: 'The service at {host} has no such thing any more: {operation}.',
    remedy: 'Nothing to do: what was asked for has been deleted there.',
  },
  'AORTA-SERVICE-REFUSED': {
    class: 'setup',
    message: 'The service at {host} refused {operation} (status {status}).',
    remedy:
      'Check service.base_url: it is the address without the version, such as https://api.example.com. If that is right, the API may have changed.',
  },
  'AORTA-SERVICE-BUSY': {
    class: 'transient',
    message: 'The service at {host} had no time for {operation} (status {status}).',
    remedy: 'It is asked again later. If that repeats, lower service.concurrency, or the pace of what asks.',
  },
  'AORTA-NOTICE-REFUSED': {
    class: 'setup',
    message: 'The webhook at {host} did not accept the notice (status {status}).',
    remedy:
      'Check historical_pulls.notices: the address, the secret by which notices are signed, and the authentication header. Then try `aorta pulls --test-notice` again.',
  },
  'AORTA-NOTICE-UNREACHABLE': {
    class: 'transient',
    message: 'The webhook at {host} could not be reached ({reason}).',
    remedy: 'Check historical_pulls.notices.webhook and the network. `aorta run` keeps notices and sends them again.',
  },
  'AORTA-SERVICE-UNREACHABLE': {
    class: 'transient',
    message: 'The service at {host} did not answer {operation} ({reason}).',
    remedy: 'It is asked again later. If it lasts, check service.base_url, the network, and service.deadline_s.',
  },
  'AORTA-SERVICE-ANSWER': {
    class: 'transient',
    message: 'What {host} answered to {operation} is {problem}.',
    remedy: 'Check service.base_url and whatever stands between: a page for people comes from a proxy, or from another host.',
  },
  'AORTA-SERVICE-TOO-LARGE': {
    class: 'data',
    message: 'The answer of {host} to {operation} has more than {limit} bytes.',
    remedy: 'Raise service.answer_bytes, or ask for less at a time.',
  },
  'AORTA-SERVICE-CURSOR': {
    class: 'transient',
    message: 'The pages of {operation} go round in a circle: after {pages} pages a cursor came again.',
    remedy: 'It is asked again from the beginning later; what came was taken. If it lasts, tell the service.',
  },
  'AORTA-BUG': {
    class: 'bug',
    message: 'Something happened in {place} that should not be possible ({problem}).',
    remedy: 'Please report it with this line. Data that was reported as loaded is safe.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** Names, counts and positions. Never a value of health data, never an identifier of a person. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

const mark = Symbol.for('aorta.error');

/** An error out of the catalogue. Recognise it with {@link isAortaError}, which also works over two copies of this package. */
export class AortaError extends Error {
  readonly code: ErrorCode;
  readonly class: ErrorClass;
  readonly remedy: string;
  readonly details: ErrorDetails;
  readonly [mark] = true;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const entry = catalogue[code];
    super(fill(entry.message, details));
    this.name = 'AortaError';
    this.code = code;
    this.class = entry.class;
    this.remedy = fill(entry.remedy, details);
    this.details = details;
  }
}

export function isAortaError(error: unknown): error is AortaError {
  return typeof error === 'object' && error !== null && mark in error;
}

function fill(text: string, details: ErrorDetails): string {
  return text.replace(/\{([a-z_]+)\}/g, (place, name: string) => (name in details ? String(details[name]) : place));
}
