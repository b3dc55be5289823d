import { type StreamName, streamNames } from '@aorta/schemas';

/** The setting that names an installation's topics. */
interface Installation {
  /** Prefix of the topics and consumer groups. */
  readonly prefix: string;
}

export function topicOf({ prefix }: Installation, stream: StreamName): string {
  return `${prefix}${stream}`;
}

/** Returns the name of the topic that holds notes about the other topics: their incarnations and schemas. No stream has this name. */
export function registerTopic({ prefix }: Installation): string {
  return `${prefix}_register`;
}

/** Returns the name of the topic whose partitions represent shares of work. The topic holds no records. */
export function sharesTopic({ prefix }: Installation): string {
  return `${prefix}_shares`;
}

/** Returns the name of the topic in which workers store state for their successors. */
export function stateTopic({ prefix }: Installation): string {
  return `${prefix}_state`;
}

/**
 * Returns the topics that hold the streams of any installation of Aorta. Three topics with one prefix identify an installation:
 * the register, the state and the shares.
 */
export function topicsOfStreams(topics: readonly string[]): ReadonlySet<string> {
  const present = new Set(topics);
  const register = registerTopic({ prefix: '' });
  const prefixes = topics.filter((topic) => topic.endsWith(register)).map((topic) => topic.slice(0, -register.length));
  const own = prefixes.flatMap((prefix) => {
    const others = [registerTopic({ prefix }), stateTopic({ prefix }), sharesTopic({ prefix })];
    return others.every((topic) => present.has(topic))
      ? [...others, ...streamNames.map((stream) => topicOf({ prefix }, stream))]
      : [];
  });
  return new Set(own.filter((topic) => present.has(topic)));
}
