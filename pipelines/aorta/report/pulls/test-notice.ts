import { randomUUID } from 'node:crypto';
import { postNotice } from '@aorta/enrichment';
import { visible } from '@aorta/runtime';
import { type ExitCode, exit } from '../../cli/exit.ts';
import type { Output } from '../../cli/printing/terminal.ts';
import type { Setting } from '../../config/configuration.ts';
import { ProgramError } from '../../errors.ts';

/** Posts a test notice in the same way as `aorta run` posts notices, and prints the result. */
export async function testNotice({ configuration }: Setting<'historical_pulls'>, out: Output): Promise<ExitCode> {
  const notices = configuration.historical_pulls?.notices;
  if (notices === undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: 'no notices are configured',
      hint: 'Set historical_pulls.notices.webhook in aorta.yaml.',
    });
  const { host } = new URL(notices.webhook);
  const notice = { event: 'historical_pull.test', sent_at: new Date().toISOString() };
  const posted = await postNotice(notices, randomUUID(), notice, new AbortController().signal);
  if (!posted.accepted)
    throw posted.status === undefined
      ? new ProgramError('AORTA-NOTICE-UNREACHABLE', { host, reason: posted.problem })
      : new ProgramError('AORTA-NOTICE-REFUSED', { host, status: posted.status });
  const signed = notices.secret === undefined ? 'not signed (no historical_pulls.notices.secret)' : 'signed';
  const header = notices.authentication === undefined ? '' : `, with the header ${visible(notices.authentication.header)}`;
  await out.write(`The webhook at ${host} accepted the notice (status ${posted.status}). It was ${signed}${header}.\n`);
  return exit.done;
}
