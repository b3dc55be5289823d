/** Returns the name under which a source's consumer and the lanes of the source report their waits. */
export function consumerPart(source: string): string {
  return `consumer ${source}`;
}
