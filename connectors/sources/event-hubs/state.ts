/** Returns the default folder for a source's checkpoints in files. */
export function checkpointsFolder(state: string): string {
  return `${state}.checkpoints`;
}
