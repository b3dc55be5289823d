import { KafkaError } from '../errors.ts';

/** An offset of the library, a 64-bit number in words, as a number. Throws AORTA-KAFKA-OFFSET where it is none that numbers hold. */
export function wholeNumber(offset: string, topic: string, partition: number): number {
  const number = Number(offset);
  if (Number.isSafeInteger(number)) return number;
  throw new KafkaError('AORTA-KAFKA-OFFSET', { topic, partition });
}
