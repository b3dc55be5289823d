import type { GroupMember } from '../../group-member.ts';
import type { ClaimsOfWorker, Patience, Source, SourceSurroundings } from '../../source.ts';
import * as kafka from '../kafka/module.ts';
import { LocalIntake } from './intake/local-intake.ts';
import { openTopicIntake } from './intake/open-topic.ts';
import type { WebhookSettings } from './options.ts';
import { WebhookSource } from './source.ts';
import { kafkaSettingsOf } from './topic-settings.ts';

export { probe } from './doctor.ts';

const HOUR_MS = 3_600_000;

export async function open(settings: WebhookSettings, surroundings: SourceSurroundings): Promise<Source> {
  const { name, intake, keep_hours } = settings;
  if (intake !== undefined) {
    const topic = await openTopicIntake(intake, kafkaSettingsOf(settings, intake), surroundings);
    return new WebhookSource({ ...surroundings, settings, intake: topic });
  }
  const { state, window, once, logger, progress } = surroundings;
  const folder = `${state}.intake`;
  const local = await LocalIntake.open({ source: name, folder, window, keepMs: keep_hours * HOUR_MS, once, logger, progress });
  return new WebhookSource({ ...surroundings, settings, intake: local });
}

export async function release(settings: WebhookSettings, claims: ClaimsOfWorker): Promise<void> {
  if (settings.intake !== undefined) await kafka.release(kafkaSettingsOf(settings, settings.intake), claims);
}

export async function members(settings: WebhookSettings, patience: Patience): Promise<readonly GroupMember[]> {
  return settings.intake === undefined ? [] : kafka.members(kafkaSettingsOf(settings, settings.intake), patience);
}
