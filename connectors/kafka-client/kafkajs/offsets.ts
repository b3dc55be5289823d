import { KafkaError } from '../errors.ts';

/** Converts an offset from the library (a decimal string) to a number. Throws AORTA-KAFKA-OFFSET if it is not a safe integer. */
export function wholeNumber(offset: string, topic: string, partition: number): number {
  const number = Number(offset);
  if (Number.isSafeInteger(number)) return number;
  throw new KafkaError('AORTA-KAFKA-OFFSET', { topic, partition });
}
