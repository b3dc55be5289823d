import type { TableDeclaration } from '@aorta/schemas';

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

/** A number of a food; NULL where something else was sent. */
const number = (path: string): string => `try_cast(food.value->>'$.${path}' as double)`;

/**
 * A row for each food of a meal, which the service sends as an object by the food's name. The columns are those of `meal`;
 * an energy in another unit than kcal has none.
 * There is none where `foods`, which holds free text, is not landed.
 */
export function mealFoodsView(meal: TableDeclaration): string {
  if (!meal.columns.some(({ name }) => name === 'foods')) return 'drop view if exists meal_foods';
  return `create or replace view meal_foods as
select
  user_id, id, provider, source_type, food.key as food_name,
  case when coalesce(food.value->>'$.energy.unit', 'kcal') = 'kcal' then ${number('energy.value')} end as energy_kcal,
  ${Object.entries(macros)
    .map(([column, path]) => `${number(`macros.${path}`)} as ${column}`)
    .join(',\n  ')},
  food.value->'$.micros.minerals' as minerals,
  food.value->'$.micros.trace_elements' as trace_elements,
  food.value->'$.micros.vitamins' as vitamins
from (
  select user_id, id, provider, source_type, unnest(map_entries(from_json(foods, '"MAP(VARCHAR, JSON)"'))) as food
  from meal
)`;
}
