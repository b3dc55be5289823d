import { Receiver } from 'rhea-promise';

/**
 * Bounds what the client lets the hub send ahead. Each of its receive cycles grants credit for a whole prefetch without
 * counting what the link still has, so a link on which little comes gathers credit for tens of thousands of events, and
 * a burst then comes all at once, whatever the handler does. Here a link is never granted more than it lacks.
 *
 * It is done where the client grants credit, at the method of the AMQP library that it calls, since the client has no
 * setting for it; nothing else in the process grants credit by hand. Again does nothing.
 */
export function boundPrefetch(): void {
  const { addCredit } = Receiver.prototype;
  if (bounded.has(addCredit)) return;
  const addWhatLacks = function (this: Receiver, credit: number): void {
    const lacking = credit - this.credit;
    if (lacking > 0) addCredit.call(this, lacking);
  };
  bounded.add(addWhatLacks);
  Receiver.prototype.addCredit = addWhatLacks;
}

const bounded = new WeakSet<(credit: number) => void>();
