import rhea from 'rhea';
import type { RawEvent } from './control.ts';

/** The AMQP message of an event with one data section. */
export function encodedMessage({ body, properties, messageProperties, partitionKey }: RawEvent): Buffer {
  const { message } = rhea as unknown as {
    message: { encode(message: object): Buffer; data_section(data: Buffer): unknown };
  };
  return message.encode({
    ...messageProperties,
    body: message.data_section(Buffer.from(body, 'base64')),
    ...(properties === undefined ? {} : { application_properties: properties }),
    ...(partitionKey === undefined ? {} : { message_annotations: { 'x-opt-partition-key': partitionKey } }),
  });
}
