import { counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import { wholeNumber } from '../whole-number.ts';
import { controlVerb, listing, segment } from './control-verb.ts';

interface Delivery {
  readonly message_id: string;
  readonly event_type: string;
  readonly state: string;
  readonly attempts: number;
  /** 0 means that there was no answer. */
  readonly last_status: number | null;
  readonly last_attempt_at: string | null;
}

interface DeliveriesFlags {
  readonly limit: number;
  readonly after?: string;
}

export function deliveriesCommand(surroundings: Surroundings): Command {
  const command = verb(
    'deliveries <endpoint>',
    "list an endpoint's deliveries",
    'Lists the messages to an endpoint, the oldest first, with their state, their number of attempts and the last answer.',
    ['aorta service webhook deliveries ep_0123', 'aorta service webhook deliveries ep_0123 --limit 1000 --json'],
  )
    .option('--limit <n>', 'list at most this many', wholeNumber('--limit', 1, 1000), 100)
    .option('--after <message>', 'list only later messages than this one');
  return controlVerb(surroundings, command, {
    ask: (port, { limit, after }: DeliveriesFlags, id: string) => {
      const query = new URLSearchParams({ limit: String(limit), ...(after === undefined ? {} : { after }) });
      return port.get<{ readonly deliveries: readonly Delivery[] }>(`/webhooks/${segment(id)}/deliveries?${query}`);
    },
    say: ({ deliveries }, out) =>
      listing(
        out,
        ['message', 'event type', 'state', 'attempts', 'last answer', 'last attempt'],
        deliveries.map(({ message_id, event_type, state, attempts, last_status, last_attempt_at }) => [
          ...[message_id, event_type, state, attempts, last_status === 0 ? 'none' : last_status, last_attempt_at],
        ]),
        'There are no deliveries.',
      ),
  });
}

export function resendCommand(surroundings: Surroundings): Command {
  const command = verb(
    'resend <endpoint> <message>',
    'send a message again',
    'Sends a message again, with the same id and a new signature.',
    ['aorta service webhook resend ep_0123 msg_2b4'],
  );
  return controlVerb(surroundings, command, {
    ask: (port, _: object, id: string, message: string) => port.post(`/webhooks/${segment(id)}/resend`, { message_id: message }),
    say: () => 'The message is sent again.\n',
  });
}

export function recoverCommand(surroundings: Surroundings): Command {
  const command = verb(
    'recover <endpoint>',
    'send failed messages again',
    'Sends all messages again that have failed since a time of the virtual clock, also those from while the endpoint was disabled. The service keeps messages for 7 days.',
    ['aorta service webhook recover ep_0123 --since 2026-01-31T00:00:00Z'],
  ).requiredOption('--since <time>', 'virtual time since which messages were created (RFC 3339)');
  return controlVerb(surroundings, command, {
    ask: (port, { since }: { readonly since: string }, id: string) =>
      port.post<{ readonly recovered: number; readonly reaches_back_to: string }>(`/webhooks/${segment(id)}/recover`, { since }),
    say: ({ recovered, reaches_back_to }) =>
      `${counted(recovered, 'message')} ${recovered === 1 ? 'is' : 'are'} sent again. The service has messages since ${reaches_back_to}.\n`,
  });
}
