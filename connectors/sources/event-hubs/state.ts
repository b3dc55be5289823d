/** Folder of a source's checkpoints if they are files and its settings name none. */
export function checkpointsFolder(state: string): string {
  return `${state}.checkpoints`;
}
