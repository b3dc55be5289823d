import { message, types } from 'rhea-promise';

/** Returns the AMQP encoding of one value. An AMQP client encodes it as an application property; the frame around it is cut off. */
export function encoded(value: unknown): Buffer {
  const around = message.encode({ body: null, application_properties: { '': value } } as never);
  const empty = message.encode({ body: null, application_properties: { '': types.wrap_boolean(true) } } as never);
  // The frame consists of section and map header and the empty name before the value, and the body after it.
  const name = empty.indexOf(Buffer.from([0xa1, 0x00]));
  const behind = empty.length - name - 3;
  return Buffer.from(around.subarray(around.indexOf(Buffer.from([0xa1, 0x00])) + 2, around.length - behind));
}
