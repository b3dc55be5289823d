import { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import { clockCommand } from './service/clock.ts';
import { faultCommand } from './service/fault.ts';
import { orderCommand } from './service/order.ts';
import { organizationCommand } from './service/organization.ts';
import { breakCommand, connectCommand, dataCommand, seedCommand } from './service/people.ts';
import { pipelineCommand } from './service/pipeline.ts';
import { pullsCommand } from './service/pulls.ts';
import { rateLimitCommand } from './service/rate-limit.ts';
import { reportCommand } from './service/report.ts';
import { requestsCommand } from './service/requests.ts';
import { restoreCommand, snapshotCommand } from './service/snapshots.ts';
import { startCommand } from './service/start.ts';
import { teamCommand } from './service/team.ts';
import { webhookCommand } from './service/webhook.ts';

/** The group of commands that run and control the reference service. Without a command, the service starts. */
export function serviceCommand(surroundings: Surroundings): Command {
  return new Command('service')
    .summary('run and control a local replacement of the health-data service')
    .description(
      'Without a command, starts the service (see `aorta service start --help`). The other commands control a running service through its control port. They find the port at http://127.0.0.1:8091, or at the address in --control-url or AORTA_SERVICE_CONTROL_URL.',
    )
    .addCommand(startCommand(surroundings), { isDefault: true })
    .addCommand(organizationCommand(surroundings))
    .addCommand(teamCommand(surroundings))
    .addCommand(seedCommand(surroundings))
    .addCommand(connectCommand(surroundings))
    .addCommand(breakCommand(surroundings))
    .addCommand(dataCommand(surroundings))
    .addCommand(clockCommand(surroundings))
    .addCommand(pullsCommand(surroundings))
    .addCommand(orderCommand(surroundings))
    .addCommand(reportCommand(surroundings))
    .addCommand(webhookCommand(surroundings))
    .addCommand(pipelineCommand(surroundings))
    .addCommand(faultCommand(surroundings))
    .addCommand(rateLimitCommand(surroundings))
    .addCommand(requestsCommand(surroundings))
    .addCommand(snapshotCommand(surroundings))
    .addCommand(restoreCommand(surroundings));
}
