/** A broker's view of its cluster. */
export interface Metadata {
  /** Numbers of the brokers that are alive. */
  readonly nodes: readonly number[];
  readonly partitions: readonly PartitionMetadata[];
}

interface PartitionMetadata {
  readonly topic: string;
  readonly partition: number;
  /** -1 if the partition has no leader. */
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly inSync: readonly number[];
}

/** Parses the response to a Metadata request (version 4). `answer` starts at the correlation id. */
export function metadataOf(answer: Buffer): Metadata {
  let at = 8;
  const passed = (bytes: number): number => {
    at += bytes;
    return at - bytes;
  };
  const int16 = (): number => answer.readInt16BE(passed(2));
  const int32 = (): number => answer.readInt32BE(passed(4));
  const text = (): string => {
    const length = Math.max(0, int16());
    return answer.toString('utf8', passed(length), at);
  };
  const list = <One>(one: () => One): One[] => Array.from({ length: Math.max(0, int32()) }, one);
  const nodes = list(() => {
    const node = int32();
    text();
    int32();
    text();
    return node;
  });
  // Skip the cluster id and the controller id.
  text();
  int32();
  const partitions = list(() => {
    int16();
    const topic = text();
    passed(1);
    return list(() => {
      int16();
      const [partition, leader] = [int32(), int32()];
      return { topic, partition, leader, replicas: list(int32), inSync: list(int32) };
    });
  });
  return { nodes, partitions: partitions.flat() };
}
