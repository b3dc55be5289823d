import rhea from 'rhea';

/** An event to store directly, without a client. */
export interface RawEvent {
  /** the content of the event's single data section, in base64 */
  readonly body: string;
  readonly properties?: Readonly<Record<string, string | number | boolean | null>>;
  /** properties of the AMQP message. The official producers cannot set all of these */
  readonly messageProperties?: Readonly<{ user_id?: string; content_encoding?: string; content_type?: string; subject?: string }>;
  readonly partitionKey?: string;
}

/** Encodes an event as an AMQP message with one data section. */
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
