import { message, types } from 'rhea-promise';

/** The bytes of one value in AMQP's encoding, written by a client of AMQP: an application property without its surroundings. */
export function encoded(value: unknown): Buffer {
  const around = message.encode({ body: null, application_properties: { '': value } } as never);
  const empty = message.encode({ body: null, application_properties: { '': types.wrap_boolean(true) } } as never);
  // Section and map header, the empty name, the value, the body.
  const name = empty.indexOf(Buffer.from([0xa1, 0x00]));
  const behind = empty.length - name - 3;
  return Buffer.from(around.subarray(around.indexOf(Buffer.from([0xa1, 0x00])) + 2, around.length - behind));
}
