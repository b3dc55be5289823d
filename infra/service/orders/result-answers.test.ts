import { expect, test } from 'vitest';
import { DAY, openLab } from './orders.fixture.ts';

test('a result has the LOINC code and slug that the catalogue says', async () => {
  await using lab = openLab();
  const id = await lab.order('walk_in_test');
  await lab.pass(5 * DAY);
  const { body: answer } = await lab.ask('GET', `/v3/order/${id}/result`);
  const { body: catalogue } = await lab.ask('GET', '/v3/lab_tests/markers?size=100');
  const known = new Set<string>();
  for (const { expected_results } of catalogue.markers)
    for (const { provider_id, slug, loinc } of expected_results)
      known.add(JSON.stringify([provider_id, slug, loinc.code, loinc.slug]));
  expect(answer.results.length).toBeGreaterThan(3);
  for (const { provider_id, slug, loinc, loinc_slug } of answer.results)
    expect(known).toContain(JSON.stringify([provider_id, slug, loinc, loinc_slug]));
});

test.each([
  ['walk_in_test', '31D0000000', { city: 'Secaucus', state: 'NJ', zip: '07094' }],
  ['testkit', '05D0000000', { city: 'San Diego', state: 'CA', zip: '92121' }],
] as const)('the results of the method %s come from the laboratory with the CLIA number %s', async (method, clia, address) => {
  await using lab = openLab();
  const id = await lab.order(method);
  await lab.ask('POST', `/v3/order/${id}/test`, {});
  await lab.pass(DAY);
  const { body } = await lab.ask('GET', `/v3/order/${id}/result`);
  expect(body.metadata['clia_#']).toBe(clia);
  const [sample] = Object.values<{ performing_laboratories: object }>(body.sample_information);
  const [laboratory] = Object.values<{ address: object }>(sample!.performing_laboratories as never);
  expect(laboratory!.address).toMatchObject({ ...address, country: 'US' });
});
