import { Connection, ConnectionEvents, Receiver } from 'rhea-promise';

/**
 * Works around three bugs in the Event Hubs client that its settings cannot prevent. This function replaces methods of
 * the AMQP library, which no other code in this process uses. A second call does nothing.
 */
export function applyWorkarounds(): void {
  if (mended) return;
  mended = true;
  boundPrefetch();
  nameClosedLinks();
  survivePartings();
}

let mended = false;

/**
 * Limits how many events the hub may send ahead. In every receive cycle, the client grants credit for a whole prefetch
 * and ignores the link's remaining credit. A link without events therefore accumulates credit for tens of thousands of
 * events, and a later burst arrives all at once. With this workaround, the credit never exceeds one prefetch.
 */
function boundPrefetch(): void {
  const { addCredit } = Receiver.prototype;
  Receiver.prototype.addCredit = function (credit) {
    const lacking = credit - this.credit;
    if (lacking > 0) addCredit.call(this, lacking);
  };
}

/**
 * Gives closed links an address. If a connection closes while the client waits for a response, the client later reads
 * the address of the closed link for an error message. The library then throws a TypeError inside a timer or abort
 * handler. No code can catch that error, so it ends the process. The client can handle an empty address.
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
 * Keeps an `error` listener on every connection. If the library throws while it reads or writes a frame, it emits
 * `error` on the connection and closes the connection. This happens, for example, if a link is refused while it closes.
 * The client stops listening when it drops a connection, so the event would end the process. All code here handles
 * closed connections.
 */
function survivePartings(): void {
  const survive = (): void => {};
  const { open } = Connection.prototype;
  Connection.prototype.open = function (options) {
    if (!this.listeners(ConnectionEvents.error).includes(survive)) this.on(ConnectionEvents.error, survive);
    return open.call(this, options);
  };
}
