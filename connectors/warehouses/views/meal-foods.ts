import type { TableDeclaration } from '@aorta/schemas';
import { columnsOf, withSource } from './columns.ts';
import type { View, ViewDialect } from './dialect.ts';
import { sourceName } from './source-rank.ts';

const macros = {
  carbs_g: 'carbs',
  protein_g: 'protein',
  fat_total_g: 'fats.total',
  fat_saturated_g: 'fats.saturated',
  fat_monounsaturated_g: 'fats.monounsaturated',
  fat_polyunsaturated_g: 'fats.polyunsaturated',
  fat_omega3_g: 'fats.omega3',
  fat_omega6_g: 'fats.omega6',
  alcohol_g: 'alcohol',
  water_g: 'water',
  fibre_g: 'fibre',
  sugar_g: 'sugar',
  cholesterol_g: 'cholesterol',
};
const micros = ['minerals', 'trace_elements', 'vitamins'];

/**
 * One row per food in a meal. The service sends foods as an object keyed by the food's name. Columns have the names and units
 * of `meal`. The energy is NULL if its unit is not kcal. A numeric column is NULL if the service sent a value that is not a
 * number. The view does not exist if `foods`, which contains free text, is not landed.
 */
export function mealFoodsView(dialect: ViewDialect, meal: TableDeclaration): View {
  const { table, members, jsonNumber, jsonText, jsonPart } = dialect;
  const name = 'meal_foods';
  if (!meal.columns.some((column) => column.name === 'foods')) return { name, query: undefined };
  const columns = ['user_id', 'id', 'provider', 'source_type'];
  const numbers = Object.entries(macros).map(([column, path]) => `${jsonNumber('member', `macros.${path}`)} as ${column}`);
  const further = micros.map((column) => `${jsonPart('member', `micros.${column}`)} as ${column}`);
  return {
    name,
    doc: 'One food in a meal, with its energy and nutrients.',
    columns: [
      ...withSource(columnsOf('meal', columns)),
      { name: 'food_name', type: 'string', doc: 'Name of the food. The user may have entered it.' },
      { ...columnsOf('meal', ['energy_kcal'])[0]!, doc: 'Energy; NULL if it was sent in another unit.' },
      ...columnsOf('meal', [...Object.keys(macros), ...micros]),
    ],
    query: `select
  ${columns.join(', ')}, ${sourceName(dialect)} as source, member_name as food_name,
  case when coalesce(${jsonText('member', 'energy.unit')}, 'kcal') = 'kcal' then ${jsonNumber('member', 'energy.value')} end as energy_kcal,
  ${[...numbers, ...further].join(',\n  ')}
from (
  ${members(table('meal'), columns, 'foods')}
) eaten`,
  };
}
