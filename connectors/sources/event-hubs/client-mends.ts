import { Connection, ConnectionEvents, Receiver } from 'rhea-promise';

/**
 * Works around three faults of the client that no setting avoids. It replaces methods of the AMQP library that the client
 * calls, in this process only. Only the client makes connections and receivers here, so nothing else is affected. A second
 * call does nothing.
 */
export function mendClient(): void {
  if (mended) return;
  mended = true;
  boundPrefetch();
  nameClosedLinks();
  survivePartings();
}

let mended = false;

/**
 * Bounds what the hub may send ahead. Each receive cycle of the client grants credit for a whole prefetch and does not
 * count what the link still has: a link on which little comes gathers credit for tens of thousands of events, and a burst
 * then comes all at once, whatever the handler does. Here a link is never granted more than it lacks.
 */
function boundPrefetch(): void {
  const { addCredit } = Receiver.prototype;
  Receiver.prototype.addCredit = function (credit) {
    const lacking = credit - this.credit;
    if (lacking > 0) addCredit.call(this, lacking);
  };
}

/**
 * Where a connection closes while the client waits for the answer to a request, the client later asks the closed link for
 * its address, to name it in an error. The library then throws a TypeError, within a timer or an abort, which nobody can
 * catch: the process would end, and the request would never be answered. The client is prepared for a link without one.
 */
function nameClosedLinks(): void {
  Object.defineProperty(Receiver.prototype, 'address', {
    configurable: true,
    get(this: Receiver): string {
      return this.source?.address ?? '';
    },
  });
}

/**
 * Where something is thrown while a frame is read or written (a link that is refused while it is being closed is enough),
 * the library says so as the event `error` of its connection, and then closes it. The client listens to that event until
 * it gives a connection up; after that nobody does, which ends a process. A closed connection is what everything here is
 * prepared for.
 */
function survivePartings(): void {
  const survive = (): void => {};
  const { open } = Connection.prototype;
  Connection.prototype.open = function (options) {
    if (!this.listeners(ConnectionEvents.error).includes(survive)) this.on(ConnectionEvents.error, survive);
    return open.call(this, options);
  };
}
