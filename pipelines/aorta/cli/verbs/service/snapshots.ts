import { visible } from '@aorta/runtime';
import type { Command } from 'commander';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import { controlVerb, listing, segment } from './control-verb.ts';

type Saved = { readonly name: string } | { readonly snapshots: readonly string[] };

export function snapshotCommand(surroundings: Surroundings): Command {
  const command = verb(
    'snapshot [name]',
    'save the state of the service, or list the snapshots',
    'Saves the whole state under a name: teams, users, data, pulls, deliveries, faults and the clock. A snapshot of the same name is replaced. Without a name, lists the snapshots.',
    ['aorta service snapshot before', 'aorta service snapshot'],
  );
  return controlVerb(surroundings, command, {
    ask: (port, _: object, name: string | undefined): Promise<Saved> =>
      name === undefined ? port.get('/snapshots') : port.post('/snapshots', { name }),
    say: (saved, out) =>
      'name' in saved
        ? `Saved the state as ${visible(saved.name)}.\n`
        : listing(
            out,
            ['snapshot'],
            saved.snapshots.map((name) => [name]),
            'There are no snapshots. Save one with `aorta service snapshot NAME`.',
          ),
  });
}

export function restoreCommand(surroundings: Surroundings): Command {
  const command = verb(
    'restore <name>',
    'restore a saved state',
    'Replaces the whole state of the service, including its clock, with the snapshot of this name. What happened since then is lost.',
    ['aorta service restore before'],
  );
  return controlVerb(surroundings, command, {
    ask: (port, _: object, name: string) => port.post<{ readonly name: string }>(`/snapshots/${segment(name)}/restore`),
    say: ({ name }) => `Restored the state ${visible(name)}.\n`,
  });
}
