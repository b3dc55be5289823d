import type { StreamName } from '@aorta/schemas';

/**
 * A record that does not fit the schema of its stream. The log is as it was before the record.
 *
 * It carries neither the value nor the codec's own error: that one quotes the value.
 */
export class NotEncodable extends Error {
  readonly stream: StreamName;

  constructor(stream: StreamName) {
    super(`a record does not fit the schema of stream ${stream}`);
    this.name = 'NotEncodable';
    this.stream = stream;
  }
}
