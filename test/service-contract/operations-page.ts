import type { Service } from '@aorta/service';
import { describedOperations } from '../catalogue/catalogue.ts';
import { nameOf, type Operation } from './exchange.ts';
import { isOmitted, omissions } from './scope.ts';

/** Operations that differ only in their resource, as one row. */
interface Row {
  readonly name: string;
  readonly summary: string;
  /** Empty if the row has one operation. */
  readonly resources: readonly string[];
  readonly deprecated: Operation['deprecated'];
}

const RESOURCE = /^(\w+ \/v2\/(?:timeseries\/\{user_id\}|summary))\/(\w+)(?=\/|$)/;

function rowsOf(operations: readonly Operation[]): Row[] {
  const generic = (operation: Operation) => {
    const name = nameOf(operation);
    const resource = RESOURCE.exec(name)?.[2] ?? '';
    return {
      resource,
      name: name.replace(RESOURCE, '$1/{resource}'),
      summary: operation.summary.replace(` ${resource} `, ' {resource} '),
    };
  };
  const alike = (operation: Operation): string => {
    const { name, summary } = generic(operation);
    return [name, summary, operation.deprecated?.until].join('\n');
  };
  return [...Map.groupBy(operations, alike).values()].map((some) => {
    const [first] = some as [Operation, ...Operation[]];
    const { summary, deprecated } = first;
    if (some.length === 1) return { name: nameOf(first), summary, deprecated, resources: [] };
    return { ...generic(first), deprecated, resources: some.map((operation) => generic(operation).resource) };
  });
}

const OMITTED =
  'The service answers a call of these operations with status 404 and `{"detail":"Not Found"}`, whatever key the call has. The answer is status 405 and `{"detail":"Method Not Allowed"}` if the service has another method at the path.';

/** Returns the page that lists the operations of the service, and those of the real service that it lacks. */
export function operationsPage({ operations }: Pick<Service, 'operations'>): string {
  const served = new Set(operations.map(nameOf));
  const missing = describedOperations.filter((name) => !served.has(name) && !isOmitted(name));
  const parts = [...new Set(operations.map(({ tag }) => tag))];
  return [
    '# Operations of the reference service',
    '',
    "Generated from the service's OpenAPI document by `npm run generate`. A test fails if this page is out of date. A running service shows parameters and answers at `/docs`.",
    '',
    '## In scope',
    ...parts.flatMap((part) => ['', `### ${part}`, '', ...table(rowsOf(operations.filter(({ tag }) => tag === part)))]),
    ...(missing.length === 0
      ? []
      : [
          '',
          '## Not there yet',
          '',
          'The real service has these operations. They are neither here nor out of scope.',
          '',
          ...missing.map((name) => `- \`${name}\``),
        ]),
    '',
    '## Out of scope',
    '',
    OMITTED,
    '',
    '| part | reason | operations |',
    '| --- | --- | --- |',
    ...omissions.map(({ what, why, operations: omitted }) => {
      const names = describedOperations.filter((name) => omitted.test(name)).map((name) => `\`${name}\``);
      return `| ${what} | ${why} | ${names.join(', ')} |`;
    }),
    '',
  ].join('\n');
}

function table(rows: readonly Row[]): string[] {
  return [
    '| operation | what |',
    '| --- | --- |',
    ...rows.map(({ name, summary, resources, deprecated }) => {
      const replaced =
        deprecated === undefined ? '' : ` Deprecated since ${deprecated.since}, may be missing from ${deprecated.until}.`;
      const listed = resources.length === 0 ? '' : ` Resources: ${resources.map((one) => `\`${one}\``).join(', ')}.`;
      return `| \`${name}\` | ${summary}${replaced}${listed} |`;
    }),
  ];
}
