import { message, types } from 'rhea-promise';

/** Returns the AMQP encoding of one value. The AMQP library encodes the value as an application property; this function cuts off the rest. */
export function encoded(value: unknown): Buffer {
  const around = message.encode({ body: null, application_properties: { '': value } } as never);
  const empty = message.encode({ body: null, application_properties: { '': types.wrap_boolean(true) } } as never);
  // The section header, the map header and the empty name precede the value. The body follows the value.
  const name = empty.indexOf(Buffer.from([0xa1, 0x00]));
  const behind = empty.length - name - 3;
  return Buffer.from(around.subarray(around.indexOf(Buffer.from([0xa1, 0x00])) + 2, around.length - behind));
}
