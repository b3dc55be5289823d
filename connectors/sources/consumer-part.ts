/** Returns the name under which a source's consumer, and each lane of the source, reports its waits. */
export function consumerPart(source: string): string {
  return `consumer ${source}`;
}
