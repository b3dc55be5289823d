import type { StreamName } from '@aorta/schemas';

/**
 * Thrown for a record that does not fit the schema of its stream; the log stays unchanged.
 *
 * The error carries neither the value nor the codec's own error, because that one quotes the value.
 */
export class NotEncodable extends Error {
  readonly stream: StreamName;

  constructor(stream: StreamName) {
    super(`a record does not fit the schema of stream ${stream}`);
    this.name = 'NotEncodable';
    this.stream = stream;
  }
}
