/** Returns the default folder for a source's checkpoint files. */
export function checkpointsFolder(state: string): string {
  return `${state}.checkpoints`;
}
