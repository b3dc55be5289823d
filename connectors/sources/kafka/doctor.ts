import { silentLogger } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../../finding.ts';
import { openKafka } from '../../kafka-client/index.ts';
import type { ProbeSurroundings } from '../../source.ts';
import { brokersOf, connectionOf } from './connection.ts';
import { KafkaSourceError } from './errors.ts';
import type { KafkaSettings } from './options.ts';
import { type MisplacedGroup, misplaced, type ProbedTopic, probeTopics, waiting } from './probe.ts';

/** Checks that every configured topic can be reached and that its log contains the group's offsets. Reports who sets record timestamps. */
export async function probe(sources: readonly KafkaSettings[], { patience }: ProbeSurroundings): Promise<readonly Finding[]> {
  const findings = sources.map((source) =>
    clusterFindings({
      ...source,
      connect_s: Math.min(source.connect_s, patience.connectMs / 1000),
      request_s: Math.min(source.request_s, patience.requestMs / 1000),
    }),
  );
  return (await Promise.all(findings)).flat();
}

async function clusterFindings(source: KafkaSettings): Promise<readonly Finding[]> {
  const check = `kafka ${source.name}`;
  try {
    await using client = openKafka(await connectionOf(source), { logger: silentLogger });
    const topics = await probeTopics(client.admin, source);
    if (topics.length === 0) return [noTopic(check, source)];
    return topics.flatMap((topic) => [
      ...topicFindings(topic, source),
      ...misplaced(topic).map((misplacement) => misplacedFinding(topic.topic, source, misplacement)),
    ]);
  } catch (error) {
    return [failure(check, error)];
  }
}

function noTopic(check: string, source: KafkaSettings): Finding {
  return {
    check,
    state: 'warn',
    found: `no topic at ${brokersOf(source).join(', ')} matches topics_regex`,
    remedy: 'Correct topics_regex, or wait: a matching topic is read as soon as it exists.',
  };
}

function topicFindings(topic: ProbedTopic, source: KafkaSettings): Finding[] {
  const check = `topic ${topic.topic}`;
  const found = `${counted(topic.partitions.length, 'partition')}, the group ${source.consumer_group} has a lag of ${counted(waiting(topic), 'record')} at ${brokersOf(source).join(', ')}`;
  if (topic.timestamps !== 'CreateTime') return [{ check, state: 'ok', found }];
  return [
    { check, state: 'ok', found },
    {
      check,
      state: 'warn',
      found: 'producers set the timestamps of its records (message.timestamp.type is CreateTime), so they may go backwards',
      remedy:
        'The version order of deliveries uses these timestamps. Set message.timestamp.type=LogAppendTime for the topic, unless it has a single producer with one clock.',
    },
  ];
}

/** Reports that the source would reject the committed offset. The finding is only a warning if the source may skip expired records. */
function misplacedFinding(topic: string, source: KafkaSettings, { partition, committed, low, end }: MisplacedGroup): Finding {
  const place = { group: source.consumer_group, partition: `${topic}/${partition}`, committed };
  const check = `topic ${topic}`;
  if (committed >= low) return failure(check, new KafkaSourceError('AORTA-KAFKA-OFFSET-BEYOND', { ...place, end }));
  const expired = new KafkaSourceError('AORTA-KAFKA-OFFSET-EXPIRED', { ...place, low, records: low - committed });
  return failure(check, expired, source.when_expired === 'continue' ? 'warn' : 'fail');
}
