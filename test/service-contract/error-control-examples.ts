import type { Recorder } from './control-recorder.ts';

export async function errorExamples({ section, control }: Recorder): Promise<void> {
  section('Errors');
  const wrong = (title: string, operation: string, input: Readonly<Record<string, unknown>>, status: number) =>
    control(operation, input, { title, status });
  await wrong('A missing member, and a value that the list does not have', 'POST /teams', { region: 'mars' }, 422);
  await wrong('A member that the request does not have', 'POST /teams', { name: 'south', regoin: 'eu' }, 422);
  await wrong('An unknown id', 'POST /webhooks/{endpoint_id}/delete', { endpoint_id: 'ep_1' }, 404);
  await wrong('The state does not allow it', 'POST /seed', { seed: 7 }, 409);
}
