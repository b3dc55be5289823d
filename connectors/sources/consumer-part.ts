/** Returns the name under which a source's consumer and partitions report that they are waiting. */
export function consumerPart(source: string): string {
  return `consumer ${source}`;
}
