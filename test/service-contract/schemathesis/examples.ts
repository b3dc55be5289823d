/** Values that exist in the service under test. With random ones, most answers would be 404. */
export interface Examples {
  /** By parameter name, for all operations. */
  readonly parameters: Values;
  /** By operation and parameter name. They replace those above; an empty list removes them. */
  readonly ofOperation: Readonly<Record<string, Values>>;
  /** A body, by operation. */
  readonly bodies: Readonly<Record<string, object>>;
  /** By operation and member of the body. */
  readonly members: Readonly<Record<string, Values>>;
}

type Values = Readonly<Record<string, readonly (string | number)[]>>;

interface Described {
  readonly operationId: string;
  readonly parameters?: { readonly name: string; readonly in: string; example?: string | number }[];
  readonly requestBody?: { readonly content: Record<string, { example?: object }> };
}

/** Adds the first example of each parameter and body to an OpenAPI document. The tool sends them before anything else. */
export function addExamples(document: object, { parameters, ofOperation, bodies }: Examples): void {
  for (const operation of operationsOf(document)) {
    const values = { ...parameters, ...ofOperation[operation.operationId] };
    for (const parameter of operation.parameters ?? []) {
      const example = values[parameter.name]?.[0];
      if (example !== undefined) parameter.example = example;
    }
    const body = bodies[operation.operationId];
    // The document gives each body one media type.
    if (body !== undefined) Object.values(operation.requestBody!.content)[0]!.example = body;
  }
}

function operationsOf(document: object): Described[] {
  const { paths } = document as { readonly paths: Record<string, Record<string, Described>> };
  return Object.values(paths).flatMap((path) => Object.values(path));
}

/** How often the tool uses an example in place of a random value. */
const OFTEN = 0.7;

/** Returns the tool's configuration, with which it uses the examples in its random requests, too. */
export function configuration(document: object, { parameters, ofOperation, members }: Examples): string {
  const dictionaries: string[] = [];
  const operations: string[] = [];
  for (const { operationId, parameters: described = [] } of operationsOf(document)) {
    const places = [
      ...described.map(({ name, in: place }) => {
        const values = ofOperation[operationId]?.[name] ?? parameters[name];
        return { place: `${place}.${name}`, values };
      }),
      ...Object.entries(members[operationId] ?? {}).map(([name, values]) => ({ place: `body.${name}`, values })),
    ];
    const bound: string[] = [];
    for (const { place, values = [] } of places) {
      if (values.length === 0) continue;
      const dictionary = `"${operationId} ${place}"`;
      dictionaries.push(`${dictionary} = { values = ${JSON.stringify(values)} }`);
      bound.push(`"${place}" = { dictionary = ${dictionary}, probability = ${OFTEN} }`);
    }
    if (bound.length > 0)
      operations.push(`[[operations]]\ninclude-operation-id = "${operationId}"\nparameters = { ${bound.join(', ')} }`);
  }
  const phases = [
    // Ids from answers would let one operation end what the example of another one needs.
    '[phases.examples.extra-data-sources]',
    'responses = false',
    '[phases.coverage]',
    'unexpected-methods = []',
  ];
  return [...phases, '[dictionaries]', ...dictionaries, ...operations, ''].join('\n');
}
