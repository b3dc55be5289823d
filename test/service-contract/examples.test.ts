import { openApiDocument, Service } from '@aorta/service';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as formats } from 'ajv-formats';
import { expect, test } from 'vitest';

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: object; readonly example: unknown } };
}

interface Described {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

const { operations } = new Service({ runs: false });
const document = openApiDocument(operations, '1.0.0') as {
  readonly components: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

const ajv = formats.default(new Ajv2020({ allErrors: true, strict: false }));
ajv.addSchema({ $id: 'document', components: document.components });

/** Returns what is wrong with an example by the schema beside it. */
function problems({ content }: Content): string[] {
  if (content?.['application/json'] === undefined) return [];
  const { schema, example } = content['application/json'];
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
  const validate = ajv.compile(absolute);
  return validate(example) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test.each(operations)('the examples of $id have the form that the OpenAPI document describes', ({ method, path }) => {
  const { requestBody = {}, responses } = document.paths[path]![method.toLowerCase()]!;
  expect(problems(requestBody), 'example of the body').toEqual([]);
  for (const [status, answer] of Object.entries(responses)) expect(problems(answer), `example of ${status}`).toEqual([]);
});

// The body of a multipart operation has files, so the document has no example of it.
const withBody = operations.filter(({ body, multipart }) => body !== undefined && multipart === undefined);

test.each(withBody)('$id accepts the example of its body', ({ method, path, body }) => {
  const { content } = document.paths[path]![method.toLowerCase()]!.requestBody!;
  expect(body!.safeParse(content!['application/json']!.example)).toMatchObject({ success: true });
});
