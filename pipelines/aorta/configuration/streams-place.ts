import type { Setting } from './configuration.ts';

/** Where the streams are, for people: a folder, or topics of some brokers. */
export function streamsPlace({ configuration: { streams }, place }: Pick<Setting, 'configuration' | 'place'>): string {
  return streams.type === 'kafka' ? `topics ${streams.prefix}… of ${streams.brokers.join(', ')}` : place.streams;
}
