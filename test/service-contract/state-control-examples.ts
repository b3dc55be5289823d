import type { Recorder } from './control-recorder.ts';

export async function stateExamples({ section, control }: Recorder): Promise<void> {
  section('Snapshots and seeds');
  const name = 'before-the-upgrade';
  await control('POST /snapshots', { name });
  await control('GET /snapshots');
  await control('POST /snapshots/{name}/restore', { name });
  await control('POST /seed', { seed: 7, users: 2, providers: ['oura', 'fitbit'], demo: true });
}
