import type { StreamName } from '@aorta/schemas';

/**
 * Thrown if a record does not match the schema of its stream. The log stays unchanged.
 *
 * The error contains neither the value nor the codec's own error, because the codec's error quotes the value.
 */
export class NotEncodable extends Error {
  readonly stream: StreamName;

  constructor(stream: StreamName) {
    super(`a record does not fit the schema of stream ${stream}`);
    this.name = 'NotEncodable';
    this.stream = stream;
  }
}
