CREATE OR REPLACE VIEW `my-project.health.measures` (
  measure OPTIONS (description = 'Id of the measure.'),
  display_name OPTIONS (description = 'Name for display.'),
  kind OPTIONS (description = '`additive_interval`, `additive_event`, `level` or `duration`.'),
  unit OPTIONS (description = 'The canonical unit as a UCUM code.'),
  plausible_low OPTIONS (description = 'Least plausible value, in the canonical unit.'),
  plausible_high OPTIONS (description = 'Greatest plausible value, in the canonical unit.'),
  loinc_code OPTIONS (description = 'LOINC code; NULL if none fits.'),
  loinc_match OPTIONS (description = '`exact` if the code means the same, `broader` if it covers the measure and more, or `none`.'),
  loinc_name OPTIONS (description = 'Long common name of the LOINC term.'),
  loinc_source OPTIONS (description = 'The published list of LOINC codes that contains the code: npm package, version and file.'),
  origin_table OPTIONS (description = 'Table with the values.'),
  origin_column OPTIONS (description = 'Column with the values.'),
  resource OPTIONS (description = 'Timeseries resource; NULL if the values are not in `timeseries`.'),
  sample_type OPTIONS (description = 'Sample type; NULL for all types of the resource that have no measure of their own.')
)
OPTIONS (description = 'One row per measure: each timeseries resource and sample type, and each summary column that is a measure.', labels = [('aorta', 'view'), ('aorta_text', 'a977b84738bb07a0')]) AS
select
  nullif(cells[offset(0)], '~') as measure,
  nullif(cells[offset(1)], '~') as display_name,
  nullif(cells[offset(2)], '~') as kind,
  nullif(cells[offset(3)], '~') as unit,
  cast(nullif(cells[offset(4)], '~') as float64) as plausible_low,
  cast(nullif(cells[offset(5)], '~') as float64) as plausible_high,
  nullif(cells[offset(6)], '~') as loinc_code,
  nullif(cells[offset(7)], '~') as loinc_match,
  nullif(cells[offset(8)], '~') as loinc_name,
  nullif(cells[offset(9)], '~') as loinc_source,
  nullif(cells[offset(10)], '~') as origin_table,
  nullif(cells[offset(11)], '~') as origin_column,
  nullif(cells[offset(12)], '~') as resource,
  nullif(cells[offset(13)], '~') as sample_type
from (
  select split(line, '|') as cells
  from unnest(split('active_energy_burned|Active energy, former resource|additive_interval|kcal|0|20000|~|none|~|~|timeseries|value|active_energy_burned|~;activity.calories_active_kcal|Active energy, daily total|additive_interval|kcal|0|20000|~|none|~|~|activity|calories_active_kcal|~|~;activity.calories_total_kcal|Energy, daily total|additive_interval|kcal|1|20000|41979-6|exact|Calories burned in 24 hour Calculated|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|calories_total_kcal|~|~;activity.distance_m|Distance, daily total|additive_interval|m|0|1100000|~|none|~|~|activity|distance_m|~|~;activity.floors_climbed|Floors climbed, daily total|additive_interval|{floors}|0|3000|~|none|~|~|activity|floors_climbed|~|~;activity.heart_rate_avg_bpm|Heart rate, daily mean|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|heart_rate_avg_bpm|~|~;activity.heart_rate_avg_walking_bpm|Heart rate, mean while walking|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|heart_rate_avg_walking_bpm|~|~;activity.heart_rate_max_bpm|Heart rate, daily maximum|level|/min|20|300|8873-2|exact|Heart rate 24 hour maximum|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|heart_rate_max_bpm|~|~;activity.heart_rate_min_bpm|Heart rate, daily minimum|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|heart_rate_min_bpm|~|~;activity.heart_rate_resting_bpm|Resting heart rate|level|/min|20|300|40443-4|exact|Heart rate --resting|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|heart_rate_resting_bpm|~|~;activity.high_min|High activity, daily total|duration|min|0|1500|101690-6|exact|Duration of vigorous activity|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|high_min|~|~;activity.low_min|Low activity, daily total|duration|min|0|1500|101688-0|exact|Duration of light activity|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|low_min|~|~;activity.medium_min|Medium activity, daily total|duration|min|0|1500|101689-8|exact|Duration of moderate activity|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|medium_min|~|~;activity.steps|Steps, daily total|additive_interval|{steps}|0|250000|41950-7|exact|Number of steps in 24 hour Measured|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|activity|steps|~|~;activity.wheelchair_push|Wheelchair pushes, daily total|additive_interval|{pushes}|0|100000|~|none|~|~|activity|wheelchair_push|~|~;afib_burden|Time in atrial fibrillation|level|%|0|100|~|none|~|~|timeseries|value|afib_burden|~;basal_body_temperature|Basal body temperature|level|Cel|30|45|8310-5|broader|Body temperature|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|basal_body_temperature|~;basal_energy_burned|Basal energy, former resource|additive_interval|kcal|0|5000|~|none|~|~|timeseries|value|basal_energy_burned|~;blood_oxygen|Oxygen saturation|level|%|50|100|59408-5|exact|Oxygen saturation in Arterial blood by Pulse oximetry|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|blood_oxygen|~;blood_pressure.diastolic_mmhg|Diastolic blood pressure|level|mm[Hg]|20|250|8462-4|exact|Diastolic blood pressure|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|blood_pressure|diastolic_mmhg|~|~;blood_pressure.systolic_mmhg|Systolic blood pressure|level|mm[Hg]|40|350|8480-6|exact|Systolic blood pressure|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|blood_pressure|systolic_mmhg|~|~;body.body_mass_index|Body mass index, daily|level|kg/m2|5|210|39156-5|exact|Body mass index (BMI) [Ratio]|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|body|body_mass_index|~|~;body.bone_mass_pct|Bone mass|level|%|0.5|100|~|none|~|~|body|bone_mass_pct|~|~;body.fat_pct|Body fat, daily|level|%|1|80|41982-0|exact|Percentage of body fat Measured|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|body|fat_pct|~|~;body.lean_body_mass_kg|Lean body mass, daily|level|kg|0.3|650|91557-9|exact|Lean body weight|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|body|lean_body_mass_kg|~|~;body.muscle_mass_pct|Muscle mass|level|%|0.5|100|~|none|~|~|body|muscle_mass_pct|~|~;body.visceral_fat_index|Visceral fat index|level|{index}|1|60|~|none|~|~|body|visceral_fat_index|~|~;body.waist_circumference_cm|Waist circumference, daily|level|cm|15|320|~|none|~|~|body|waist_circumference_cm|~|~;body.water_pct|Body water|level|%|0.5|100|~|none|~|~|body|water_pct|~|~;body.weight_kg|Body weight, daily|level|kg|0.3|650|29463-7|exact|Body weight|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|body|weight_kg|~|~;body_mass_index|Body mass index|level|kg/m2|5|210|39156-5|exact|Body mass index (BMI) [Ratio]|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|body_mass_index|~;body_temperature|Body temperature|level|Cel|10|45|8310-5|exact|Body temperature|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|body_temperature|~;body_temperature_delta|Deviation of the body temperature|level|K|-15|15|~|none|~|~|timeseries|value|body_temperature_delta|~;caffeine|Caffeine|additive_event|g|0|10|~|none|~|~|timeseries|value|caffeine|~;calories_active|Active energy|additive_interval|kcal|0|20000|~|none|~|~|timeseries|value|calories_active|~;calories_basal|Basal energy|additive_interval|kcal|0|5000|~|none|~|~|timeseries|value|calories_basal|~;carbohydrates|Carbohydrates|additive_event|g|0|2000|~|none|~|~|timeseries|value|carbohydrates|~;cholesterol|Lipids of another type|level|mmol/L|0.1|120|~|none|~|~|timeseries|value|cholesterol|~;cholesterol.hdl|HDL cholesterol|level|mmol/L|0.1|40|14646-4|exact|Cholesterol in HDL [Moles/volume] in Serum or Plasma|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|cholesterol|cholesterol/hdl;cholesterol.ldl|LDL cholesterol|level|mmol/L|0.1|40|22748-8|exact|Cholesterol in LDL [Moles/volume] in Serum or Plasma|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|cholesterol|cholesterol/ldl;cholesterol.total|Cholesterol|level|mmol/L|0.1|40|14647-2|exact|Cholesterol [Moles/volume] in Serum or Plasma|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|cholesterol|cholesterol/total;cholesterol.triglycerides|Triglycerides|level|mmol/L|0.1|120|14927-8|exact|Triglyceride [Moles/volume] in Serum or Plasma|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|cholesterol|cholesterol/triglycerides;daylight_exposure|Time in daylight|duration|min|0|1500|~|none|~|~|timeseries|value|daylight_exposure|~;distance|Distance|additive_interval|m|0|1100000|~|none|~|~|timeseries|value|distance|~;distance_running_walking|Distance, running and walking|additive_interval|m|0|1100000|~|none|~|~|timeseries|value|distance_running_walking|~;electrocardiogram.heart_rate_mean_bpm|Heart rate, mean of a recording|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|electrocardiogram|heart_rate_mean_bpm|~|~;electrocardiogram_voltage|Electrocardiogram|level|mV|-10|10|~|none|~|~|timeseries|value|electrocardiogram_voltage|~;electrocardiogram_voltage.lead_1|Electrocardiogram, lead I|level|mV|-10|10|~|none|~|~|timeseries|value|electrocardiogram_voltage|lead_1;fall|Falls|additive_event|{events}|0|100|~|none|~|~|timeseries|value|fall|~;fat|Body fat|level|%|1|80|41982-0|exact|Percentage of body fat Measured|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|fat|~;floors_climbed|Floors climbed|additive_interval|{floors}|0|3000|~|none|~|~|timeseries|value|floors_climbed|~;forced_expiratory_volume_1|Forced expiratory volume in one second|level|L|0.1|12|20150-9|exact|FEV1|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|forced_expiratory_volume_1|~;forced_vital_capacity|Forced vital capacity|level|L|0.1|12|~|none|~|~|timeseries|value|forced_vital_capacity|~;glucose|Glucose|level|mmol/L|0.5|60|14745-4|broader|Glucose [Moles/volume] in Body fluid|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|glucose|~;handwashing|Handwashing|additive_event|{events}|0|500|~|none|~|~|timeseries|value|handwashing|~;heart_rate_alert|Heart rate alerts|additive_event|{events}|0|1|~|none|~|~|timeseries|value|heart_rate_alert|~;heart_rate_alert.high_heart_rate|Alerts, high heart rate|additive_event|{events}|0|1|~|none|~|~|timeseries|value|heart_rate_alert|high_heart_rate;heart_rate_alert.irregular_rhythm|Alerts, irregular rhythm|additive_event|{events}|0|1|~|none|~|~|timeseries|value|heart_rate_alert|irregular_rhythm;heart_rate_alert.low_heart_rate|Alerts, low heart rate|additive_event|{events}|0|1|~|none|~|~|timeseries|value|heart_rate_alert|low_heart_rate;heart_rate_recovery_one_minute|Heart rate recovery in one minute|level|/min|-50|150|~|none|~|~|timeseries|value|heart_rate_recovery_one_minute|~;heartrate|Heart rate|level|/min|20|300|8867-4|exact|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|heartrate|~;hrv|Heart rate variability (RMSSD)|level|ms|1|500|~|none|~|~|timeseries|value|hrv|~;ige|IgE antibodies against an antigen|level|{FSU}|0|1000000|~|none|~|~|timeseries|value|ige|~;igg|IgG antibodies against an antigen|level|{FSU}|0|1000000|~|none|~|~|timeseries|value|igg|~;inhaler_usage|Uses of an inhaler|additive_event|{events}|0|100|~|none|~|~|timeseries|value|inhaler_usage|~;insulin_injection|Insulin|additive_event|[iU]|0|500|~|none|~|~|timeseries|value|insulin_injection|~;insulin_injection.long_acting|Long-acting insulin|additive_event|[iU]|0|500|~|none|~|~|timeseries|value|insulin_injection|long_acting;insulin_injection.rapid_acting|Rapid-acting insulin|additive_event|[iU]|0|500|~|none|~|~|timeseries|value|insulin_injection|rapid_acting;lean_body_mass|Lean body mass|level|kg|0.3|650|91557-9|exact|Lean body weight|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|lean_body_mass|~;meal.alcohol_g|Alcohol of a meal|additive_event|g|0|2000|~|none|~|~|meal|alcohol_g|~|~;meal.carbs_g|Carbohydrates of a meal|additive_event|g|0|2000|~|none|~|~|meal|carbs_g|~|~;meal.cholesterol_g|Cholesterol of a meal|additive_event|g|0|20|~|none|~|~|meal|cholesterol_g|~|~;meal.energy_kcal|Energy of a meal|additive_event|kcal|0|20000|~|none|~|~|meal|energy_kcal|~|~;meal.fat_monounsaturated_g|Monounsaturated fat of a meal|additive_event|g|0|2000|~|none|~|~|meal|fat_monounsaturated_g|~|~;meal.fat_omega3_g|Omega-3 fatty acids of a meal|additive_event|g|0|2000|~|none|~|~|meal|fat_omega3_g|~|~;meal.fat_omega6_g|Omega-6 fatty acids of a meal|additive_event|g|0|2000|~|none|~|~|meal|fat_omega6_g|~|~;meal.fat_polyunsaturated_g|Polyunsaturated fat of a meal|additive_event|g|0|2000|~|none|~|~|meal|fat_polyunsaturated_g|~|~;meal.fat_saturated_g|Saturated fat of a meal|additive_event|g|0|2000|~|none|~|~|meal|fat_saturated_g|~|~;meal.fat_total_g|Fat of a meal|additive_event|g|0|2000|~|none|~|~|meal|fat_total_g|~|~;meal.fibre_g|Dietary fibre of a meal|additive_event|g|0|2000|~|none|~|~|meal|fibre_g|~|~;meal.protein_g|Protein of a meal|additive_event|g|0|2000|~|none|~|~|meal|protein_g|~|~;meal.sugar_g|Sugar of a meal|additive_event|g|0|2000|~|none|~|~|meal|sugar_g|~|~;meal.water_g|Water of a meal|additive_event|g|0|20000|~|none|~|~|meal|water_g|~|~;mindfulness_minutes|Mindfulness|duration|min|0|1500|~|none|~|~|timeseries|value|mindfulness_minutes|~;peak_expiratory_flow_rate|Peak expiratory flow|level|L/min|20|1200|33452-4|exact|Maximum expiratory gas flow Respiratory system airway|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|peak_expiratory_flow_rate|~;profile.height_cm|Body height|level|cm|25|280|8302-2|exact|Body height|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|profile|height_cm|~|~;respiratory_rate|Respiratory rate|level|/min|2|100|9279-1|exact|Respiratory rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|respiratory_rate|~;sleep.average_hrv_ms|Heart rate variability (RMSSD), mean of a sleep|level|ms|1|500|~|none|~|~|sleep|average_hrv_ms|~|~;sleep.awake_s|Time awake in bed|duration|s|0|86400|~|none|~|~|sleep|awake_s|~|~;sleep.deep_s|Deep sleep|duration|s|0|86400|93831-6|exact|Deep sleep duration|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|deep_s|~|~;sleep.duration_s|Time in bed|duration|s|60|86400|~|none|~|~|sleep|duration_s|~|~;sleep.efficiency|Sleep efficiency|level|1|0.01|1|~|none|~|~|sleep|efficiency|~|~;sleep.hr_average_bpm|Heart rate, mean of a sleep|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|hr_average_bpm|~|~;sleep.hr_dip_pct|Dip of the heart rate|level|%|-50|100|~|none|~|~|sleep|hr_dip_pct|~|~;sleep.hr_lowest_bpm|Heart rate, minimum of a sleep|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|hr_lowest_bpm|~|~;sleep.hr_resting_bpm|Resting heart rate, from a sleep|level|/min|20|300|40443-4|exact|Heart rate --resting|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|hr_resting_bpm|~|~;sleep.latency_s|Time to fall asleep|duration|s|0|86400|~|none|~|~|sleep|latency_s|~|~;sleep.light_s|Light sleep|duration|s|0|86400|93830-8|exact|Light sleep duration|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|light_s|~|~;sleep.recovery_readiness_score|Recovery score|level|{score}|1|100|~|none|~|~|sleep|recovery_readiness_score|~|~;sleep.rem_s|REM sleep|duration|s|0|86400|93829-0|exact|REM sleep duration|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|rem_s|~|~;sleep.respiratory_rate_per_min|Respiratory rate, mean of a sleep|level|/min|2|100|9279-1|broader|Respiratory rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|respiratory_rate_per_min|~|~;sleep.score|Sleep score|level|{score}|1|100|~|none|~|~|sleep|score|~|~;sleep.skin_temperature_c|Skin temperature|level|Cel|10|45|~|none|~|~|sleep|skin_temperature_c|~|~;sleep.temperature_delta_c|Deviation of the skin temperature|level|K|-15|15|~|none|~|~|sleep|temperature_delta_c|~|~;sleep.total_s|Sleep|duration|s|60|86400|93832-4|exact|Sleep duration|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|sleep|total_s|~|~;sleep_apnea_alert|Alerts, sleep apnea|additive_event|{events}|0|1|~|none|~|~|timeseries|value|sleep_apnea_alert|~;sleep_breathing_disturbance|Breathing disturbances|level|{events}|0|200|~|none|~|~|timeseries|value|sleep_breathing_disturbance|~;sleep_breathing_disturbance.elevated|Breathing disturbances, elevated|level|{events}|0|200|~|none|~|~|timeseries|value|sleep_breathing_disturbance|elevated;sleep_breathing_disturbance.not_elevated|Breathing disturbances, not elevated|level|{events}|0|200|~|none|~|~|timeseries|value|sleep_breathing_disturbance|not_elevated;stand_duration|Standing|duration|min|0|1500|~|none|~|~|timeseries|value|stand_duration|~;stand_hour|Hours of the day|additive_event|{hours}|0|25|~|none|~|~|timeseries|value|stand_hour|~;stand_hour.idle|Hours without standing|additive_event|{hours}|0|25|~|none|~|~|timeseries|value|stand_hour|idle;stand_hour.stood|Hours with standing|additive_event|{hours}|0|25|~|none|~|~|timeseries|value|stand_hour|stood;steps|Steps|additive_interval|{steps}|0|250000|55423-8|broader|Number of steps in unspecified time Pedometer|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|steps|~;stress_level|Stress level|level|%|0|100|~|none|~|~|timeseries|value|stress_level|~;uv_exposure|UV index|level|{index}|0|45|~|none|~|~|timeseries|value|uv_exposure|~;vo2_max|Maximal oxygen consumption|level|mL/kg/min|5|100|94122-9|exact|Oxygen consumption (VO2)/Body weight [Volume Rate Content] --peak during exercise|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|vo2_max|~;waist_circumference|Waist circumference|level|cm|15|320|~|none|~|~|timeseries|value|waist_circumference|~;water|Water|additive_event|mL|0|20000|~|none|~|~|timeseries|value|water|~;weight|Body weight|level|kg|0.3|650|29463-7|exact|Body weight|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|weight|~;wheelchair_push|Wheelchair pushes|additive_interval|{pushes}|0|100000|~|none|~|~|timeseries|value|wheelchair_push|~;workout_distance|Distance during a workout|additive_interval|m|0|2000000|~|none|~|~|timeseries|value|workout_distance|~;workout_duration|Workout|duration|min|0|10000|55411-3|broader|Exercise duration|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|timeseries|value|workout_duration|~;workout_swimming_stroke|Swimming strokes|additive_interval|{strokes}|0|200000|~|none|~|~|timeseries|value|workout_swimming_stroke|~;workouts.average_hr_bpm|Heart rate, mean of a workout|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|workouts|average_hr_bpm|~|~;workouts.average_speed_m_s|Speed, mean of a workout|level|m/s|0|80|~|none|~|~|workouts|average_speed_m_s|~|~;workouts.average_watts|Power, mean of a workout|level|W|0|3000|~|none|~|~|workouts|average_watts|~|~;workouts.calories_kcal|Energy of a workout|additive_interval|kcal|0|50000|~|none|~|~|workouts|calories_kcal|~|~;workouts.device_watts|Power measured by the device|level|W|0|3000|~|none|~|~|workouts|device_watts|~|~;workouts.distance_m|Distance of a workout|additive_interval|m|0|2000000|~|none|~|~|workouts|distance_m|~|~;workouts.elev_high_m|Highest altitude of a workout|level|m|-450|9000|~|none|~|~|workouts|elev_high_m|~|~;workouts.elev_low_m|Lowest altitude of a workout|level|m|-450|9000|~|none|~|~|workouts|elev_low_m|~|~;workouts.max_hr_bpm|Heart rate, maximum of a workout|level|/min|20|300|8867-4|broader|Heart rate|@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json|workouts|max_hr_bpm|~|~;workouts.max_speed_m_s|Speed, maximum of a workout|level|m/s|0|80|~|none|~|~|workouts|max_speed_m_s|~|~;workouts.max_watts|Power, maximum of a workout|level|W|0|3000|~|none|~|~|workouts|max_watts|~|~;workouts.moving_time_s|Moving time of a workout|duration|s|0|600000|~|none|~|~|workouts|moving_time_s|~|~;workouts.steps|Steps of a workout|additive_interval|{steps}|0|500000|~|none|~|~|workouts|steps|~|~;workouts.total_elevation_gain_m|Elevation gain of a workout|additive_interval|m|0|50000|~|none|~|~|workouts|total_elevation_gain_m|~|~;workouts.weighted_average_watts|Power, weighted mean of a workout|level|W|0|3000|~|none|~|~|workouts|weighted_average_watts|~|~', ';')) as line
) as literals;

CREATE OR REPLACE VIEW `my-project.health.unit_conversions` (
  measure OPTIONS (description = 'Id of the measure.'),
  unit_sent OPTIONS (description = 'A spelling of the unit, in lower case; empty for values without a unit.'),
  minus OPTIONS (description = 'Zero point of the unit: canonical value = (value − minus) × times ÷ per.'),
  times OPTIONS (description = 'Values are multiplied by this factor.'),
  per OPTIONS (description = 'Values are divided by this factor.'),
  unit OPTIONS (description = 'The canonical unit as a UCUM code.'),
  plausible_low OPTIONS (description = 'Least plausible value of the measure, in the canonical unit.'),
  plausible_high OPTIONS (description = 'Greatest plausible value of the measure, in the canonical unit.')
)
OPTIONS (description = 'One row per measure and spelling of a unit that a value may be sent in, with the factors of the conversion.', labels = [('aorta', 'view'), ('aorta_text', 'f45fc5f6647a1d68')]) AS
select
  nullif(cells[offset(0)], '~') as measure,
  nullif(cells[offset(1)], '~') as unit_sent,
  cast(nullif(cells[offset(2)], '~') as float64) as minus,
  cast(nullif(cells[offset(3)], '~') as float64) as times,
  cast(nullif(cells[offset(4)], '~') as float64) as per,
  nullif(cells[offset(5)], '~') as unit,
  cast(nullif(cells[offset(6)], '~') as float64) as plausible_low,
  cast(nullif(cells[offset(7)], '~') as float64) as plausible_high
from (
  select split(line, '|') as cells
  from unnest(split('active_energy_burned||0|1|1|kcal|0|20000;active_energy_burned|kcal|0|1|1|kcal|0|20000;active_energy_burned|kilocalorie|0|1|1|kcal|0|20000;active_energy_burned|kilocalories|0|1|1|kcal|0|20000;active_energy_burned|kj|0|1|4.184|kcal|0|20000;active_energy_burned|kilojoule|0|1|4.184|kcal|0|20000;active_energy_burned|kilojoules|0|1|4.184|kcal|0|20000;active_energy_burned|j|0|1|4184|kcal|0|20000;active_energy_burned|joule|0|1|4184|kcal|0|20000;active_energy_burned|joules|0|1|4184|kcal|0|20000;activity.calories_active_kcal||0|1|1|kcal|0|20000;activity.calories_total_kcal||0|1|1|kcal|1|20000;activity.distance_m||0|1|1|m|0|1100000;activity.floors_climbed||0|1|1|{floors}|0|3000;activity.heart_rate_avg_bpm||0|1|1|/min|20|300;activity.heart_rate_avg_walking_bpm||0|1|1|/min|20|300;activity.heart_rate_max_bpm||0|1|1|/min|20|300;activity.heart_rate_min_bpm||0|1|1|/min|20|300;activity.heart_rate_resting_bpm||0|1|1|/min|20|300;activity.high_min||0|1|1|min|0|1500;activity.low_min||0|1|1|min|0|1500;activity.medium_min||0|1|1|min|0|1500;activity.steps||0|1|1|{steps}|0|250000;activity.wheelchair_push||0|1|1|{pushes}|0|100000;afib_burden||0|1|1|%|0|100;afib_burden|%|0|1|1|%|0|100;afib_burden|percent|0|1|1|%|0|100;afib_burden|percentage|0|1|1|%|0|100;afib_burden|pct|0|1|1|%|0|100;basal_body_temperature||0|1|1|Cel|30|45;basal_body_temperature|°c|0|1|1|Cel|30|45;basal_body_temperature|c|0|1|1|Cel|30|45;basal_body_temperature|cel|0|1|1|Cel|30|45;basal_body_temperature|celsius|0|1|1|Cel|30|45;basal_body_temperature|degc|0|1|1|Cel|30|45;basal_body_temperature|deg c|0|1|1|Cel|30|45;basal_body_temperature|degree celsius|0|1|1|Cel|30|45;basal_body_temperature|degrees celsius|0|1|1|Cel|30|45;basal_body_temperature|°f|32|5|9|Cel|30|45;basal_body_temperature|f|32|5|9|Cel|30|45;basal_body_temperature|fahrenheit|32|5|9|Cel|30|45;basal_body_temperature|degf|32|5|9|Cel|30|45;basal_body_temperature|[degf]|32|5|9|Cel|30|45;basal_body_temperature|deg f|32|5|9|Cel|30|45;basal_body_temperature|degree fahrenheit|32|5|9|Cel|30|45;basal_body_temperature|degrees fahrenheit|32|5|9|Cel|30|45;basal_body_temperature|k|273.15|1|1|Cel|30|45;basal_body_temperature|kelvin|273.15|1|1|Cel|30|45;basal_energy_burned||0|1|1|kcal|0|5000;basal_energy_burned|kcal|0|1|1|kcal|0|5000;basal_energy_burned|kilocalorie|0|1|1|kcal|0|5000;basal_energy_burned|kilocalories|0|1|1|kcal|0|5000;basal_energy_burned|kj|0|1|4.184|kcal|0|5000;basal_energy_burned|kilojoule|0|1|4.184|kcal|0|5000;basal_energy_burned|kilojoules|0|1|4.184|kcal|0|5000;basal_energy_burned|j|0|1|4184|kcal|0|5000;basal_energy_burned|joule|0|1|4184|kcal|0|5000;basal_energy_burned|joules|0|1|4184|kcal|0|5000;blood_oxygen||0|1|1|%|50|100;blood_oxygen|%|0|1|1|%|50|100;blood_oxygen|percent|0|1|1|%|50|100;blood_oxygen|percentage|0|1|1|%|50|100;blood_oxygen|pct|0|1|1|%|50|100;blood_pressure.diastolic_mmhg||0|1|1|mm[Hg]|20|250;blood_pressure.diastolic_mmhg|mmhg|0|1|1|mm[Hg]|20|250;blood_pressure.diastolic_mmhg|mm hg|0|1|1|mm[Hg]|20|250;blood_pressure.diastolic_mmhg|mm[hg]|0|1|1|mm[Hg]|20|250;blood_pressure.diastolic_mmhg|kpa|0|1|0.133322387415|mm[Hg]|20|250;blood_pressure.diastolic_mmhg|kilopascal|0|1|0.133322387415|mm[Hg]|20|250;blood_pressure.diastolic_mmhg|kilopascals|0|1|0.133322387415|mm[Hg]|20|250;blood_pressure.systolic_mmhg||0|1|1|mm[Hg]|40|350;blood_pressure.systolic_mmhg|mmhg|0|1|1|mm[Hg]|40|350;blood_pressure.systolic_mmhg|mm hg|0|1|1|mm[Hg]|40|350;blood_pressure.systolic_mmhg|mm[hg]|0|1|1|mm[Hg]|40|350;blood_pressure.systolic_mmhg|kpa|0|1|0.133322387415|mm[Hg]|40|350;blood_pressure.systolic_mmhg|kilopascal|0|1|0.133322387415|mm[Hg]|40|350;blood_pressure.systolic_mmhg|kilopascals|0|1|0.133322387415|mm[Hg]|40|350;body.body_mass_index||0|1|1|kg/m2|5|210;body.bone_mass_pct||0|1|1|%|0.5|100;body.fat_pct||0|1|1|%|1|80;body.lean_body_mass_kg||0|1|1|kg|0.3|650;body.muscle_mass_pct||0|1|1|%|0.5|100;body.visceral_fat_index||0|1|1|{index}|1|60;body.waist_circumference_cm||0|1|1|cm|15|320;body.water_pct||0|1|1|%|0.5|100;body.weight_kg||0|1|1|kg|0.3|650;body_mass_index||0|1|1|kg/m2|5|210;body_mass_index|index|0|1|1|kg/m2|5|210;body_mass_index|kg/m2|0|1|1|kg/m2|5|210;body_mass_index|kg/m²|0|1|1|kg/m2|5|210;body_mass_index|kg/m^2|0|1|1|kg/m2|5|210;body_temperature||0|1|1|Cel|10|45;body_temperature|°c|0|1|1|Cel|10|45;body_temperature|c|0|1|1|Cel|10|45;body_temperature|cel|0|1|1|Cel|10|45;body_temperature|celsius|0|1|1|Cel|10|45;body_temperature|degc|0|1|1|Cel|10|45;body_temperature|deg c|0|1|1|Cel|10|45;body_temperature|degree celsius|0|1|1|Cel|10|45;body_temperature|degrees celsius|0|1|1|Cel|10|45;body_temperature|°f|32|5|9|Cel|10|45;body_temperature|f|32|5|9|Cel|10|45;body_temperature|fahrenheit|32|5|9|Cel|10|45;body_temperature|degf|32|5|9|Cel|10|45;body_temperature|[degf]|32|5|9|Cel|10|45;body_temperature|deg f|32|5|9|Cel|10|45;body_temperature|degree fahrenheit|32|5|9|Cel|10|45;body_temperature|degrees fahrenheit|32|5|9|Cel|10|45;body_temperature|k|273.15|1|1|Cel|10|45;body_temperature|kelvin|273.15|1|1|Cel|10|45;body_temperature_delta||0|1|1|K|-15|15;body_temperature_delta|°c|0|1|1|K|-15|15;body_temperature_delta|c|0|1|1|K|-15|15;body_temperature_delta|cel|0|1|1|K|-15|15;body_temperature_delta|celsius|0|1|1|K|-15|15;body_temperature_delta|degc|0|1|1|K|-15|15;body_temperature_delta|deg c|0|1|1|K|-15|15;body_temperature_delta|degree celsius|0|1|1|K|-15|15;body_temperature_delta|degrees celsius|0|1|1|K|-15|15;body_temperature_delta|k|0|1|1|K|-15|15;body_temperature_delta|kelvin|0|1|1|K|-15|15;body_temperature_delta|°f|0|5|9|K|-15|15;body_temperature_delta|f|0|5|9|K|-15|15;body_temperature_delta|fahrenheit|0|5|9|K|-15|15;body_temperature_delta|degf|0|5|9|K|-15|15;body_temperature_delta|[degf]|0|5|9|K|-15|15;body_temperature_delta|deg f|0|5|9|K|-15|15;body_temperature_delta|degree fahrenheit|0|5|9|K|-15|15;body_temperature_delta|degrees fahrenheit|0|5|9|K|-15|15;caffeine||0|1|1|g|0|10;caffeine|g|0|1|1|g|0|10;caffeine|gram|0|1|1|g|0|10;caffeine|grams|0|1|1|g|0|10;caffeine|mg|0|1|1000|g|0|10;caffeine|milligram|0|1|1000|g|0|10;caffeine|milligrams|0|1|1000|g|0|10;caffeine|µg|0|1|1000000|g|0|10;caffeine|μg|0|1|1000000|g|0|10;caffeine|ug|0|1|1000000|g|0|10;caffeine|mcg|0|1|1000000|g|0|10;caffeine|microgram|0|1|1000000|g|0|10;caffeine|micrograms|0|1|1000000|g|0|10;caffeine|kg|0|1000|1|g|0|10;caffeine|kilogram|0|1000|1|g|0|10;caffeine|kilograms|0|1000|1|g|0|10;caffeine|oz|0|28.349523125|1|g|0|10;caffeine|ounce|0|28.349523125|1|g|0|10;caffeine|ounces|0|28.349523125|1|g|0|10;caffeine|[oz_av]|0|28.349523125|1|g|0|10;calories_active||0|1|1|kcal|0|20000;calories_active|kcal|0|1|1|kcal|0|20000;calories_active|kilocalorie|0|1|1|kcal|0|20000;calories_active|kilocalories|0|1|1|kcal|0|20000;calories_active|kj|0|1|4.184|kcal|0|20000;calories_active|kilojoule|0|1|4.184|kcal|0|20000;calories_active|kilojoules|0|1|4.184|kcal|0|20000;calories_active|j|0|1|4184|kcal|0|20000;calories_active|joule|0|1|4184|kcal|0|20000;calories_active|joules|0|1|4184|kcal|0|20000;calories_basal||0|1|1|kcal|0|5000;calories_basal|kcal|0|1|1|kcal|0|5000;calories_basal|kilocalorie|0|1|1|kcal|0|5000;calories_basal|kilocalories|0|1|1|kcal|0|5000;calories_basal|kj|0|1|4.184|kcal|0|5000;calories_basal|kilojoule|0|1|4.184|kcal|0|5000;calories_basal|kilojoules|0|1|4.184|kcal|0|5000;calories_basal|j|0|1|4184|kcal|0|5000;calories_basal|joule|0|1|4184|kcal|0|5000;calories_basal|joules|0|1|4184|kcal|0|5000;carbohydrates||0|1|1|g|0|2000;carbohydrates|g|0|1|1|g|0|2000;carbohydrates|gram|0|1|1|g|0|2000;carbohydrates|grams|0|1|1|g|0|2000;carbohydrates|mg|0|1|1000|g|0|2000;carbohydrates|milligram|0|1|1000|g|0|2000;carbohydrates|milligrams|0|1|1000|g|0|2000;carbohydrates|µg|0|1|1000000|g|0|2000;carbohydrates|μg|0|1|1000000|g|0|2000;carbohydrates|ug|0|1|1000000|g|0|2000;carbohydrates|mcg|0|1|1000000|g|0|2000;carbohydrates|microgram|0|1|1000000|g|0|2000;carbohydrates|micrograms|0|1|1000000|g|0|2000;carbohydrates|kg|0|1000|1|g|0|2000;carbohydrates|kilogram|0|1000|1|g|0|2000;carbohydrates|kilograms|0|1000|1|g|0|2000;carbohydrates|oz|0|28.349523125|1|g|0|2000;carbohydrates|ounce|0|28.349523125|1|g|0|2000;carbohydrates|ounces|0|28.349523125|1|g|0|2000;carbohydrates|[oz_av]|0|28.349523125|1|g|0|2000;cholesterol||0|1|1|mmol/L|0.1|120;cholesterol|mmol/l|0|1|1|mmol/L|0.1|120;cholesterol|mmol/liter|0|1|1|mmol/L|0.1|120;cholesterol|mmol/litre|0|1|1|mmol/L|0.1|120;cholesterol.hdl||0|1|1|mmol/L|0.1|40;cholesterol.hdl|mmol/l|0|1|1|mmol/L|0.1|40;cholesterol.hdl|mmol/liter|0|1|1|mmol/L|0.1|40;cholesterol.hdl|mmol/litre|0|1|1|mmol/L|0.1|40;cholesterol.hdl|mg/dl|0|1|38.67|mmol/L|0.1|40;cholesterol.hdl|mg/100ml|0|1|38.67|mmol/L|0.1|40;cholesterol.ldl||0|1|1|mmol/L|0.1|40;cholesterol.ldl|mmol/l|0|1|1|mmol/L|0.1|40;cholesterol.ldl|mmol/liter|0|1|1|mmol/L|0.1|40;cholesterol.ldl|mmol/litre|0|1|1|mmol/L|0.1|40;cholesterol.ldl|mg/dl|0|1|38.67|mmol/L|0.1|40;cholesterol.ldl|mg/100ml|0|1|38.67|mmol/L|0.1|40;cholesterol.total||0|1|1|mmol/L|0.1|40;cholesterol.total|mmol/l|0|1|1|mmol/L|0.1|40;cholesterol.total|mmol/liter|0|1|1|mmol/L|0.1|40;cholesterol.total|mmol/litre|0|1|1|mmol/L|0.1|40;cholesterol.total|mg/dl|0|1|38.67|mmol/L|0.1|40;cholesterol.total|mg/100ml|0|1|38.67|mmol/L|0.1|40;cholesterol.triglycerides||0|1|1|mmol/L|0.1|120;cholesterol.triglycerides|mmol/l|0|1|1|mmol/L|0.1|120;cholesterol.triglycerides|mmol/liter|0|1|1|mmol/L|0.1|120;cholesterol.triglycerides|mmol/litre|0|1|1|mmol/L|0.1|120;cholesterol.triglycerides|mg/dl|0|1|88.57|mmol/L|0.1|120;cholesterol.triglycerides|mg/100ml|0|1|88.57|mmol/L|0.1|120;daylight_exposure||0|1|1|min|0|1500;daylight_exposure|min|0|1|1|min|0|1500;daylight_exposure|mins|0|1|1|min|0|1500;daylight_exposure|minute|0|1|1|min|0|1500;daylight_exposure|minutes|0|1|1|min|0|1500;daylight_exposure|s|0|1|60|min|0|1500;daylight_exposure|sec|0|1|60|min|0|1500;daylight_exposure|secs|0|1|60|min|0|1500;daylight_exposure|second|0|1|60|min|0|1500;daylight_exposure|seconds|0|1|60|min|0|1500;daylight_exposure|h|0|60|1|min|0|1500;daylight_exposure|hr|0|60|1|min|0|1500;daylight_exposure|hrs|0|60|1|min|0|1500;daylight_exposure|hour|0|60|1|min|0|1500;daylight_exposure|hours|0|60|1|min|0|1500;distance||0|1|1|m|0|1100000;distance|m|0|1|1|m|0|1100000;distance|meter|0|1|1|m|0|1100000;distance|meters|0|1|1|m|0|1100000;distance|metre|0|1|1|m|0|1100000;distance|metres|0|1|1|m|0|1100000;distance|km|0|1000|1|m|0|1100000;distance|kilometer|0|1000|1|m|0|1100000;distance|kilometers|0|1000|1|m|0|1100000;distance|kilometre|0|1000|1|m|0|1100000;distance|kilometres|0|1000|1|m|0|1100000;distance|cm|0|1|100|m|0|1100000;distance|centimeter|0|1|100|m|0|1100000;distance|centimeters|0|1|100|m|0|1100000;distance|centimetre|0|1|100|m|0|1100000;distance|centimetres|0|1|100|m|0|1100000;distance|mi|0|1609.344|1|m|0|1100000;distance|mile|0|1609.344|1|m|0|1100000;distance|miles|0|1609.344|1|m|0|1100000;distance|[mi_i]|0|1609.344|1|m|0|1100000;distance|yd|0|0.9144|1|m|0|1100000;distance|yard|0|0.9144|1|m|0|1100000;distance|yards|0|0.9144|1|m|0|1100000;distance|[yd_i]|0|0.9144|1|m|0|1100000;distance|ft|0|0.3048|1|m|0|1100000;distance|foot|0|0.3048|1|m|0|1100000;distance|feet|0|0.3048|1|m|0|1100000;distance|[ft_i]|0|0.3048|1|m|0|1100000;distance_running_walking||0|1|1|m|0|1100000;distance_running_walking|m|0|1|1|m|0|1100000;distance_running_walking|meter|0|1|1|m|0|1100000;distance_running_walking|meters|0|1|1|m|0|1100000;distance_running_walking|metre|0|1|1|m|0|1100000;distance_running_walking|metres|0|1|1|m|0|1100000;distance_running_walking|km|0|1000|1|m|0|1100000;distance_running_walking|kilometer|0|1000|1|m|0|1100000;distance_running_walking|kilometers|0|1000|1|m|0|1100000;distance_running_walking|kilometre|0|1000|1|m|0|1100000;distance_running_walking|kilometres|0|1000|1|m|0|1100000;distance_running_walking|cm|0|1|100|m|0|1100000;distance_running_walking|centimeter|0|1|100|m|0|1100000;distance_running_walking|centimeters|0|1|100|m|0|1100000;distance_running_walking|centimetre|0|1|100|m|0|1100000;distance_running_walking|centimetres|0|1|100|m|0|1100000;distance_running_walking|mi|0|1609.344|1|m|0|1100000;distance_running_walking|mile|0|1609.344|1|m|0|1100000;distance_running_walking|miles|0|1609.344|1|m|0|1100000;distance_running_walking|[mi_i]|0|1609.344|1|m|0|1100000;distance_running_walking|yd|0|0.9144|1|m|0|1100000;distance_running_walking|yard|0|0.9144|1|m|0|1100000;distance_running_walking|yards|0|0.9144|1|m|0|1100000;distance_running_walking|[yd_i]|0|0.9144|1|m|0|1100000;distance_running_walking|ft|0|0.3048|1|m|0|1100000;distance_running_walking|foot|0|0.3048|1|m|0|1100000;distance_running_walking|feet|0|0.3048|1|m|0|1100000;distance_running_walking|[ft_i]|0|0.3048|1|m|0|1100000;electrocardiogram.heart_rate_mean_bpm||0|1|1|/min|20|300;electrocardiogram_voltage||0|1|1|mV|-10|10;electrocardiogram_voltage|mv|0|1|1|mV|-10|10;electrocardiogram_voltage|millivolt|0|1|1|mV|-10|10;electrocardiogram_voltage|millivolts|0|1|1|mV|-10|10;electrocardiogram_voltage|µv|0|1|1000|mV|-10|10;electrocardiogram_voltage|μv|0|1|1000|mV|-10|10;electrocardiogram_voltage|uv|0|1|1000|mV|-10|10;electrocardiogram_voltage|microvolt|0|1|1000|mV|-10|10;electrocardiogram_voltage|microvolts|0|1|1000|mV|-10|10;electrocardiogram_voltage|v|0|1000|1|mV|-10|10;electrocardiogram_voltage|volt|0|1000|1|mV|-10|10;electrocardiogram_voltage|volts|0|1000|1|mV|-10|10;electrocardiogram_voltage.lead_1||0|1|1|mV|-10|10;electrocardiogram_voltage.lead_1|mv|0|1|1|mV|-10|10;electrocardiogram_voltage.lead_1|millivolt|0|1|1|mV|-10|10;electrocardiogram_voltage.lead_1|millivolts|0|1|1|mV|-10|10;electrocardiogram_voltage.lead_1|µv|0|1|1000|mV|-10|10;electrocardiogram_voltage.lead_1|μv|0|1|1000|mV|-10|10;electrocardiogram_voltage.lead_1|uv|0|1|1000|mV|-10|10;electrocardiogram_voltage.lead_1|microvolt|0|1|1000|mV|-10|10;electrocardiogram_voltage.lead_1|microvolts|0|1|1000|mV|-10|10;electrocardiogram_voltage.lead_1|v|0|1000|1|mV|-10|10;electrocardiogram_voltage.lead_1|volt|0|1000|1|mV|-10|10;electrocardiogram_voltage.lead_1|volts|0|1000|1|mV|-10|10;fall||0|1|1|{events}|0|100;fall|count|0|1|1|{events}|0|100;fall|counts|0|1|1|{events}|0|100;fall|{count}|0|1|1|{events}|0|100;fat||0|1|1|%|1|80;fat|%|0|1|1|%|1|80;fat|percent|0|1|1|%|1|80;fat|percentage|0|1|1|%|1|80;fat|pct|0|1|1|%|1|80;floors_climbed||0|1|1|{floors}|0|3000;floors_climbed|count|0|1|1|{floors}|0|3000;floors_climbed|counts|0|1|1|{floors}|0|3000;floors_climbed|{count}|0|1|1|{floors}|0|3000;floors_climbed|floor|0|1|1|{floors}|0|3000;floors_climbed|floors|0|1|1|{floors}|0|3000;forced_expiratory_volume_1||0|1|1|L|0.1|12;forced_expiratory_volume_1|l|0|1|1|L|0.1|12;forced_expiratory_volume_1|liter|0|1|1|L|0.1|12;forced_expiratory_volume_1|liters|0|1|1|L|0.1|12;forced_expiratory_volume_1|litre|0|1|1|L|0.1|12;forced_expiratory_volume_1|litres|0|1|1|L|0.1|12;forced_expiratory_volume_1|ml|0|1|1000|L|0.1|12;forced_expiratory_volume_1|milliliter|0|1|1000|L|0.1|12;forced_expiratory_volume_1|milliliters|0|1|1000|L|0.1|12;forced_expiratory_volume_1|millilitre|0|1|1000|L|0.1|12;forced_expiratory_volume_1|millilitres|0|1|1000|L|0.1|12;forced_vital_capacity||0|1|1|L|0.1|12;forced_vital_capacity|l|0|1|1|L|0.1|12;forced_vital_capacity|liter|0|1|1|L|0.1|12;forced_vital_capacity|liters|0|1|1|L|0.1|12;forced_vital_capacity|litre|0|1|1|L|0.1|12;forced_vital_capacity|litres|0|1|1|L|0.1|12;forced_vital_capacity|ml|0|1|1000|L|0.1|12;forced_vital_capacity|milliliter|0|1|1000|L|0.1|12;forced_vital_capacity|milliliters|0|1|1000|L|0.1|12;forced_vital_capacity|millilitre|0|1|1000|L|0.1|12;forced_vital_capacity|millilitres|0|1|1000|L|0.1|12;glucose||0|1|1|mmol/L|0.5|60;glucose|mmol/l|0|1|1|mmol/L|0.5|60;glucose|mmol/liter|0|1|1|mmol/L|0.5|60;glucose|mmol/litre|0|1|1|mmol/L|0.5|60;glucose|mg/dl|0|1|18.0182|mmol/L|0.5|60;glucose|mg/100ml|0|1|18.0182|mmol/L|0.5|60;handwashing||0|1|1|{events}|0|500;handwashing|count|0|1|1|{events}|0|500;handwashing|counts|0|1|1|{events}|0|500;handwashing|{count}|0|1|1|{events}|0|500;heart_rate_alert||0|1|1|{events}|0|1;heart_rate_alert|count|0|1|1|{events}|0|1;heart_rate_alert|counts|0|1|1|{events}|0|1;heart_rate_alert|{count}|0|1|1|{events}|0|1;heart_rate_alert.high_heart_rate||0|1|1|{events}|0|1;heart_rate_alert.high_heart_rate|count|0|1|1|{events}|0|1;heart_rate_alert.high_heart_rate|counts|0|1|1|{events}|0|1;heart_rate_alert.high_heart_rate|{count}|0|1|1|{events}|0|1;heart_rate_alert.irregular_rhythm||0|1|1|{events}|0|1;heart_rate_alert.irregular_rhythm|count|0|1|1|{events}|0|1;heart_rate_alert.irregular_rhythm|counts|0|1|1|{events}|0|1;heart_rate_alert.irregular_rhythm|{count}|0|1|1|{events}|0|1;heart_rate_alert.low_heart_rate||0|1|1|{events}|0|1;heart_rate_alert.low_heart_rate|count|0|1|1|{events}|0|1;heart_rate_alert.low_heart_rate|counts|0|1|1|{events}|0|1;heart_rate_alert.low_heart_rate|{count}|0|1|1|{events}|0|1;heart_rate_recovery_one_minute||0|1|1|/min|-50|150;heart_rate_recovery_one_minute|count|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|counts|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|{count}|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|bpm|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|beats/min|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|beats/minute|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|count/min|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|/min|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|1/min|0|1|1|/min|-50|150;heart_rate_recovery_one_minute|{beats}/min|0|1|1|/min|-50|150;heartrate||0|1|1|/min|20|300;heartrate|bpm|0|1|1|/min|20|300;heartrate|beats/min|0|1|1|/min|20|300;heartrate|beats/minute|0|1|1|/min|20|300;heartrate|count/min|0|1|1|/min|20|300;heartrate|/min|0|1|1|/min|20|300;heartrate|1/min|0|1|1|/min|20|300;heartrate|{beats}/min|0|1|1|/min|20|300;hrv||0|1|1|ms|1|500;hrv|rmssd|0|1|1|ms|1|500;hrv|ms|0|1|1|ms|1|500;hrv|msec|0|1|1|ms|1|500;hrv|millisecond|0|1|1|ms|1|500;hrv|milliseconds|0|1|1|ms|1|500;hrv|s|0|1000|1|ms|1|500;hrv|sec|0|1000|1|ms|1|500;hrv|second|0|1000|1|ms|1|500;hrv|seconds|0|1000|1|ms|1|500;ige||0|1|1|{FSU}|0|1000000;ige|fsu|0|1|1|{FSU}|0|1000000;igg||0|1|1|{FSU}|0|1000000;igg|fsu|0|1|1|{FSU}|0|1000000;inhaler_usage||0|1|1|{events}|0|100;inhaler_usage|count|0|1|1|{events}|0|100;inhaler_usage|counts|0|1|1|{events}|0|100;inhaler_usage|{count}|0|1|1|{events}|0|100;insulin_injection||0|1|1|[iU]|0|500;insulin_injection|unit|0|1|1|[iU]|0|500;insulin_injection|units|0|1|1|[iU]|0|500;insulin_injection|iu|0|1|1|[iU]|0|500;insulin_injection|[iu]|0|1|1|[iU]|0|500;insulin_injection|u|0|1|1|[iU]|0|500;insulin_injection.long_acting||0|1|1|[iU]|0|500;insulin_injection.long_acting|unit|0|1|1|[iU]|0|500;insulin_injection.long_acting|units|0|1|1|[iU]|0|500;insulin_injection.long_acting|iu|0|1|1|[iU]|0|500;insulin_injection.long_acting|[iu]|0|1|1|[iU]|0|500;insulin_injection.long_acting|u|0|1|1|[iU]|0|500;insulin_injection.rapid_acting||0|1|1|[iU]|0|500;insulin_injection.rapid_acting|unit|0|1|1|[iU]|0|500;insulin_injection.rapid_acting|units|0|1|1|[iU]|0|500;insulin_injection.rapid_acting|iu|0|1|1|[iU]|0|500;insulin_injection.rapid_acting|[iu]|0|1|1|[iU]|0|500;insulin_injection.rapid_acting|u|0|1|1|[iU]|0|500;lean_body_mass||0|1|1|kg|0.3|650;lean_body_mass|kg|0|1|1|kg|0.3|650;lean_body_mass|kilogram|0|1|1|kg|0.3|650;lean_body_mass|kilograms|0|1|1|kg|0.3|650;lean_body_mass|g|0|1|1000|kg|0.3|650;lean_body_mass|gram|0|1|1000|kg|0.3|650;lean_body_mass|grams|0|1|1000|kg|0.3|650;lean_body_mass|lb|0|0.45359237|1|kg|0.3|650;lean_body_mass|lbs|0|0.45359237|1|kg|0.3|650;lean_body_mass|pound|0|0.45359237|1|kg|0.3|650;lean_body_mass|pounds|0|0.45359237|1|kg|0.3|650;lean_body_mass|[lb_av]|0|0.45359237|1|kg|0.3|650;lean_body_mass|st|0|6.35029318|1|kg|0.3|650;lean_body_mass|stone|0|6.35029318|1|kg|0.3|650;lean_body_mass|stones|0|6.35029318|1|kg|0.3|650;lean_body_mass|[stone_av]|0|6.35029318|1|kg|0.3|650;lean_body_mass|oz|0|0.028349523125|1|kg|0.3|650;lean_body_mass|ounce|0|0.028349523125|1|kg|0.3|650;lean_body_mass|ounces|0|0.028349523125|1|kg|0.3|650;lean_body_mass|[oz_av]|0|0.028349523125|1|kg|0.3|650;meal.alcohol_g||0|1|1|g|0|2000;meal.carbs_g||0|1|1|g|0|2000;meal.cholesterol_g||0|1|1|g|0|20;meal.energy_kcal||0|1|1|kcal|0|20000;meal.fat_monounsaturated_g||0|1|1|g|0|2000;meal.fat_omega3_g||0|1|1|g|0|2000;meal.fat_omega6_g||0|1|1|g|0|2000;meal.fat_polyunsaturated_g||0|1|1|g|0|2000;meal.fat_saturated_g||0|1|1|g|0|2000;meal.fat_total_g||0|1|1|g|0|2000;meal.fibre_g||0|1|1|g|0|2000;meal.protein_g||0|1|1|g|0|2000;meal.sugar_g||0|1|1|g|0|2000;meal.water_g||0|1|1|g|0|20000;mindfulness_minutes||0|1|1|min|0|1500;mindfulness_minutes|min|0|1|1|min|0|1500;mindfulness_minutes|mins|0|1|1|min|0|1500;mindfulness_minutes|minute|0|1|1|min|0|1500;mindfulness_minutes|minutes|0|1|1|min|0|1500;mindfulness_minutes|s|0|1|60|min|0|1500;mindfulness_minutes|sec|0|1|60|min|0|1500;mindfulness_minutes|secs|0|1|60|min|0|1500;mindfulness_minutes|second|0|1|60|min|0|1500;mindfulness_minutes|seconds|0|1|60|min|0|1500;mindfulness_minutes|h|0|60|1|min|0|1500;mindfulness_minutes|hr|0|60|1|min|0|1500;mindfulness_minutes|hrs|0|60|1|min|0|1500;mindfulness_minutes|hour|0|60|1|min|0|1500;mindfulness_minutes|hours|0|60|1|min|0|1500;peak_expiratory_flow_rate||0|1|1|L/min|20|1200;peak_expiratory_flow_rate|l/min|0|1|1|L/min|20|1200;peak_expiratory_flow_rate|l/s|0|60|1|L/min|20|1200;profile.height_cm||0|1|1|cm|25|280;respiratory_rate||0|1|1|/min|2|100;respiratory_rate|bpm|0|1|1|/min|2|100;respiratory_rate|brpm|0|1|1|/min|2|100;respiratory_rate|breaths/min|0|1|1|/min|2|100;respiratory_rate|breaths/minute|0|1|1|/min|2|100;respiratory_rate|count/min|0|1|1|/min|2|100;respiratory_rate|/min|0|1|1|/min|2|100;respiratory_rate|1/min|0|1|1|/min|2|100;respiratory_rate|{breaths}/min|0|1|1|/min|2|100;sleep.average_hrv_ms||0|1|1|ms|1|500;sleep.awake_s||0|1|1|s|0|86400;sleep.deep_s||0|1|1|s|0|86400;sleep.duration_s||0|1|1|s|60|86400;sleep.efficiency||0|1|1|1|0.01|1;sleep.hr_average_bpm||0|1|1|/min|20|300;sleep.hr_dip_pct||0|1|1|%|-50|100;sleep.hr_lowest_bpm||0|1|1|/min|20|300;sleep.hr_resting_bpm||0|1|1|/min|20|300;sleep.latency_s||0|1|1|s|0|86400;sleep.light_s||0|1|1|s|0|86400;sleep.recovery_readiness_score||0|1|1|{score}|1|100;sleep.rem_s||0|1|1|s|0|86400;sleep.respiratory_rate_per_min||0|1|1|/min|2|100;sleep.score||0|1|1|{score}|1|100;sleep.skin_temperature_c||0|1|1|Cel|10|45;sleep.temperature_delta_c||0|1|1|K|-15|15;sleep.total_s||0|1|1|s|60|86400;sleep_apnea_alert||0|1|1|{events}|0|1;sleep_apnea_alert|count|0|1|1|{events}|0|1;sleep_apnea_alert|counts|0|1|1|{events}|0|1;sleep_apnea_alert|{count}|0|1|1|{events}|0|1;sleep_breathing_disturbance||0|1|1|{events}|0|200;sleep_breathing_disturbance|count|0|1|1|{events}|0|200;sleep_breathing_disturbance|counts|0|1|1|{events}|0|200;sleep_breathing_disturbance|{count}|0|1|1|{events}|0|200;sleep_breathing_disturbance.elevated||0|1|1|{events}|0|200;sleep_breathing_disturbance.elevated|count|0|1|1|{events}|0|200;sleep_breathing_disturbance.elevated|counts|0|1|1|{events}|0|200;sleep_breathing_disturbance.elevated|{count}|0|1|1|{events}|0|200;sleep_breathing_disturbance.not_elevated||0|1|1|{events}|0|200;sleep_breathing_disturbance.not_elevated|count|0|1|1|{events}|0|200;sleep_breathing_disturbance.not_elevated|counts|0|1|1|{events}|0|200;sleep_breathing_disturbance.not_elevated|{count}|0|1|1|{events}|0|200;stand_duration||0|1|1|min|0|1500;stand_duration|min|0|1|1|min|0|1500;stand_duration|mins|0|1|1|min|0|1500;stand_duration|minute|0|1|1|min|0|1500;stand_duration|minutes|0|1|1|min|0|1500;stand_duration|s|0|1|60|min|0|1500;stand_duration|sec|0|1|60|min|0|1500;stand_duration|secs|0|1|60|min|0|1500;stand_duration|second|0|1|60|min|0|1500;stand_duration|seconds|0|1|60|min|0|1500;stand_duration|h|0|60|1|min|0|1500;stand_duration|hr|0|60|1|min|0|1500;stand_duration|hrs|0|60|1|min|0|1500;stand_duration|hour|0|60|1|min|0|1500;stand_duration|hours|0|60|1|min|0|1500;stand_hour||0|1|1|{hours}|0|25;stand_hour|count|0|1|1|{hours}|0|25;stand_hour|counts|0|1|1|{hours}|0|25;stand_hour|{count}|0|1|1|{hours}|0|25;stand_hour|hour|0|1|1|{hours}|0|25;stand_hour|hours|0|1|1|{hours}|0|25;stand_hour.idle||0|1|1|{hours}|0|25;stand_hour.idle|count|0|1|1|{hours}|0|25;stand_hour.idle|counts|0|1|1|{hours}|0|25;stand_hour.idle|{count}|0|1|1|{hours}|0|25;stand_hour.idle|hour|0|1|1|{hours}|0|25;stand_hour.idle|hours|0|1|1|{hours}|0|25;stand_hour.stood||0|1|1|{hours}|0|25;stand_hour.stood|count|0|1|1|{hours}|0|25;stand_hour.stood|counts|0|1|1|{hours}|0|25;stand_hour.stood|{count}|0|1|1|{hours}|0|25;stand_hour.stood|hour|0|1|1|{hours}|0|25;stand_hour.stood|hours|0|1|1|{hours}|0|25;steps||0|1|1|{steps}|0|250000;steps|count|0|1|1|{steps}|0|250000;steps|counts|0|1|1|{steps}|0|250000;steps|{count}|0|1|1|{steps}|0|250000;steps|step|0|1|1|{steps}|0|250000;steps|steps|0|1|1|{steps}|0|250000;stress_level||0|1|1|%|0|100;stress_level|%|0|1|1|%|0|100;stress_level|percent|0|1|1|%|0|100;stress_level|percentage|0|1|1|%|0|100;stress_level|pct|0|1|1|%|0|100;uv_exposure||0|1|1|{index}|0|45;uv_exposure|index|0|1|1|{index}|0|45;vo2_max||0|1|1|mL/kg/min|5|100;vo2_max|ml/kg/min|0|1|1|mL/kg/min|5|100;vo2_max|ml/min/kg|0|1|1|mL/kg/min|5|100;vo2_max|ml/(kg*min)|0|1|1|mL/kg/min|5|100;vo2_max|ml/(kg.min)|0|1|1|mL/kg/min|5|100;vo2_max|ml/(kg·min)|0|1|1|mL/kg/min|5|100;vo2_max|ml/kg·min|0|1|1|mL/kg/min|5|100;vo2_max|ml/kg*min|0|1|1|mL/kg/min|5|100;waist_circumference||0|1|1|cm|15|320;waist_circumference|cm|0|1|1|cm|15|320;waist_circumference|centimeter|0|1|1|cm|15|320;waist_circumference|centimeters|0|1|1|cm|15|320;waist_circumference|centimetre|0|1|1|cm|15|320;waist_circumference|centimetres|0|1|1|cm|15|320;waist_circumference|m|0|100|1|cm|15|320;waist_circumference|meter|0|100|1|cm|15|320;waist_circumference|meters|0|100|1|cm|15|320;waist_circumference|metre|0|100|1|cm|15|320;waist_circumference|metres|0|100|1|cm|15|320;waist_circumference|mm|0|1|10|cm|15|320;waist_circumference|millimeter|0|1|10|cm|15|320;waist_circumference|millimeters|0|1|10|cm|15|320;waist_circumference|millimetre|0|1|10|cm|15|320;waist_circumference|millimetres|0|1|10|cm|15|320;waist_circumference|in|0|2.54|1|cm|15|320;waist_circumference|inch|0|2.54|1|cm|15|320;waist_circumference|inches|0|2.54|1|cm|15|320;waist_circumference|[in_i]|0|2.54|1|cm|15|320;waist_circumference|ft|0|30.48|1|cm|15|320;waist_circumference|foot|0|30.48|1|cm|15|320;waist_circumference|feet|0|30.48|1|cm|15|320;waist_circumference|[ft_i]|0|30.48|1|cm|15|320;water||0|1|1|mL|0|20000;water|ml|0|1|1|mL|0|20000;water|milliliter|0|1|1|mL|0|20000;water|milliliters|0|1|1|mL|0|20000;water|millilitre|0|1|1|mL|0|20000;water|millilitres|0|1|1|mL|0|20000;water|l|0|1000|1|mL|0|20000;water|liter|0|1000|1|mL|0|20000;water|liters|0|1000|1|mL|0|20000;water|litre|0|1000|1|mL|0|20000;water|litres|0|1000|1|mL|0|20000;water|dl|0|100|1|mL|0|20000;water|deciliter|0|100|1|mL|0|20000;water|deciliters|0|100|1|mL|0|20000;water|decilitre|0|100|1|mL|0|20000;water|decilitres|0|100|1|mL|0|20000;water|cl|0|10|1|mL|0|20000;water|centiliter|0|10|1|mL|0|20000;water|centiliters|0|10|1|mL|0|20000;water|centilitre|0|10|1|mL|0|20000;water|centilitres|0|10|1|mL|0|20000;water|fl oz|0|29.5735295625|1|mL|0|20000;water|fl_oz|0|29.5735295625|1|mL|0|20000;water|floz|0|29.5735295625|1|mL|0|20000;water|fl_oz_us|0|29.5735295625|1|mL|0|20000;water|fl oz us|0|29.5735295625|1|mL|0|20000;water|[foz_us]|0|29.5735295625|1|mL|0|20000;water|fl_oz_imp|0|28.4130625|1|mL|0|20000;water|fl oz imp|0|28.4130625|1|mL|0|20000;water|fl oz uk|0|28.4130625|1|mL|0|20000;water|[foz_br]|0|28.4130625|1|mL|0|20000;weight||0|1|1|kg|0.3|650;weight|kg|0|1|1|kg|0.3|650;weight|kilogram|0|1|1|kg|0.3|650;weight|kilograms|0|1|1|kg|0.3|650;weight|g|0|1|1000|kg|0.3|650;weight|gram|0|1|1000|kg|0.3|650;weight|grams|0|1|1000|kg|0.3|650;weight|lb|0|0.45359237|1|kg|0.3|650;weight|lbs|0|0.45359237|1|kg|0.3|650;weight|pound|0|0.45359237|1|kg|0.3|650;weight|pounds|0|0.45359237|1|kg|0.3|650;weight|[lb_av]|0|0.45359237|1|kg|0.3|650;weight|st|0|6.35029318|1|kg|0.3|650;weight|stone|0|6.35029318|1|kg|0.3|650;weight|stones|0|6.35029318|1|kg|0.3|650;weight|[stone_av]|0|6.35029318|1|kg|0.3|650;weight|oz|0|0.028349523125|1|kg|0.3|650;weight|ounce|0|0.028349523125|1|kg|0.3|650;weight|ounces|0|0.028349523125|1|kg|0.3|650;weight|[oz_av]|0|0.028349523125|1|kg|0.3|650;wheelchair_push||0|1|1|{pushes}|0|100000;wheelchair_push|count|0|1|1|{pushes}|0|100000;wheelchair_push|counts|0|1|1|{pushes}|0|100000;wheelchair_push|{count}|0|1|1|{pushes}|0|100000;wheelchair_push|push|0|1|1|{pushes}|0|100000;wheelchair_push|pushes|0|1|1|{pushes}|0|100000;workout_distance||0|1|1|m|0|2000000;workout_distance|m|0|1|1|m|0|2000000;workout_distance|meter|0|1|1|m|0|2000000;workout_distance|meters|0|1|1|m|0|2000000;workout_distance|metre|0|1|1|m|0|2000000;workout_distance|metres|0|1|1|m|0|2000000;workout_distance|km|0|1000|1|m|0|2000000;workout_distance|kilometer|0|1000|1|m|0|2000000;workout_distance|kilometers|0|1000|1|m|0|2000000;workout_distance|kilometre|0|1000|1|m|0|2000000;workout_distance|kilometres|0|1000|1|m|0|2000000;workout_distance|cm|0|1|100|m|0|2000000;workout_distance|centimeter|0|1|100|m|0|2000000;workout_distance|centimeters|0|1|100|m|0|2000000;workout_distance|centimetre|0|1|100|m|0|2000000;workout_distance|centimetres|0|1|100|m|0|2000000;workout_distance|mi|0|1609.344|1|m|0|2000000;workout_distance|mile|0|1609.344|1|m|0|2000000;workout_distance|miles|0|1609.344|1|m|0|2000000;workout_distance|[mi_i]|0|1609.344|1|m|0|2000000;workout_distance|yd|0|0.9144|1|m|0|2000000;workout_distance|yard|0|0.9144|1|m|0|2000000;workout_distance|yards|0|0.9144|1|m|0|2000000;workout_distance|[yd_i]|0|0.9144|1|m|0|2000000;workout_distance|ft|0|0.3048|1|m|0|2000000;workout_distance|foot|0|0.3048|1|m|0|2000000;workout_distance|feet|0|0.3048|1|m|0|2000000;workout_distance|[ft_i]|0|0.3048|1|m|0|2000000;workout_duration||0|1|1|min|0|10000;workout_duration|min|0|1|1|min|0|10000;workout_duration|mins|0|1|1|min|0|10000;workout_duration|minute|0|1|1|min|0|10000;workout_duration|minutes|0|1|1|min|0|10000;workout_duration|s|0|1|60|min|0|10000;workout_duration|sec|0|1|60|min|0|10000;workout_duration|secs|0|1|60|min|0|10000;workout_duration|second|0|1|60|min|0|10000;workout_duration|seconds|0|1|60|min|0|10000;workout_duration|h|0|60|1|min|0|10000;workout_duration|hr|0|60|1|min|0|10000;workout_duration|hrs|0|60|1|min|0|10000;workout_duration|hour|0|60|1|min|0|10000;workout_duration|hours|0|60|1|min|0|10000;workout_swimming_stroke||0|1|1|{strokes}|0|200000;workout_swimming_stroke|count|0|1|1|{strokes}|0|200000;workout_swimming_stroke|counts|0|1|1|{strokes}|0|200000;workout_swimming_stroke|{count}|0|1|1|{strokes}|0|200000;workout_swimming_stroke|stroke|0|1|1|{strokes}|0|200000;workout_swimming_stroke|strokes|0|1|1|{strokes}|0|200000;workouts.average_hr_bpm||0|1|1|/min|20|300;workouts.average_speed_m_s||0|1|1|m/s|0|80;workouts.average_watts||0|1|1|W|0|3000;workouts.calories_kcal||0|1|1|kcal|0|50000;workouts.device_watts||0|1|1|W|0|3000;workouts.distance_m||0|1|1|m|0|2000000;workouts.elev_high_m||0|1|1|m|-450|9000;workouts.elev_low_m||0|1|1|m|-450|9000;workouts.max_hr_bpm||0|1|1|/min|20|300;workouts.max_speed_m_s||0|1|1|m/s|0|80;workouts.max_watts||0|1|1|W|0|3000;workouts.moving_time_s||0|1|1|s|0|600000;workouts.steps||0|1|1|{steps}|0|500000;workouts.total_elevation_gain_m||0|1|1|m|0|50000;workouts.weighted_average_watts||0|1|1|W|0|3000', ';')) as line
) as literals;

CREATE OR REPLACE VIEW `my-project.health.user_offset_days` (
  user_id OPTIONS (description = 'The service’s id of the user.'),
  local_date OPTIONS (description = 'Date of the samples in their own offset.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  first_at OPTIONS (description = 'Start of the first sample.'),
  last_at OPTIONS (description = 'Start of the last sample.'),
  samples OPTIONS (description = 'Number of samples.')
)
OPTIONS (description = 'One offset of a user’s samples on a local date.', labels = [('aorta', 'view'), ('aorta_text', '9e11e76c9071c2ac')]) AS
select
  user_id, local_date, timezone_offset_s, min(start_at) as first_at, max(start_at) as last_at, count(*) as samples
from (
  select user_id, local_date, timezone_offset_s, start_at from `my-project.health.timeseries`
  union all
  select user_id, local_date, timezone_offset_s, start_at from `my-project.health.blood_pressure`
  union all
  select user_id, local_date, timezone_offset_s, start_at from `my-project.health.notes`
) samples
where timezone_offset_s is not null and local_date is not null
group by user_id, local_date, timezone_offset_s;

CREATE OR REPLACE VIEW `my-project.health.user_time_zones` (
  user_id OPTIONS (description = 'The service’s id of the user.'),
  from_at OPTIONS (description = 'Start of the period. The first period begins in 1970.'),
  to_at OPTIONS (description = 'First moment after the period. NULL in the last period.'),
  time_zone OPTIONS (description = 'IANA time zone, as `time_zone_transitions` spells it; NULL if only an offset is known.'),
  offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east; NULL if the time zone is known. (s)'),
  basis OPTIONS (description = 'How the time zone is known: `summary_zone`, `offset`, or `fallback` for the user’s fallback time zone.')
)
OPTIONS (description = 'One period in which a user was in a time zone. The periods of a user follow each other without gaps.', labels = [('aorta', 'view'), ('aorta_text', '08e829d1aa15a8be')]) AS
with stated as (
  select
    user_id, stated_at, calendar_date, timezone_offset_s, named.zone as named_zone,
    case
      when named.zone is not null then null
      when replace(lower(trim(time_zone, ' ')), ' ', '_') = 'z' then 0
      when not regexp_contains(replace(lower(trim(time_zone, ' ')), ' ', '_'), '^(gmt|utc)?([+]((0?[0-9]|1[0-3])(:[0-5][0-9])?|(0[0-9]|1[0-3])[0-5][0-9]|14(:?00)?)|-((0?[0-9]|1[01])(:[0-5][0-9])?|(0[0-9]|1[01])[0-5][0-9]|12(:?00)?))$') then null
      when length(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '')) < 4 then cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 3600
      else mod(cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64), 100) * 24 + cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 36
    end as named_offset_s
  from (
    select user_id, session_start as stated_at, time_zone, cast(null as date) as calendar_date, cast(null as int64) as timezone_offset_s
    from `my-project.health.sleep_cycle`
    where session_start >= timestamp '2010-01-01T00:00:00Z' and session_start < timestamp '2038-01-01T00:00:00Z'
    union all
    select user_id, session_start as stated_at, time_zone, cast(null as date) as calendar_date, cast(null as int64) as timezone_offset_s
    from `my-project.health.electrocardiogram`
    where session_start >= timestamp '2010-01-01T00:00:00Z' and session_start < timestamp '2038-01-01T00:00:00Z'
    union all
    select user_id, null, time_zone, calendar_date, timezone_offset_s
    from `my-project.health.activity`
    where calendar_date >= date '2010-01-01' and calendar_date < date '2038-01-01'
  ) summaries
  left join (select distinct zone, lower(zone) as spelled from `my-project.health.time_zone_transitions`) named on named.spelled = replace(lower(trim(time_zone, ' ')), ' ', '_')
),
observed as (
  select
    user_id, coalesce(stated_at, timestamp_add(timestamp(calendar_date), interval (-coalesce(zones.offset_s, named_offset_s)) second)) as observed_at,
    named_zone as time_zone, named_offset_s as offset_s
  from stated
  left join `my-project.health.time_zone_transitions` zones on zones.zone = named_zone and zones.time_basis = 'floating' and timestamp(calendar_date) >= zones.from_at and timestamp(calendar_date) < zones.to_at
  where named_zone is not null or named_offset_s is not null
  union all
  select user_id, first_at as observed_at, cast(null as string) as time_zone, timezone_offset_s as offset_s
  from `my-project.health.user_offset_days`
  where first_at >= timestamp '2010-01-01T00:00:00Z' and first_at < timestamp '2038-01-01T00:00:00Z' and timezone_offset_s is not null
  union all
  select user_id, last_at as observed_at, cast(null as string) as time_zone, timezone_offset_s as offset_s
  from `my-project.health.user_offset_days`
  where last_at >= timestamp '2010-01-01T00:00:00Z' and last_at < timestamp '2038-01-01T00:00:00Z' and timezone_offset_s is not null
  union all
  select user_id, bedtime_stop as observed_at, cast(null as string) as time_zone, timezone_offset_s as offset_s
  from `my-project.health.sleep`
  where bedtime_stop >= timestamp '2010-01-01T00:00:00Z' and bedtime_stop < timestamp '2038-01-01T00:00:00Z' and timezone_offset_s is not null
  union all
  select user_id, time_start as observed_at, cast(null as string) as time_zone, timezone_offset_s as offset_s
  from `my-project.health.workouts`
  where time_start >= timestamp '2010-01-01T00:00:00Z' and time_start < timestamp '2038-01-01T00:00:00Z' and timezone_offset_s is not null
  union all
  select user_id, timestamp_add(timestamp(calendar_date), interval (43200 - timezone_offset_s) second) as observed_at, cast(null as string) as time_zone, timezone_offset_s as offset_s
  from stated
  where timezone_offset_s is not null and named_zone is null and named_offset_s is null
),
-- At the same moment, a zone counts more than an offset. If two differ, the order of names or numbers decides.
merged as (
  select
    user_id, observed_at, min(time_zone) as time_zone, case when min(time_zone) is null then min(offset_s) end as offset_s
  from observed
  group by user_id, observed_at
),
fallback as (
  select user_id, named.zone as fallback_zone, case
      when named.zone is not null then null
      when replace(lower(trim(fallback_time_zone, ' ')), ' ', '_') = 'z' then 0
      when not regexp_contains(replace(lower(trim(fallback_time_zone, ' ')), ' ', '_'), '^(gmt|utc)?([+]((0?[0-9]|1[0-3])(:[0-5][0-9])?|(0[0-9]|1[0-3])[0-5][0-9]|14(:?00)?)|-((0?[0-9]|1[01])(:[0-5][0-9])?|(0[0-9]|1[01])[0-5][0-9]|12(:?00)?))$') then null
      when length(replace(replace(replace(replace(lower(trim(fallback_time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '')) < 4 then cast(replace(replace(replace(replace(lower(trim(fallback_time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 3600
      else mod(cast(replace(replace(replace(replace(lower(trim(fallback_time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64), 100) * 24 + cast(replace(replace(replace(replace(lower(trim(fallback_time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 36
    end as fallback_offset_s
  from `my-project.health.users`
  left join (select distinct zone, lower(zone) as spelled from `my-project.health.time_zone_transitions`) named on named.spelled = replace(lower(trim(fallback_time_zone, ' ')), ' ', '_')
  where coalesce(fallback_time_zone_source, '') <> 'service'
),
placed as (
  select
    known.user_id, observed_at, time_zone, offset_s, summary_zone, coalesce(summary_zone, fallback_zone) as candidate,
    fallback_offset_s
  from (
    select
      *,
      last_value(time_zone ignore nulls) over (
        partition by user_id order by observed_at rows between unbounded preceding and current row
      ) as summary_zone
    from merged
  ) known
  left join fallback on fallback.user_id = known.user_id
),
confirmed as (
  select
    placed.user_id, observed_at, candidate, placed.offset_s, summary_zone,
    placed.time_zone is not null or coalesce(coalesce(zones.offset_s, fallback_offset_s) = placed.offset_s, false) as is_confirmed
  from placed
  left join `my-project.health.time_zone_transitions` zones on zones.zone = candidate and zones.time_basis = 'utc' and observed_at >= zones.from_at and observed_at < zones.to_at
),
states as (
  select
    user_id, observed_at as from_at,
    case when is_confirmed then candidate end as time_zone,
    case when candidate is null or not is_confirmed then offset_s end as offset_s,
    case when not is_confirmed then 'offset' when summary_zone is null then 'fallback' else 'summary_zone' end as basis
  from confirmed
  union all
  select user_id, timestamp '1970-01-01T00:00:00Z', fallback_zone, fallback_offset_s, 'fallback'
  from fallback
  where fallback_zone is not null or fallback_offset_s is not null
),
compared as (
  select *, lag(state) over (partition by user_id order by from_at) as state_before
  from (
    select *, basis || ' ' || coalesce(time_zone, cast(offset_s as string)) as state from states
  ) named
),
changes as (
  select
    user_id, case when state_before is null then timestamp '1970-01-01T00:00:00Z' else from_at end as from_at, time_zone, offset_s, basis
  from compared
  where state_before is null or state_before <> state
)
select
  user_id, from_at, lead(from_at) over (partition by user_id order by from_at) as to_at, time_zone, offset_s, basis
from changes;

CREATE OR REPLACE VIEW `my-project.health.timeseries_local` (
  event_type OPTIONS (description = 'Event type.'),
  team_id OPTIONS (description = 'Team of the user.'),
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  resource OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo OPTIONS (description = 'URL of an icon, in the old form.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  data_user_id OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_source_id OPTIONS (description = 'Number of the source in the old event format. It has no meaning.'),
  legacy_provider OPTIONS (description = 'Name, slug and logo of the provider in the old event format.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  value OPTIONS (description = 'The measured value.'),
  sensor_location OPTIONS (description = 'Body site of the temperature measurement, such as `armpit`, `body`, `ear` or `finger`. Only for body temperatures.'),
  intensity OPTIONS (description = '`low`, `medium` or `high`. Only for workout_duration.'),
  delivery_mode OPTIONS (description = '`basal` or `bolus`. Only for insulin_injection.'),
  delivery_form OPTIONS (description = '`standard` or `extended`. Only for insulin_injection.'),
  bolus_purpose OPTIONS (description = '`meal`, `correction`, `mixed` or `unknown`. Only for insulin_injection.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  sample_id OPTIONS (description = 'Number of the sample. Deprecated by the service.'),
  sample_extra OPTIONS (description = 'Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent.'),
  extra OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _origin OPTIONS (description = 'Hash of the source and the partition.'),
  _offset OPTIONS (description = 'Offset in the partition.'),
  _reader OPTIONS (description = 'Revision of the reader.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  local_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. It is the offset of the sample, otherwise the offset of the user at that time. NULL if neither is known. (s)')
)
OPTIONS (description = 'One row of `timeseries`, with its local time even if the provider sent no offset.', labels = [('aorta', 'view'), ('aorta_text', 'f0373215d3be691f')]) AS
select
  event_type, team_id, user_id, client_user_id, resource, provider, source_type, provider || '/' || source_type as source, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, start_at, timezone_offset_s, end_at, value, sensor_location, intensity, delivery_mode, delivery_form, bolus_purpose, sample_type, unit, sample_id, sample_extra, extra, _received_at, _origin, _offset, _reader, _day, _loaded_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then datetime(safe.timestamp_add(start_at, interval 0 second))
      else datetime(safe.timestamp_add(start_at, interval local_offset_s second))
    end as local_at
  from (
    select
      samples.event_type, samples.team_id, samples.user_id, samples.client_user_id, samples.resource, samples.provider, samples.source_type, samples.source_app_id, samples.source_device_id, samples.source_sport, samples.source_workout_id, samples.source_name, samples.source_logo, samples.time_basis, samples.data_user_id, samples.data_source_id, samples.legacy_provider, samples.start_at, samples.timezone_offset_s, samples.end_at, samples.value, samples.sensor_location, samples.intensity, samples.delivery_mode, samples.delivery_form, samples.bolus_purpose, samples.sample_type, samples.unit, samples.sample_id, samples.sample_extra, samples.extra, samples._received_at, samples._origin, samples._offset, samples._reader, samples._day, samples._loaded_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from `my-project.health.timeseries` samples
    left join `my-project.health.user_time_zones` spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamp '9999-12-31T23:59:59Z')
    left join `my-project.health.time_zone_transitions` zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

CREATE OR REPLACE VIEW `my-project.health.blood_pressure_local` (
  event_type OPTIONS (description = 'Event type.'),
  team_id OPTIONS (description = 'Team of the user.'),
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  resource OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo OPTIONS (description = 'URL of an icon, in the old form.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  data_user_id OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_source_id OPTIONS (description = 'Number of the source in the old event format. It has no meaning.'),
  legacy_provider OPTIONS (description = 'Name, slug and logo of the provider in the old event format.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  systolic_mmhg OPTIONS (description = 'Systolic pressure. (mmHg)'),
  diastolic_mmhg OPTIONS (description = 'Diastolic pressure. (mmHg)'),
  `grouping` OPTIONS (description = 'The values that the service used to group the samples: source type, workout id, sport and device id.'),
  sample_type OPTIONS (description = 'Type of the sample.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  sample_id OPTIONS (description = 'Number of the sample. Deprecated by the service.'),
  sample_extra OPTIONS (description = 'Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent.'),
  extra OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _origin OPTIONS (description = 'Hash of the source and the partition.'),
  _offset OPTIONS (description = 'Offset in the partition.'),
  _reader OPTIONS (description = 'Revision of the reader.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  local_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. It is the offset of the sample, otherwise the offset of the user at that time. NULL if neither is known. (s)')
)
OPTIONS (description = 'One row of `blood_pressure`, with its local time even if the provider sent no offset.', labels = [('aorta', 'view'), ('aorta_text', '79ace718bc7dd631')]) AS
select
  event_type, team_id, user_id, client_user_id, resource, provider, source_type, provider || '/' || source_type as source, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, start_at, timezone_offset_s, systolic_mmhg, diastolic_mmhg, `grouping`, sample_type, unit, sample_id, sample_extra, extra, _received_at, _origin, _offset, _reader, _day, _loaded_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then datetime(safe.timestamp_add(start_at, interval 0 second))
      else datetime(safe.timestamp_add(start_at, interval local_offset_s second))
    end as local_at
  from (
    select
      samples.event_type, samples.team_id, samples.user_id, samples.client_user_id, samples.resource, samples.provider, samples.source_type, samples.source_app_id, samples.source_device_id, samples.source_sport, samples.source_workout_id, samples.source_name, samples.source_logo, samples.time_basis, samples.data_user_id, samples.data_source_id, samples.legacy_provider, samples.start_at, samples.timezone_offset_s, samples.systolic_mmhg, samples.diastolic_mmhg, samples.`grouping`, samples.sample_type, samples.unit, samples.sample_id, samples.sample_extra, samples.extra, samples._received_at, samples._origin, samples._offset, samples._reader, samples._day, samples._loaded_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from `my-project.health.blood_pressure` samples
    left join `my-project.health.user_time_zones` spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamp '9999-12-31T23:59:59Z')
    left join `my-project.health.time_zone_transitions` zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

CREATE OR REPLACE VIEW `my-project.health.notes_local` (
  event_type OPTIONS (description = 'Event type.'),
  team_id OPTIONS (description = 'Team of the user.'),
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  resource OPTIONS (description = 'Timeseries resource, as in the event type.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo OPTIONS (description = 'URL of an icon, in the old form.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  data_user_id OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  data_source_id OPTIONS (description = 'Number of the source in the old event format. It has no meaning.'),
  legacy_provider OPTIONS (description = 'Name, slug and logo of the provider in the old event format.'),
  start_at OPTIONS (description = 'Start of the period that the note is about.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  end_at OPTIONS (description = 'End of the period that the note is about (exclusive).'),
  text OPTIONS (description = 'Text of the note.'),
  tags OPTIONS (description = 'Subjects of the note, as a JSON array of `food`, `exercise`, `insulin_injection` or `unspecified`.'),
  sample_type OPTIONS (description = 'Type of the note.'),
  unit OPTIONS (description = '`text`, as sent.'),
  sample_id OPTIONS (description = 'Number of the sample. Deprecated by the service.'),
  sample_extra OPTIONS (description = 'Unknown members of the sample, and members whose value does not fit the type of their column. A JSON object with the values as sent.'),
  extra OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _origin OPTIONS (description = 'Hash of the source and the partition.'),
  _offset OPTIONS (description = 'Offset in the partition.'),
  _reader OPTIONS (description = 'Revision of the reader.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  local_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. It is the offset of the sample, otherwise the offset of the user at that time. NULL if neither is known. (s)')
)
OPTIONS (description = 'One row of `notes`, with its local time even if the provider sent no offset.', labels = [('aorta', 'view'), ('aorta_text', 'b367a94283592b28')]) AS
select
  event_type, team_id, user_id, client_user_id, resource, provider, source_type, provider || '/' || source_type as source, source_app_id, source_device_id, source_sport, source_workout_id, source_name, source_logo, time_basis, data_user_id, data_source_id, legacy_provider, start_at, timezone_offset_s, end_at, text, tags, sample_type, unit, sample_id, sample_extra, extra, _received_at, _origin, _offset, _reader, _day, _loaded_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then datetime(safe.timestamp_add(start_at, interval 0 second))
      else datetime(safe.timestamp_add(start_at, interval local_offset_s second))
    end as local_at
  from (
    select
      samples.event_type, samples.team_id, samples.user_id, samples.client_user_id, samples.resource, samples.provider, samples.source_type, samples.source_app_id, samples.source_device_id, samples.source_sport, samples.source_workout_id, samples.source_name, samples.source_logo, samples.time_basis, samples.data_user_id, samples.data_source_id, samples.legacy_provider, samples.start_at, samples.timezone_offset_s, samples.end_at, samples.text, samples.tags, samples.sample_type, samples.unit, samples.sample_id, samples.sample_extra, samples.extra, samples._received_at, samples._origin, samples._offset, samples._reader, samples._day, samples._loaded_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from `my-project.health.notes` samples
    left join `my-project.health.user_time_zones` spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamp '9999-12-31T23:59:59Z')
    left join `my-project.health.time_zone_transitions` zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

CREATE OR REPLACE VIEW `my-project.health.active_energy_burned` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  active_energy_burned_kcal OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (kcal)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource active_energy_burned.', labels = [('aorta', 'view'), ('aorta_text', '62ee5715ff60e773')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as active_energy_burned_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'active_energy_burned';

CREATE OR REPLACE VIEW `my-project.health.afib_burden` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  afib_burden_pct OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (%)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource afib_burden.', labels = [('aorta', 'view'), ('aorta_text', '6a5f2d9f313a9d0c')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as afib_burden_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'afib_burden';

CREATE OR REPLACE VIEW `my-project.health.basal_body_temperature` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  basal_body_temperature_c OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (°C)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource basal_body_temperature.', labels = [('aorta', 'view'), ('aorta_text', 'c4969de66d7d413f')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as basal_body_temperature_c,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', '°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit', 'k', 'kelvin') then 'Cel' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'basal_body_temperature';

CREATE OR REPLACE VIEW `my-project.health.basal_energy_burned` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  basal_energy_burned_kcal OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (kcal)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource basal_energy_burned.', labels = [('aorta', 'view'), ('aorta_text', 'e22f4c4a2195230e')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as basal_energy_burned_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'basal_energy_burned';

CREATE OR REPLACE VIEW `my-project.health.blood_oxygen` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  blood_oxygen_pct OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (%)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource blood_oxygen.', labels = [('aorta', 'view'), ('aorta_text', 'f05d3c4e279345ae')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as blood_oxygen_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'blood_oxygen';

CREATE OR REPLACE VIEW `my-project.health.body_mass_index` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  body_mass_index_index OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (index)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource body_mass_index.', labels = [('aorta', 'view'), ('aorta_text', '850359fe724b5179')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index', 'kg/m2', 'kg/m²', 'kg/m^2') then value end as body_mass_index_index,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index', 'kg/m2', 'kg/m²', 'kg/m^2') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index', 'kg/m2', 'kg/m²', 'kg/m^2') then 'kg/m2' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'body_mass_index';

CREATE OR REPLACE VIEW `my-project.health.body_temperature` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  sensor_location OPTIONS (description = 'Body site of the temperature measurement, such as `armpit`, `body`, `ear` or `finger`. Only for body temperatures.'),
  body_temperature_c OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (°C)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource body_temperature.', labels = [('aorta', 'view'), ('aorta_text', '018dd7e1526250af')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  sensor_location,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as body_temperature_c,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then (value - 32) * 5 / 9 when coalesce(lower(trim(unit, ' ')), '') in ('k', 'kelvin') then (value - 273.15) end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', '°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit', 'k', 'kelvin') then 'Cel' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'body_temperature';

CREATE OR REPLACE VIEW `my-project.health.body_temperature_delta` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  sensor_location OPTIONS (description = 'Body site of the temperature measurement, such as `armpit`, `body`, `ear` or `finger`. Only for body temperatures.'),
  body_temperature_delta_c OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (°C)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource body_temperature_delta.', labels = [('aorta', 'view'), ('aorta_text', '922ea7b93f7fa38d')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  sensor_location,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', 'k', 'kelvin') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then value * 5 / 9 end as body_temperature_delta_c,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', 'k', 'kelvin') then value when coalesce(lower(trim(unit, ' ')), '') in ('°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then value * 5 / 9 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '°c', 'c', 'cel', 'celsius', 'degc', 'deg c', 'degree celsius', 'degrees celsius', 'k', 'kelvin', '°f', 'f', 'fahrenheit', 'degf', '[degf]', 'deg f', 'degree fahrenheit', 'degrees fahrenheit') then 'K' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'body_temperature_delta';

CREATE OR REPLACE VIEW `my-project.health.caffeine` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  caffeine_g OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (g)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource caffeine.', labels = [('aorta', 'view'), ('aorta_text', 'e08feac06d6a93a4')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as caffeine_g,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams', 'mg', 'milligram', 'milligrams', 'µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms', 'kg', 'kilogram', 'kilograms', 'oz', 'ounce', 'ounces', '[oz_av]') then 'g' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'caffeine';

CREATE OR REPLACE VIEW `my-project.health.calories_active` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  calories_active_kcal OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (kcal)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource calories_active.', labels = [('aorta', 'view'), ('aorta_text', '43e0c336e92a8d77')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as calories_active_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'calories_active';

CREATE OR REPLACE VIEW `my-project.health.calories_basal` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  calories_basal_kcal OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (kcal)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource calories_basal.', labels = [('aorta', 'view'), ('aorta_text', 'b497f6388298da5d')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as calories_basal_kcal,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories') then value when coalesce(lower(trim(unit, ' ')), '') in ('kj', 'kilojoule', 'kilojoules') then value / 4.184 when coalesce(lower(trim(unit, ' ')), '') in ('j', 'joule', 'joules') then value / 4184 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kcal', 'kilocalorie', 'kilocalories', 'kj', 'kilojoule', 'kilojoules', 'j', 'joule', 'joules') then 'kcal' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'calories_basal';

CREATE OR REPLACE VIEW `my-project.health.carbohydrates` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  carbohydrates_g OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (g)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource carbohydrates.', labels = [('aorta', 'view'), ('aorta_text', 'ede713a7c64efd9d')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as carbohydrates_g,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg', 'milligram', 'milligrams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms') then value / 1000000 when coalesce(lower(trim(unit, ' ')), '') in ('kg', 'kilogram', 'kilograms') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 28.349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'g', 'gram', 'grams', 'mg', 'milligram', 'milligrams', 'µg', 'μg', 'ug', 'mcg', 'microgram', 'micrograms', 'kg', 'kilogram', 'kilograms', 'oz', 'ounce', 'ounces', '[oz_av]') then 'g' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'carbohydrates';

CREATE OR REPLACE VIEW `my-project.health.cholesterol` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  cholesterol_mmol_l OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (mmol/L)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource cholesterol.', labels = [('aorta', 'view'), ('aorta_text', '038122a05eaadd32')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when sample_type in ('cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 38.67 end when sample_type in ('cholesterol/triglycerides') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 88.57 end else case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value end end as cholesterol_mmol_l,
  value,
  unit,
  case when sample_type in ('cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 38.67 end when sample_type in ('cholesterol/triglycerides') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 88.57 end else case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value end end as value_canonical,
  case when sample_type in ('cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total', 'cholesterol/triglycerides') then case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre', 'mg/dl', 'mg/100ml') then 'mmol/L' end else case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then 'mmol/L' end end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'cholesterol';

CREATE OR REPLACE VIEW `my-project.health.daylight_exposure` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  daylight_exposure_min OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (min)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource daylight_exposure.', labels = [('aorta', 'view'), ('aorta_text', 'd6783388fb3756f4')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as daylight_exposure_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'daylight_exposure';

CREATE OR REPLACE VIEW `my-project.health.distance` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  distance_m OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (m)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource distance.', labels = [('aorta', 'view'), ('aorta_text', '639cec2096f9876c')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as distance_m,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres', 'km', 'kilometer', 'kilometers', 'kilometre', 'kilometres', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'mi', 'mile', 'miles', '[mi_i]', 'yd', 'yard', 'yards', '[yd_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'distance';

CREATE OR REPLACE VIEW `my-project.health.distance_running_walking` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  distance_running_walking_m OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (m)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource distance_running_walking.', labels = [('aorta', 'view'), ('aorta_text', '9ab793b72eb25ca1')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as distance_running_walking_m,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres', 'km', 'kilometer', 'kilometers', 'kilometre', 'kilometres', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'mi', 'mile', 'miles', '[mi_i]', 'yd', 'yard', 'yards', '[yd_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'distance_running_walking';

CREATE OR REPLACE VIEW `my-project.health.electrocardiogram_voltage` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  electrocardiogram_voltage_mv OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (mV)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource electrocardiogram_voltage.', labels = [('aorta', 'view'), ('aorta_text', 'ea37ec6ad5634162')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mv', 'millivolt', 'millivolts') then value when coalesce(lower(trim(unit, ' ')), '') in ('µv', 'μv', 'uv', 'microvolt', 'microvolts') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('v', 'volt', 'volts') then value * 1000 end as electrocardiogram_voltage_mv,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mv', 'millivolt', 'millivolts') then value when coalesce(lower(trim(unit, ' ')), '') in ('µv', 'μv', 'uv', 'microvolt', 'microvolts') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('v', 'volt', 'volts') then value * 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mv', 'millivolt', 'millivolts', 'µv', 'μv', 'uv', 'microvolt', 'microvolts', 'v', 'volt', 'volts') then 'mV' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'electrocardiogram_voltage';

CREATE OR REPLACE VIEW `my-project.health.fall` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  fall_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource fall.', labels = [('aorta', 'view'), ('aorta_text', '271648805f0fab20')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as fall_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'fall';

CREATE OR REPLACE VIEW `my-project.health.fat` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  fat_pct OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (%)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource fat.', labels = [('aorta', 'view'), ('aorta_text', 'ef46e65916dc0191')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as fat_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'fat';

CREATE OR REPLACE VIEW `my-project.health.floors_climbed` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  floors_climbed_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource floors_climbed.', labels = [('aorta', 'view'), ('aorta_text', '26463e80fd999287')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'floor', 'floors') then value end as floors_climbed_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'floor', 'floors') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'floor', 'floors') then '{floors}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'floors_climbed';

CREATE OR REPLACE VIEW `my-project.health.forced_expiratory_volume_1` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  forced_expiratory_volume_1_l OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (L)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource forced_expiratory_volume_1.', labels = [('aorta', 'view'), ('aorta_text', 'eeb7651524df5994')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as forced_expiratory_volume_1_l,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then 'L' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'forced_expiratory_volume_1';

CREATE OR REPLACE VIEW `my-project.health.forced_vital_capacity` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  forced_vital_capacity_l OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (L)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource forced_vital_capacity.', labels = [('aorta', 'view'), ('aorta_text', 'ad659a02b5d02254')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as forced_vital_capacity_l,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres') then value when coalesce(lower(trim(unit, ' ')), '') in ('ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value / 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l', 'liter', 'liters', 'litre', 'litres', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then 'L' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'forced_vital_capacity';

CREATE OR REPLACE VIEW `my-project.health.glucose` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  glucose_mmol_l OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (mmol/L)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource glucose.', labels = [('aorta', 'view'), ('aorta_text', 'a0d146aa0e820c6c')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 18.0182 end as glucose_mmol_l,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre') then value when coalesce(lower(trim(unit, ' ')), '') in ('mg/dl', 'mg/100ml') then value / 18.0182 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'mmol/l', 'mmol/liter', 'mmol/litre', 'mg/dl', 'mg/100ml') then 'mmol/L' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'glucose';

CREATE OR REPLACE VIEW `my-project.health.handwashing` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  handwashing_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource handwashing.', labels = [('aorta', 'view'), ('aorta_text', '5cce5c2c2cf18f44')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as handwashing_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'handwashing';

CREATE OR REPLACE VIEW `my-project.health.heart_rate_alert` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  heart_rate_alert_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource heart_rate_alert.', labels = [('aorta', 'view'), ('aorta_text', 'e9d815423658e191')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as heart_rate_alert_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'heart_rate_alert';

CREATE OR REPLACE VIEW `my-project.health.heart_rate_recovery_one_minute` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  heart_rate_recovery_one_minute_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource heart_rate_recovery_one_minute.', labels = [('aorta', 'view'), ('aorta_text', '694422ab5b6aaa0b')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as heart_rate_recovery_one_minute_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then '/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'heart_rate_recovery_one_minute';

CREATE OR REPLACE VIEW `my-project.health.heartrate` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  heartrate_bpm OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (bpm)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource heartrate.', labels = [('aorta', 'view'), ('aorta_text', '7b81de4dcecb76f6')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as heartrate_bpm,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'beats/min', 'beats/minute', 'count/min', '/min', '1/min', '{beats}/min') then '/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'heartrate';

CREATE OR REPLACE VIEW `my-project.health.hrv` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  hrv_rmssd_ms OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (rmssd)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource hrv.', labels = [('aorta', 'view'), ('aorta_text', 'a4080a5a093a076a')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'rmssd', 'ms', 'msec', 'millisecond', 'milliseconds') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'second', 'seconds') then value * 1000 end as hrv_rmssd_ms,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'rmssd', 'ms', 'msec', 'millisecond', 'milliseconds') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'second', 'seconds') then value * 1000 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'rmssd', 'ms', 'msec', 'millisecond', 'milliseconds', 's', 'sec', 'second', 'seconds') then 'ms' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'hrv';

CREATE OR REPLACE VIEW `my-project.health.hypnogram` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  hypnogram_stage OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (stage)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource hypnogram.', labels = [('aorta', 'view'), ('aorta_text', '9a89486fcade61e3')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'stage') then value end as hypnogram_stage,
  value,
  unit,
  case when false then value end as value_canonical,
  case when false then unit end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'hypnogram';

CREATE OR REPLACE VIEW `my-project.health.ige` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  ige_fsu OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (FSU)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource ige.', labels = [('aorta', 'view'), ('aorta_text', 'ff5c4bc34c412e68')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as ige_fsu,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then '{FSU}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'ige';

CREATE OR REPLACE VIEW `my-project.health.igg` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  igg_fsu OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (FSU)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource igg.', labels = [('aorta', 'view'), ('aorta_text', 'c3702fd8a48a1fde')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as igg_fsu,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'fsu') then '{FSU}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'igg';

CREATE OR REPLACE VIEW `my-project.health.inhaler_usage` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  inhaler_usage_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource inhaler_usage.', labels = [('aorta', 'view'), ('aorta_text', 'd42b667ff5acb70a')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as inhaler_usage_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'inhaler_usage';

CREATE OR REPLACE VIEW `my-project.health.insulin_injection` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  delivery_mode OPTIONS (description = '`basal` or `bolus`. Only for insulin_injection.'),
  delivery_form OPTIONS (description = '`standard` or `extended`. Only for insulin_injection.'),
  bolus_purpose OPTIONS (description = '`meal`, `correction`, `mixed` or `unknown`. Only for insulin_injection.'),
  insulin_injection_unit OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (unit)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource insulin_injection.', labels = [('aorta', 'view'), ('aorta_text', 'd7434083730a74b0')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  delivery_mode,
  delivery_form,
  bolus_purpose,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'unit', 'units', 'iu', '[iu]', 'u') then value end as insulin_injection_unit,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'unit', 'units', 'iu', '[iu]', 'u') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'unit', 'units', 'iu', '[iu]', 'u') then '[iU]' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'insulin_injection';

CREATE OR REPLACE VIEW `my-project.health.lean_body_mass` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  lean_body_mass_kg OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (kg)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource lean_body_mass.', labels = [('aorta', 'view'), ('aorta_text', '276c1a1c81713552')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as lean_body_mass_kg,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms', 'g', 'gram', 'grams', 'lb', 'lbs', 'pound', 'pounds', '[lb_av]', 'st', 'stone', 'stones', '[stone_av]', 'oz', 'ounce', 'ounces', '[oz_av]') then 'kg' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'lean_body_mass';

CREATE OR REPLACE VIEW `my-project.health.mindfulness_minutes` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  mindfulness_minutes_min OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (min)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource mindfulness_minutes.', labels = [('aorta', 'view'), ('aorta_text', '48704e610416de4b')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as mindfulness_minutes_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'mindfulness_minutes';

CREATE OR REPLACE VIEW `my-project.health.peak_expiratory_flow_rate` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  peak_expiratory_flow_rate_l_min OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (L/min)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource peak_expiratory_flow_rate.', labels = [('aorta', 'view'), ('aorta_text', '88079e5bbdb9618b')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l/min') then value when coalesce(lower(trim(unit, ' ')), '') = 'l/s' then value * 60 end as peak_expiratory_flow_rate_l_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l/min') then value when coalesce(lower(trim(unit, ' ')), '') = 'l/s' then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'l/min', 'l/s') then 'L/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'peak_expiratory_flow_rate';

CREATE OR REPLACE VIEW `my-project.health.respiratory_rate` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  respiratory_rate_per_min OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (bpm)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource respiratory_rate.', labels = [('aorta', 'view'), ('aorta_text', '57a8ee193508e7e9')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'brpm', 'breaths/min', 'breaths/minute', 'count/min', '/min', '1/min', '{breaths}/min') then value end as respiratory_rate_per_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'brpm', 'breaths/min', 'breaths/minute', 'count/min', '/min', '1/min', '{breaths}/min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'bpm', 'brpm', 'breaths/min', 'breaths/minute', 'count/min', '/min', '1/min', '{breaths}/min') then '/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'respiratory_rate';

CREATE OR REPLACE VIEW `my-project.health.sleep_apnea_alert` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  sleep_apnea_alert_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource sleep_apnea_alert.', labels = [('aorta', 'view'), ('aorta_text', 'c0af91be12c5208b')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as sleep_apnea_alert_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'sleep_apnea_alert';

CREATE OR REPLACE VIEW `my-project.health.sleep_breathing_disturbance` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  sleep_breathing_disturbance_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource sleep_breathing_disturbance.', labels = [('aorta', 'view'), ('aorta_text', 'b26cb22cf29ad419')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as sleep_breathing_disturbance_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}') then '{events}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'sleep_breathing_disturbance';

CREATE OR REPLACE VIEW `my-project.health.stand_duration` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  stand_duration_min OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (min)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource stand_duration.', labels = [('aorta', 'view'), ('aorta_text', '6d19080fcc98c045')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as stand_duration_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'stand_duration';

CREATE OR REPLACE VIEW `my-project.health.stand_hour` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  stand_hour_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource stand_hour.', labels = [('aorta', 'view'), ('aorta_text', 'd72dd10dd86dece5')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'hour', 'hours') then value end as stand_hour_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'hour', 'hours') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'hour', 'hours') then '{hours}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'stand_hour';

CREATE OR REPLACE VIEW `my-project.health.steps` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  steps_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource steps.', labels = [('aorta', 'view'), ('aorta_text', '55194b3865c93a20')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'step', 'steps') then value end as steps_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'step', 'steps') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'step', 'steps') then '{steps}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'steps';

CREATE OR REPLACE VIEW `my-project.health.stress_level` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  stress_level_pct OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (%)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource stress_level.', labels = [('aorta', 'view'), ('aorta_text', '5ea5bb4283857418')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as stress_level_pct,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', '%', 'percent', 'percentage', 'pct') then '%' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'stress_level';

CREATE OR REPLACE VIEW `my-project.health.uv_exposure` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  uv_exposure_index OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (index)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource uv_exposure.', labels = [('aorta', 'view'), ('aorta_text', '17e8152a9355b4d7')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index') then value end as uv_exposure_index,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'index') then '{index}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'uv_exposure';

CREATE OR REPLACE VIEW `my-project.health.vo2_max` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  vo2_max_ml_kg_min OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (mL/kg/min)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource vo2_max.', labels = [('aorta', 'view'), ('aorta_text', 'e275b7ca68c411a2')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml/kg/min', 'ml/min/kg', 'ml/(kg*min)', 'ml/(kg.min)', 'ml/(kg·min)', 'ml/kg·min', 'ml/kg*min') then value end as vo2_max_ml_kg_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml/kg/min', 'ml/min/kg', 'ml/(kg*min)', 'ml/(kg.min)', 'ml/(kg·min)', 'ml/kg·min', 'ml/kg*min') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml/kg/min', 'ml/min/kg', 'ml/(kg*min)', 'ml/(kg.min)', 'ml/(kg·min)', 'ml/kg·min', 'ml/kg*min') then 'mL/kg/min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'vo2_max';

CREATE OR REPLACE VIEW `my-project.health.waist_circumference` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  waist_circumference_cm OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (cm)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource waist_circumference.', labels = [('aorta', 'view'), ('aorta_text', '31dcaf3f1bde506c')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value when coalesce(lower(trim(unit, ' ')), '') in ('m', 'meter', 'meters', 'metre', 'metres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres') then value / 10 when coalesce(lower(trim(unit, ' ')), '') in ('in', 'inch', 'inches', '[in_i]') then value * 2.54 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 30.48 end as waist_circumference_cm,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value when coalesce(lower(trim(unit, ' ')), '') in ('m', 'meter', 'meters', 'metre', 'metres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres') then value / 10 when coalesce(lower(trim(unit, ' ')), '') in ('in', 'inch', 'inches', '[in_i]') then value * 2.54 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 30.48 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'm', 'meter', 'meters', 'metre', 'metres', 'mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres', 'in', 'inch', 'inches', '[in_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'cm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'waist_circumference';

CREATE OR REPLACE VIEW `my-project.health.water` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  water_ml OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (ml)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource water.', labels = [('aorta', 'view'), ('aorta_text', '6482b32543cd145a')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value when coalesce(lower(trim(unit, ' ')), '') in ('l', 'liter', 'liters', 'litre', 'litres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('dl', 'deciliter', 'deciliters', 'decilitre', 'decilitres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('cl', 'centiliter', 'centiliters', 'centilitre', 'centilitres') then value * 10 when coalesce(lower(trim(unit, ' ')), '') in ('fl oz', 'fl_oz', 'floz', 'fl_oz_us', 'fl oz us', '[foz_us]') then value * 29.5735295625 when coalesce(lower(trim(unit, ' ')), '') in ('fl_oz_imp', 'fl oz imp', 'fl oz uk', '[foz_br]') then value * 28.4130625 end as water_ml,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres') then value when coalesce(lower(trim(unit, ' ')), '') in ('l', 'liter', 'liters', 'litre', 'litres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('dl', 'deciliter', 'deciliters', 'decilitre', 'decilitres') then value * 100 when coalesce(lower(trim(unit, ' ')), '') in ('cl', 'centiliter', 'centiliters', 'centilitre', 'centilitres') then value * 10 when coalesce(lower(trim(unit, ' ')), '') in ('fl oz', 'fl_oz', 'floz', 'fl_oz_us', 'fl oz us', '[foz_us]') then value * 29.5735295625 when coalesce(lower(trim(unit, ' ')), '') in ('fl_oz_imp', 'fl oz imp', 'fl oz uk', '[foz_br]') then value * 28.4130625 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres', 'l', 'liter', 'liters', 'litre', 'litres', 'dl', 'deciliter', 'deciliters', 'decilitre', 'decilitres', 'cl', 'centiliter', 'centiliters', 'centilitre', 'centilitres', 'fl oz', 'fl_oz', 'floz', 'fl_oz_us', 'fl oz us', '[foz_us]', 'fl_oz_imp', 'fl oz imp', 'fl oz uk', '[foz_br]') then 'mL' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'water';

CREATE OR REPLACE VIEW `my-project.health.weight` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  weight_kg OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (kg)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource weight.', labels = [('aorta', 'view'), ('aorta_text', '61abfeacea6672eb')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as weight_kg,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms') then value when coalesce(lower(trim(unit, ' ')), '') in ('g', 'gram', 'grams') then value / 1000 when coalesce(lower(trim(unit, ' ')), '') in ('lb', 'lbs', 'pound', 'pounds', '[lb_av]') then value * 0.45359237 when coalesce(lower(trim(unit, ' ')), '') in ('st', 'stone', 'stones', '[stone_av]') then value * 6.35029318 when coalesce(lower(trim(unit, ' ')), '') in ('oz', 'ounce', 'ounces', '[oz_av]') then value * 0.028349523125 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'kg', 'kilogram', 'kilograms', 'g', 'gram', 'grams', 'lb', 'lbs', 'pound', 'pounds', '[lb_av]', 'st', 'stone', 'stones', '[stone_av]', 'oz', 'ounce', 'ounces', '[oz_av]') then 'kg' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'weight';

CREATE OR REPLACE VIEW `my-project.health.wheelchair_push` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  wheelchair_push_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource wheelchair_push.', labels = [('aorta', 'view'), ('aorta_text', '5ff48cb20b205bf5')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'push', 'pushes') then value end as wheelchair_push_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'push', 'pushes') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'push', 'pushes') then '{pushes}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'wheelchair_push';

CREATE OR REPLACE VIEW `my-project.health.workout_distance` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  source_workout_id OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_sport OPTIONS (description = 'Sport, for workout timeseries.'),
  workout_distance_m OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (m)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource workout_distance.', labels = [('aorta', 'view'), ('aorta_text', '210b2417bec91753')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  source_workout_id,
  source_sport,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as workout_distance_m,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres') then value when coalesce(lower(trim(unit, ' ')), '') in ('km', 'kilometer', 'kilometers', 'kilometre', 'kilometres') then value * 1000 when coalesce(lower(trim(unit, ' ')), '') in ('cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres') then value / 100 when coalesce(lower(trim(unit, ' ')), '') in ('mi', 'mile', 'miles', '[mi_i]') then value * 1609.344 when coalesce(lower(trim(unit, ' ')), '') in ('yd', 'yard', 'yards', '[yd_i]') then value * 0.9144 when coalesce(lower(trim(unit, ' ')), '') in ('ft', 'foot', 'feet', '[ft_i]') then value * 0.3048 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'm', 'meter', 'meters', 'metre', 'metres', 'km', 'kilometer', 'kilometers', 'kilometre', 'kilometres', 'cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres', 'mi', 'mile', 'miles', '[mi_i]', 'yd', 'yard', 'yards', '[yd_i]', 'ft', 'foot', 'feet', '[ft_i]') then 'm' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'workout_distance';

CREATE OR REPLACE VIEW `my-project.health.workout_duration` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  source_workout_id OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_sport OPTIONS (description = 'Sport, for workout timeseries.'),
  intensity OPTIONS (description = '`low`, `medium` or `high`. Only for workout_duration.'),
  workout_duration_min OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (min)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource workout_duration.', labels = [('aorta', 'view'), ('aorta_text', '768bb150ba3255bb')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  source_workout_id,
  source_sport,
  intensity,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as workout_duration_min,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes') then value when coalesce(lower(trim(unit, ' ')), '') in ('s', 'sec', 'secs', 'second', 'seconds') then value / 60 when coalesce(lower(trim(unit, ' ')), '') in ('h', 'hr', 'hrs', 'hour', 'hours') then value * 60 end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'min', 'mins', 'minute', 'minutes', 's', 'sec', 'secs', 'second', 'seconds', 'h', 'hr', 'hrs', 'hour', 'hours') then 'min' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'workout_duration';

CREATE OR REPLACE VIEW `my-project.health.workout_swimming_stroke` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  team_id OPTIONS (description = 'Team of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  source_workout_id OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_sport OPTIONS (description = 'Sport, for workout timeseries.'),
  workout_swimming_stroke_count OPTIONS (description = 'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (count)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for this resource. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for this resource.'),
  _day OPTIONS (description = 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.')
)
OPTIONS (description = 'The samples of the resource workout_swimming_stroke.', labels = [('aorta', 'view'), ('aorta_text', '32be651527e90b45')]) AS
select
  user_id,
  client_user_id,
  team_id,
  provider,
  source_type,
  source,
  source_app_id,
  source_device_id,
  start_at,
  end_at,
  timezone_offset_s,
  local_date,
  local_date_basis,
  local_at,
  local_hour,
  time_basis,
  sample_type,
  source_workout_id,
  source_sport,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'stroke', 'strokes') then value end as workout_swimming_stroke_count,
  value,
  unit,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'stroke', 'strokes') then value end as value_canonical,
  case when coalesce(lower(trim(unit, ' ')), '') in ('', 'count', 'counts', '{count}', 'stroke', 'strokes') then '{strokes}' end as unit_canonical,
  _day,
  _received_at,
  _loaded_at
from `my-project.health.timeseries_local`
where resource = 'workout_swimming_stroke';

CREATE OR REPLACE VIEW `my-project.health.timeseries_daily` (
  user_id OPTIONS (description = 'Id of the user, as assigned by the service.'),
  resource OPTIONS (description = 'Timeseries resource.'),
  provider OPTIONS (description = 'Provider of the samples.'),
  source_type OPTIONS (description = 'Type of the source, such as `watch`.'),
  source OPTIONS (description = 'Source of the samples, as `provider/source_type`.'),
  sample_type OPTIONS (description = 'Type of the samples.'),
  local_date OPTIONS (description = 'Local date of the samples, or their date in UTC.'),
  date_basis OPTIONS (description = '`local`, or `utc` if the local date is unknown.'),
  unit OPTIONS (description = 'Unit of the values, as sent.'),
  samples OPTIONS (description = 'Number of samples, including implausible ones.'),
  implausible OPTIONS (description = 'Number of samples outside the plausible range of their measure. No value of the row uses them.'),
  value_min OPTIONS (description = 'Lowest value. (unit)'),
  value_max OPTIONS (description = 'Highest value. (unit)'),
  value_avg OPTIONS (description = 'For levels, such as a heart rate, the mean of the hourly means, which are weighted by time. For other measures, the mean of the samples. (unit)'),
  value_sample_avg OPTIONS (description = 'Unweighted mean of the samples: their duration does not matter, so hours with more samples count more. (unit)'),
  value_sum OPTIONS (description = 'Sum of the values. Rates and levels have no meaningful sum. (unit)'),
  source_avg_canonical OPTIONS (description = 'For levels, the mean as in `value_avg`, but over all samples of the source on this day and in the canonical unit. The unit and type of the samples do not matter. NULL for other measures, if the unit is not known, or if no sample of the row counts.'),
  first_at OPTIONS (description = 'Start of the first sample, as sent.'),
  last_at OPTIONS (description = 'Start of the last sample, as sent.'),
  latest_at OPTIONS (description = 'Instant of the last sample that counts and is not later than its receipt. NULL if no such sample has a known instant.'),
  latest_start_at OPTIONS (description = 'Start of this sample, as sent.'),
  latest_floating_at OPTIONS (description = 'Local time, marked as UTC, of the last such sample whose instant is not known.')
)
OPTIONS (description = 'Samples aggregated by user, resource, source, day and unit. Values outside the plausible range of their measure do not count.', labels = [('aorta', 'view'), ('aorta_text', 'bf86ec0b20ac743d')]) AS
with level_hours as (
select
  source_key, group_key, local_period as local_hour, count(*) as samples, sum(lasts_us) as lasts_us,
  max(value) as greatest, sum(value * lasts_us) as weighted,
  max(canonical) as greatest_canonical, sum(canonical * lasts_us) as weighted_canonical
from (
  select
    source_key, group_key, cast((local_us - mod(mod(local_us, 3600000000) + 3600000000, 3600000000)) / 3600000000 as int64) as local_period, value, canonical,
    least(
      3600000000 - mod(mod(local_us, 3600000000) + 3600000000, 3600000000),
      coalesce(own_us, most_us), coalesce(next_us - start_us, own_us, most_us)
    ) as lasts_us
  from (
    select *, lead(start_us) over (partition by source_key order by start_us) as next_us
    from (
      select
        concat(s.user_id, '\n', s.resource, '\n', s.provider, '\n', s.source_type, '\n', case when s.resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then s.sample_type else '' end) as source_key, concat(s.user_id, '\n', s.resource, '\n', s.provider, '\n', s.source_type, '\n', s.sample_type, '\n', case when s.local_date is null then 'utc' else 'local' end, '\n', coalesce('=' || s.unit, '')) as group_key, unix_micros(s.start_at) as start_us,
        unix_micros(s.start_at) + case when s.time_basis = 'floating' then 0 else coalesce(s.local_offset_s, 0) * 1000000 end as local_us,
        case when s.end_at > s.start_at then unix_micros(s.end_at) - unix_micros(s.start_at) end as own_us,
        case when s.resource = 'glucose' then 1200000000 else 600000000 end as most_us,
        case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end as value, case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then (s.value - c.minus) * c.times / c.per end as canonical
      from `my-project.health.timeseries_local` s
      left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
      where s.resource in ('afib_burden', 'basal_body_temperature', 'blood_oxygen', 'body_mass_index', 'body_temperature', 'body_temperature_delta', 'cholesterol', 'electrocardiogram_voltage', 'fat', 'forced_expiratory_volume_1', 'forced_vital_capacity', 'glucose', 'heart_rate_recovery_one_minute', 'heartrate', 'hrv', 'ige', 'igg', 'lean_body_mass', 'peak_expiratory_flow_rate', 'respiratory_rate', 'sleep_breathing_disturbance', 'stress_level', 'uv_exposure', 'vo2_max', 'waist_circumference', 'weight')
    ) sent
  ) followed
  where value is not null
) lasting
group by source_key, group_key, local_period
),
group_days as (
select group_key, cast((local_hour - mod(mod(local_hour, 24) + 24, 24)) / 24 as int64) as day, avg(case when samples = 1 then greatest else weighted / lasts_us end) as value_avg
from level_hours
group by group_key, cast((local_hour - mod(mod(local_hour, 24) + 24, 24)) / 24 as int64)
),
source_means as (
select source_key, cast((local_hour - mod(mod(local_hour, 24) + 24, 24)) / 24 as int64) as day, avg(hour_avg) as value_avg
from (
  select
    source_key, local_hour,
    case when sum(samples) = 1 then max(greatest_canonical) else sum(weighted_canonical) / sum(lasts_us) end as hour_avg
  from level_hours
  where greatest_canonical is not null
  group by source_key, local_hour
) hours
group by source_key, cast((local_hour - mod(mod(local_hour, 24) + 24, 24)) / 24 as int64)
)
select
  g.user_id, g.resource, g.provider, g.source_type, g.provider || '/' || g.source_type as source, g.sample_type, g.local_date, g.date_basis, g.unit,
  samples, implausible, value_min, value_max,
  coalesce(of_group.value_avg, value_sample_avg) as value_avg, value_sample_avg, value_sum,
  case when is_known = 1 and of_group.value_avg is not null then of_source.value_avg end as source_avg_canonical,
  first_at, last_at, latest_at, latest_start_at, latest_floating_at
from (
  select
    g.*, unix_date(g.local_date) as day,
    concat(g.user_id, '\n', g.resource, '\n', g.provider, '\n', g.source_type, '\n', case when g.resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then g.sample_type else '' end) as source_key, concat(g.user_id, '\n', g.resource, '\n', g.provider, '\n', g.source_type, '\n', g.sample_type, '\n', g.date_basis, '\n', coalesce('=' || g.unit, '')) as group_key
  from (
    select
      s.user_id as user_id, s.resource as resource, s.provider as provider, s.source_type as source_type, s.sample_type as sample_type, coalesce(s.local_date, date(s.start_at)) as local_date, case when s.local_date is null then 'utc' else 'local' end as date_basis, s.unit as unit,
      max(case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then 1 else 0 end) as is_known,
      count(*) as samples, count(case when (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then 1 end) as implausible,
      min(case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end) as value_min, max(case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end) as value_max, avg(case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end) as value_sample_avg, sum(case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end) as value_sum,
      min(s.start_at) as first_at, max(s.start_at) as last_at,
      max(case when ((c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) and not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true))) and not (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400) then case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end end) as latest_at,
      any_value(s.start_at having max if(s.start_at is not null, unix_micros(case when ((c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) and not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true))) and not (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400) then case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end end) + 62200000000000000, 0)) as latest_start_at,
      max(case when ((c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) and not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true))) and not (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400) and s.time_basis = 'floating' and s.local_offset_s is null then s.start_at end) as latest_floating_at
    from `my-project.health.timeseries_local` s
    left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
    group by s.user_id, s.resource, s.provider, s.source_type, s.sample_type, coalesce(s.local_date, date(s.start_at)), case when s.local_date is null then 'utc' else 'local' end, s.unit
  ) g
) g
left join group_days of_group on of_group.group_key = g.group_key and of_group.day = g.day
left join source_means of_source on of_source.source_key = g.source_key and of_source.day = g.day;

CREATE OR REPLACE VIEW `my-project.health.source_days` (
  user_id OPTIONS (description = 'User.'),
  local_date OPTIONS (description = 'Local date of the samples and readings, or `calendar_date` of the summaries. A sample without a local date counts on its UTC date.'),
  provider OPTIONS (description = 'Provider of the data.'),
  source_type OPTIONS (description = 'Source type of the data.'),
  source OPTIONS (description = 'Source of the data, as `provider/source_type`.'),
  samples OPTIONS (description = 'Number of samples, including blood pressure readings.'),
  summaries OPTIONS (description = 'Number of rows in `activity`, `body`, `sleep` and `workouts`.')
)
OPTIONS (description = 'One source with data of a user on a local date.', labels = [('aorta', 'view'), ('aorta_text', '0c031b0d2e8732b7')]) AS
select
  user_id, local_date, provider, source_type, provider || '/' || source_type as source,
  cast(sum(samples) as int64) as samples, cast(sum(summaries) as int64) as summaries
from (
  select user_id, coalesce(local_date, date(start_at)) as local_date, provider, source_type, 1 as samples, 0 as summaries
  from `my-project.health.timeseries_local`
  union all
  select user_id, coalesce(local_date, date(start_at)), provider, source_type, 1, 0
  from `my-project.health.blood_pressure_local`
  union all
  select user_id, calendar_date, provider, source_type, 0, 1
  from `my-project.health.activity`
  where calendar_date is not null
  union all
  select user_id, calendar_date, provider, source_type, 0, 1
  from `my-project.health.body`
  where calendar_date is not null
  union all
  select user_id, calendar_date, provider, source_type, 0, 1
  from `my-project.health.sleep`
  where calendar_date is not null
  union all
  select user_id, calendar_date, provider, source_type, 0, 1
  from `my-project.health.workouts`
  where calendar_date is not null
) sent
group by user_id, local_date, provider, source_type;

CREATE OR REPLACE VIEW `my-project.health.metric_days` (
  user_id OPTIONS (description = 'User.'),
  local_date OPTIONS (description = 'Local date of the user. A sample without a local date counts on its UTC date.'),
  measure OPTIONS (description = 'One of steps, distance, calories_active, calories_total, floors_climbed, heart_rate_resting, heartrate, hrv, glucose, blood_oxygen, weight, fat.'),
  value OPTIONS (description = 'Value of the day in the canonical unit: a total, a state, or a mean of hourly means. (unit)'),
  sample_avg OPTIONS (description = 'Unweighted mean of the samples: their duration does not matter. NULL if the value does not come from samples. (unit)'),
  lowest OPTIONS (description = 'Lowest sample of the day; NULL if the value does not come from samples. (unit)'),
  highest OPTIONS (description = 'Highest sample of the day; NULL if the value does not come from samples. (unit)'),
  unit OPTIONS (description = 'The canonical unit as a UCUM code.'),
  provider OPTIONS (description = 'Provider of the value.'),
  source_type OPTIONS (description = 'Source type of the value.'),
  source OPTIONS (description = 'Source of the value, as `provider/source_type`.'),
  others OPTIONS (description = 'Number of other sources that have a value.'),
  unworn_others OPTIONS (description = 'Number of these sources that do not count, because they show no movement on a day on which another source shows some.')
)
OPTIONS (description = 'One measure of a user on a local date, from one source.', labels = [('aorta', 'view'), ('aorta_text', '5a8af6a14700dfc9')]) AS
select
  user_id, local_date, measure, value, sample_avg, lowest, highest, unit,
  provider, source_type, provider || '/' || source_type as source, others, unworn_others
from (
  select
    *, count(*) over (partition by user_id, local_date, measure) - 1 as others, sum(is_unworn) over (partition by user_id, local_date, measure) as unworn_others,
    row_number() over (
      partition by user_id, local_date, measure order by is_unworn, case when measure in ('steps', 'distance', 'calories_active', 'calories_total', 'floors_climbed') then case when provider = 'manual' then 17 else case source_type when 'chest_strap' then 1 when 'watch' then 2 when 'ring' then 3 when 'lab' then 4 when 'cuff' then 5 when 'scale' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end when measure in ('heart_rate_resting', 'heartrate', 'hrv', 'blood_oxygen', 'weight', 'fat') then case when provider = 'manual' then 17 else case source_type when 'lab' then 1 when 'chest_strap' then 2 when 'cuff' then 3 when 'scale' then 4 when 'ring' then 5 when 'watch' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end when measure in ('glucose') then case when provider = 'manual' then 17 else case source_type when 'automatic' then 1 when 'insulin_pump' then 2 when 'unknown' then 3 when 'manual_scan' then 4 when 'lab' then 5 when 'chest_strap' then 6 when 'cuff' then 7 when 'scale' then 8 when 'ring' then 9 when 'watch' then 10 when 'earphone' then 11 when 'exercise_machine' then 12 when 'fingerprick' then 13 when 'multiple_sources' then 14 when 'phone' then 15 when 'app' then 16 else 3 end end end, days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type
    ) as place
  from (
    select *, count(case when is_unworn = 0 then 1 end) over (
    partition by user_id, measure, provider, source_type order by unix_date(local_date) range between 14 preceding and 1 preceding
  ) as days_before
    from (
      select
        user_id, local_date, measure, unit, provider, source_type, coalesce(max(case when lowest is not null then value end), max(value)) as value,
        max(sample_avg) as sample_avg, max(lowest) as lowest, max(highest) as highest, max(is_unworn) as is_unworn
      from (
      select *
      from (
        select
          user_id, calendar_date as local_date, measure, unit, provider, source_type, case measure when 'steps' then cast(steps as float64) when 'distance' then cast(distance_m as float64) when 'calories_active' then cast(calories_active_kcal as float64) when 'calories_total' then cast(calories_total_kcal as float64) when 'floors_climbed' then cast(floors_climbed as float64) when 'heart_rate_resting' then cast(heart_rate_resting_bpm as float64) end as value,
          cast(null as float64) as sample_avg, cast(null as float64) as lowest, cast(null as float64) as highest,
          case when measure in ('steps', 'distance', 'floors_climbed', 'calories_active', 'calories_total') and has_moved = 0 and somebody_moved = 1 then 1 else 0 end as is_unworn
        from (
          select *, max(has_moved) over (partition by user_id, calendar_date) as somebody_moved
          from (
            select user_id, calendar_date, provider, source_type, max(case when case when steps between 0 and 250000 then steps end > 0 or case when distance_m between 0 and 1100000 then distance_m end > 0 or case when floors_climbed between 0 and 3000 then floors_climbed end > 0 or case when calories_active_kcal between 0 and 20000 then calories_active_kcal end > 0 then 1 else 0 end) as has_moved, max(steps) as steps, max(distance_m) as distance_m, max(calories_active_kcal) as calories_active_kcal, max(calories_total_kcal) as calories_total_kcal, max(floors_climbed) as floors_climbed, any_value(heart_rate_resting_bpm having max if(heart_rate_resting_bpm is not null, version, 0)) as heart_rate_resting_bpm
            from (
              select
                user_id, calendar_date, provider, source_type, case when steps between 0 and 250000 then steps end as steps, case when distance_m between 0 and 1100000 then distance_m end as distance_m, case when calories_active_kcal between 0 and 20000 then calories_active_kcal end as calories_active_kcal, case when calories_total_kcal between 1 and 20000 then calories_total_kcal end as calories_total_kcal, case when floors_climbed between 0 and 3000 then floors_climbed end as floors_climbed, case when heart_rate_resting_bpm between 20 and 300 then heart_rate_resting_bpm end as heart_rate_resting_bpm,
                row_number() over (partition by user_id, calendar_date, provider, source_type order by _version_time, _received_at, id) as version
              from `my-project.health.activity`
              where calendar_date is not null
            ) versions
            group by user_id, calendar_date, provider, source_type
          ) totals
        ) worn
        cross join (select
  nullif(cells[offset(0)], '~') as measure,
  nullif(cells[offset(1)], '~') as unit
from (
  select split(line, '|') as cells
  from unnest(split('steps|{steps};distance|m;calories_active|kcal;calories_total|kcal;floors_climbed|{floors};heart_rate_resting|/min', ';')) as line
) as literals) measured
      ) of_measures
      where value is not null
        union all
      select *
      from (
        select
          user_id, calendar_date as local_date, measure, unit, provider, source_type, case measure when 'weight' then cast(weight_kg as float64) when 'fat' then cast(fat_pct as float64) end as value,
          cast(null as float64) as sample_avg, cast(null as float64) as lowest, cast(null as float64) as highest,
          case when measure in ('steps', 'distance', 'floors_climbed', 'calories_active', 'calories_total') and has_moved = 0 and somebody_moved = 1 then 1 else 0 end as is_unworn
        from (
          select *, max(has_moved) over (partition by user_id, calendar_date) as somebody_moved
          from (
            select user_id, calendar_date, provider, source_type, 0 as has_moved, any_value(weight_kg having max if(weight_kg is not null, version, 0)) as weight_kg, any_value(fat_pct having max if(fat_pct is not null, version, 0)) as fat_pct
            from (
              select
                user_id, calendar_date, provider, source_type, case when weight_kg between 0.3 and 650 then weight_kg end as weight_kg, case when fat_pct between 1 and 80 then fat_pct end as fat_pct,
                row_number() over (partition by user_id, calendar_date, provider, source_type order by _version_time, _received_at, id) as version
              from `my-project.health.body`
              where calendar_date is not null
            ) versions
            group by user_id, calendar_date, provider, source_type
          ) totals
        ) worn
        cross join (select
  nullif(cells[offset(0)], '~') as measure,
  nullif(cells[offset(1)], '~') as unit
from (
  select split(line, '|') as cells
  from unnest(split('weight|kg;fat|%', ';')) as line
) as literals) measured
      ) of_measures
      where value is not null
        union all
      select
        d.user_id, d.local_date, d.resource as measure, c.unit, d.provider, d.source_type,
        max(d.source_avg_canonical) as value, sum((d.value_sample_avg - c.minus) * c.times / c.per * (d.samples - d.implausible)) / sum((d.samples - d.implausible)) as sample_avg,
        min((d.value_min - c.minus) * c.times / c.per) as lowest, max((d.value_max - c.minus) * c.times / c.per) as highest, 0 as is_unworn
      from `my-project.health.timeseries_daily` d
      left join `my-project.health.unit_conversions` c on c.measure = d.resource and c.unit_sent = coalesce(lower(trim(d.unit, ' ')), '')
      where d.resource in ('heartrate', 'hrv', 'glucose', 'blood_oxygen', 'weight', 'fat') and d.value_avg is not null and c.unit is not null
      group by d.user_id, d.local_date, d.resource, c.unit, d.provider, d.source_type
      ) sent
      group by user_id, local_date, measure, unit, provider, source_type
    ) values_of_sources
  ) compared
) ordered
where place = 1 and is_unworn = 0;

CREATE OR REPLACE VIEW `my-project.health.observations` (
  user_id OPTIONS (description = 'Id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  source_type OPTIONS (description = 'Kind of device or origin.'),
  source OPTIONS (description = 'Source of the value, as `provider/source_type`.'),
  measure OPTIONS (description = 'Id of the measure.'),
  display_name OPTIONS (description = 'Name of the measure for display.'),
  effective_start_at OPTIONS (description = 'Time of the value, or start of its interval, as sent: some providers send local times marked as UTC. NULL for a value of a day, and for a profile.'),
  effective_end_at OPTIONS (description = 'End of the interval (exclusive); NULL if the value has none.'),
  local_date OPTIONS (description = 'Local date of the value; NULL if it is unknown.'),
  local_hour OPTIONS (description = 'Hour of the local time of a sample, from 0 to 23; NULL if it is unknown, and in tables of summaries.'),
  value OPTIONS (description = 'The value in the canonical unit; NULL if the unit of the value is not known for the measure.'),
  is_plausible OPTIONS (description = 'Whether the value is in the plausible range of its measure; NULL if the value is NULL.'),
  unit OPTIONS (description = 'The canonical unit as a UCUM code; NULL if the unit of the value is not known for the measure.'),
  value_sent OPTIONS (description = 'The value as sent.'),
  unit_sent OPTIONS (description = 'The unit as sent; NULL if the service sent none.'),
  loinc_code OPTIONS (description = 'LOINC code of the measure; NULL if none fits.'),
  loinc_match OPTIONS (description = '`exact` if the code means the same, `broader` if it covers the measure and more, or `none`.'),
  origin_table OPTIONS (description = 'Table with the value.'),
  origin_id OPTIONS (description = 'Id of the summary; NULL in tables of samples.'),
  resource OPTIONS (description = 'Timeseries resource. With user, provider, source type, start, `sample_type` and `source_workout_id` it is the key of the sample.'),
  sample_type OPTIONS (description = 'Type of the sample; NULL in tables of summaries.'),
  source_workout_id OPTIONS (description = 'Workout of the sample; NULL in tables of summaries.')
)
OPTIONS (description = 'One row per value of a measure, from all samples and summaries.', labels = [('aorta', 'view'), ('aorta_text', 'aa6ee4083619af6c')]) AS
select
  o.user_id, o.provider, o.source_type, o.provider || '/' || o.source_type as source, o.measure, m.display_name, o.effective_start_at, o.effective_end_at, o.local_date, o.local_hour,
  -- Some providers send these fractions as percentages.
  case when o.measure in ('sleep.efficiency') and o.value_sent > 1 then o.value_sent / 100 else (o.value_sent - c.minus) * c.times / c.per end as value, case when o.measure in ('sleep.efficiency') and o.value_sent > 1 then o.value_sent / 100 else (o.value_sent - c.minus) * c.times / c.per end between m.plausible_low and m.plausible_high as is_plausible,
  c.unit, o.value_sent, o.unit_sent, m.loinc_code, m.loinc_match,
  o.origin_table, o.origin_id, m.resource, o.sample_type, o.source_workout_id
from (
  select
    user_id, provider, source_type, resource as measure, start_at as effective_start_at, end_at as effective_end_at, local_date, local_hour,
    value as value_sent, unit as unit_sent, 'timeseries' as origin_table, cast(null as string) as origin_id,
    sample_type, source_workout_id
  from `my-project.health.timeseries_local`
  where resource in ('active_energy_burned', 'afib_burden', 'basal_body_temperature', 'basal_energy_burned', 'blood_oxygen', 'body_mass_index', 'body_temperature', 'body_temperature_delta', 'caffeine', 'calories_active', 'calories_basal', 'carbohydrates', 'daylight_exposure', 'distance', 'distance_running_walking', 'fall', 'fat', 'floors_climbed', 'forced_expiratory_volume_1', 'forced_vital_capacity', 'glucose', 'handwashing', 'heart_rate_recovery_one_minute', 'heartrate', 'hrv', 'ige', 'igg', 'inhaler_usage', 'lean_body_mass', 'mindfulness_minutes', 'peak_expiratory_flow_rate', 'respiratory_rate', 'sleep_apnea_alert', 'stand_duration', 'steps', 'stress_level', 'uv_exposure', 'vo2_max', 'waist_circumference', 'water', 'weight', 'wheelchair_push', 'workout_distance', 'workout_duration', 'workout_swimming_stroke')
  union all
  select
    user_id, provider, source_type, case resource when 'cholesterol' then case sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else resource end as measure, start_at as effective_start_at, end_at as effective_end_at, local_date, local_hour,
    value as value_sent, unit as unit_sent, 'timeseries' as origin_table, cast(null as string) as origin_id,
    sample_type, source_workout_id
  from `my-project.health.timeseries_local`
  where resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour')
  union all
  select
    user_id, provider, source_type, measure, null, null, calendar_date, null,
    case measure when 'activity.calories_active_kcal' then cast(calories_active_kcal as float64) when 'activity.calories_total_kcal' then cast(calories_total_kcal as float64) when 'activity.distance_m' then cast(distance_m as float64) when 'activity.floors_climbed' then cast(floors_climbed as float64) when 'activity.heart_rate_avg_bpm' then cast(heart_rate_avg_bpm as float64) when 'activity.heart_rate_avg_walking_bpm' then cast(heart_rate_avg_walking_bpm as float64) when 'activity.heart_rate_max_bpm' then cast(heart_rate_max_bpm as float64) when 'activity.heart_rate_min_bpm' then cast(heart_rate_min_bpm as float64) when 'activity.heart_rate_resting_bpm' then cast(heart_rate_resting_bpm as float64) when 'activity.high_min' then cast(high_min as float64) when 'activity.low_min' then cast(low_min as float64) when 'activity.medium_min' then cast(medium_min as float64) when 'activity.steps' then cast(steps as float64) when 'activity.wheelchair_push' then cast(wheelchair_push as float64) end, null, 'activity', id, null, null
  from `my-project.health.activity`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('activity.calories_active_kcal;activity.calories_total_kcal;activity.distance_m;activity.floors_climbed;activity.heart_rate_avg_bpm;activity.heart_rate_avg_walking_bpm;activity.heart_rate_max_bpm;activity.heart_rate_min_bpm;activity.heart_rate_resting_bpm;activity.high_min;activity.low_min;activity.medium_min;activity.steps;activity.wheelchair_push', ';')) as line
) as literals) measured
  union all
  select
    user_id, provider, source_type, measure, start_at, null, local_date, local_hour,
    case measure when 'blood_pressure.diastolic_mmhg' then cast(diastolic_mmhg as float64) when 'blood_pressure.systolic_mmhg' then cast(systolic_mmhg as float64) end, unit, 'blood_pressure', null, sample_type, source_workout_id
  from `my-project.health.blood_pressure_local`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('blood_pressure.diastolic_mmhg;blood_pressure.systolic_mmhg', ';')) as line
) as literals) measured
  union all
  select
    user_id, provider, source_type, measure, null, null, calendar_date, null,
    case measure when 'body.body_mass_index' then cast(body_mass_index as float64) when 'body.bone_mass_pct' then cast(bone_mass_pct as float64) when 'body.fat_pct' then cast(fat_pct as float64) when 'body.lean_body_mass_kg' then cast(lean_body_mass_kg as float64) when 'body.muscle_mass_pct' then cast(muscle_mass_pct as float64) when 'body.visceral_fat_index' then cast(visceral_fat_index as float64) when 'body.waist_circumference_cm' then cast(waist_circumference_cm as float64) when 'body.water_pct' then cast(water_pct as float64) when 'body.weight_kg' then cast(weight_kg as float64) end, null, 'body', id, null, null
  from `my-project.health.body`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('body.body_mass_index;body.bone_mass_pct;body.fat_pct;body.lean_body_mass_kg;body.muscle_mass_pct;body.visceral_fat_index;body.waist_circumference_cm;body.water_pct;body.weight_kg', ';')) as line
) as literals) measured
  union all
  select
    user_id, provider, source_type, measure, session_start, session_end, null, null,
    case measure when 'electrocardiogram.heart_rate_mean_bpm' then cast(heart_rate_mean_bpm as float64) end, null, 'electrocardiogram', id, null, null
  from `my-project.health.electrocardiogram`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('electrocardiogram.heart_rate_mean_bpm', ';')) as line
) as literals) measured
  union all
  select
    user_id, provider, source_type, measure, eaten_at, null, calendar_date, null,
    case measure when 'meal.alcohol_g' then cast(alcohol_g as float64) when 'meal.carbs_g' then cast(carbs_g as float64) when 'meal.cholesterol_g' then cast(cholesterol_g as float64) when 'meal.energy_kcal' then cast(energy_kcal as float64) when 'meal.fat_monounsaturated_g' then cast(fat_monounsaturated_g as float64) when 'meal.fat_omega3_g' then cast(fat_omega3_g as float64) when 'meal.fat_omega6_g' then cast(fat_omega6_g as float64) when 'meal.fat_polyunsaturated_g' then cast(fat_polyunsaturated_g as float64) when 'meal.fat_saturated_g' then cast(fat_saturated_g as float64) when 'meal.fat_total_g' then cast(fat_total_g as float64) when 'meal.fibre_g' then cast(fibre_g as float64) when 'meal.protein_g' then cast(protein_g as float64) when 'meal.sugar_g' then cast(sugar_g as float64) when 'meal.water_g' then cast(water_g as float64) end, null, 'meal', id, null, null
  from `my-project.health.meal`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('meal.alcohol_g;meal.carbs_g;meal.cholesterol_g;meal.energy_kcal;meal.fat_monounsaturated_g;meal.fat_omega3_g;meal.fat_omega6_g;meal.fat_polyunsaturated_g;meal.fat_saturated_g;meal.fat_total_g;meal.fibre_g;meal.protein_g;meal.sugar_g;meal.water_g', ';')) as line
) as literals) measured
  union all
  select
    user_id, provider, source_type, measure, null, null, null, null,
    case measure when 'profile.height_cm' then cast(height_cm as float64) end, null, 'profile', id, null, null
  from `my-project.health.profile`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('profile.height_cm', ';')) as line
) as literals) measured
  union all
  select
    user_id, provider, source_type, measure, bedtime_start, bedtime_stop, calendar_date, null,
    case measure when 'sleep.average_hrv_ms' then cast(average_hrv_ms as float64) when 'sleep.awake_s' then cast(awake_s as float64) when 'sleep.deep_s' then cast(deep_s as float64) when 'sleep.duration_s' then cast(duration_s as float64) when 'sleep.efficiency' then cast(efficiency as float64) when 'sleep.hr_average_bpm' then cast(hr_average_bpm as float64) when 'sleep.hr_dip_pct' then cast(hr_dip_pct as float64) when 'sleep.hr_lowest_bpm' then cast(hr_lowest_bpm as float64) when 'sleep.hr_resting_bpm' then cast(hr_resting_bpm as float64) when 'sleep.latency_s' then cast(latency_s as float64) when 'sleep.light_s' then cast(light_s as float64) when 'sleep.recovery_readiness_score' then cast(recovery_readiness_score as float64) when 'sleep.rem_s' then cast(rem_s as float64) when 'sleep.respiratory_rate_per_min' then cast(respiratory_rate_per_min as float64) when 'sleep.score' then cast(score as float64) when 'sleep.skin_temperature_c' then cast(skin_temperature_c as float64) when 'sleep.temperature_delta_c' then cast(temperature_delta_c as float64) when 'sleep.total_s' then cast(total_s as float64) end, null, 'sleep', id, null, null
  from `my-project.health.sleep`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('sleep.average_hrv_ms;sleep.awake_s;sleep.deep_s;sleep.duration_s;sleep.efficiency;sleep.hr_average_bpm;sleep.hr_dip_pct;sleep.hr_lowest_bpm;sleep.hr_resting_bpm;sleep.latency_s;sleep.light_s;sleep.recovery_readiness_score;sleep.rem_s;sleep.respiratory_rate_per_min;sleep.score;sleep.skin_temperature_c;sleep.temperature_delta_c;sleep.total_s', ';')) as line
) as literals) measured
  union all
  select
    user_id, provider, source_type, measure, time_start, time_end, calendar_date, null,
    case measure when 'workouts.average_hr_bpm' then cast(average_hr_bpm as float64) when 'workouts.average_speed_m_s' then cast(average_speed_m_s as float64) when 'workouts.average_watts' then cast(average_watts as float64) when 'workouts.calories_kcal' then cast(calories_kcal as float64) when 'workouts.device_watts' then cast(device_watts as float64) when 'workouts.distance_m' then cast(distance_m as float64) when 'workouts.elev_high_m' then cast(elev_high_m as float64) when 'workouts.elev_low_m' then cast(elev_low_m as float64) when 'workouts.max_hr_bpm' then cast(max_hr_bpm as float64) when 'workouts.max_speed_m_s' then cast(max_speed_m_s as float64) when 'workouts.max_watts' then cast(max_watts as float64) when 'workouts.moving_time_s' then cast(moving_time_s as float64) when 'workouts.steps' then cast(steps as float64) when 'workouts.total_elevation_gain_m' then cast(total_elevation_gain_m as float64) when 'workouts.weighted_average_watts' then cast(weighted_average_watts as float64) end, null, 'workouts', id, null, null
  from `my-project.health.workouts`
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('workouts.average_hr_bpm;workouts.average_speed_m_s;workouts.average_watts;workouts.calories_kcal;workouts.device_watts;workouts.distance_m;workouts.elev_high_m;workouts.elev_low_m;workouts.max_hr_bpm;workouts.max_speed_m_s;workouts.max_watts;workouts.moving_time_s;workouts.steps;workouts.total_elevation_gain_m;workouts.weighted_average_watts', ';')) as line
) as literals) measured
) o
join `my-project.health.measures` m on m.measure = o.measure
left join `my-project.health.unit_conversions` c on c.measure = o.measure and c.unit_sent = coalesce(lower(trim(o.unit_sent, ' ')), '')
where o.value_sent is not null;

CREATE OR REPLACE VIEW `my-project.health.latest_samples` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  resource OPTIONS (description = 'Timeseries resource, as in the event type.'),
  sample_type OPTIONS (description = 'Type of the sample. It is part of the key if several samples may have the same time.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  start_at OPTIONS (description = 'Start of the interval, or time of the sample.'),
  end_at OPTIONS (description = 'End of the interval (exclusive), for interval resources.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  value OPTIONS (description = 'The measured value.'),
  unit OPTIONS (description = 'Unit of the value, as sent.'),
  value_canonical OPTIONS (description = 'The value in the canonical unit; NULL for a resource without a measure. (unit_canonical)'),
  unit_canonical OPTIONS (description = 'The canonical unit as a UCUM code; NULL for a resource without a measure.'),
  time_basis OPTIONS (description = '`utc`, or `floating` if the provider sends local time marked as UTC.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  local_date OPTIONS (description = 'Date of the sample in local time; NULL if the local time is not known.'),
  local_date_basis OPTIONS (description = 'How the local time is known. `offset`: the sample has an offset. `floating`: the provider sends local time. `zone` and `zone_offset`: `user_time_zones` contains the user’s time zone or offset at that time. `none`: it is not known.'),
  local_at OPTIONS (description = 'Local time of the sample, without a zone; NULL if it is not known.'),
  local_hour OPTIONS (description = 'Hour of the local time, from 0 to 23; NULL if it is not known.'),
  local_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. It is the offset of the sample, otherwise the offset of the user at that time. NULL if neither is known. (s)')
)
OPTIONS (description = 'The latest sample of one user, resource and sample type, across all sources.', labels = [('aorta', 'view'), ('aorta_text', '362a3da968524f8e')]) AS
select
  user_id, resource, sample_type, provider, source_type, provider || '/' || source_type as source, start_at, end_at, timezone_offset_s, value, unit, value_canonical, unit_canonical, time_basis, _received_at,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then datetime(safe.timestamp_add(start_at, interval 0 second))
      else datetime(safe.timestamp_add(start_at, interval local_offset_s second))
    end as local_at
  from (
    select
      samples.user_id, samples.resource, samples.sample_type, samples.provider, samples.source_type, samples.start_at, samples.end_at, samples.timezone_offset_s, samples.value, samples.unit, samples.value_canonical, samples.unit_canonical, samples.time_basis, samples._received_at,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
      select user_id, resource, sample_type, provider, source_type, start_at, end_at, timezone_offset_s, value, unit, value_canonical, unit_canonical, time_basis, _received_at
      from (
        select
          s.user_id as user_id, s.resource as resource, s.sample_type as sample_type, s.provider as provider, s.source_type as source_type, s.start_at as start_at, s.end_at as end_at, s.timezone_offset_s as timezone_offset_s, s.value as value, s.unit as unit, (s.value - c.minus) * c.times / c.per as value_canonical, c.unit as unit_canonical, s.time_basis as time_basis, s._received_at as _received_at,
          row_number() over (partition by s.user_id, s.resource, s.sample_type order by case when latest_at is null then 1 else 0 end, latest_at desc, case when latest_at is null then latest_floating_at end desc, s._received_at desc, to_hex(md5(s.user_id || ' ' || s.provider || '/' || s.source_type)), s.provider, s.source_type, s.source_workout_id) as nth
        from `my-project.health.timeseries` s
        join (
          select
            *, case when latest_at is null then latest_floating_at else latest_start_at end as newest_start_at
          from (
            select
              user_id, resource, sample_type, provider, source_type, max(latest_at) as latest_at,
              any_value(latest_start_at having max if(latest_start_at is not null, unix_micros(latest_at) + 62200000000000000, 0)) as latest_start_at,
              max(latest_floating_at) as latest_floating_at
            from `my-project.health.timeseries_daily`
            group by user_id, resource, sample_type, provider, source_type
          ) of_source
        ) newest on newest.user_id = s.user_id and newest.resource = s.resource and newest.newest_start_at = s.start_at
        left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
        where ((c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) and not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true))) and case when newest.sample_type = s.sample_type and newest.provider = s.provider and newest.source_type = s.source_type then true else false end
      ) numbered
      where nth = 1
    ) samples
    left join `my-project.health.user_time_zones` spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamp '9999-12-31T23:59:59Z')
    left join `my-project.health.time_zone_transitions` zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed;

CREATE OR REPLACE VIEW `my-project.health.quality_days` (
  user_id OPTIONS (description = 'Id of the user.'),
  local_date OPTIONS (description = 'Local date. Values whose local date is unknown are not counted.'),
  measure OPTIONS (description = 'Id of the measure.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  source_type OPTIONS (description = 'Kind of device or origin.'),
  source OPTIONS (description = 'Source of the values, as `provider/source_type`.'),
  observations OPTIONS (description = 'Number of values. (count)'),
  implausible OPTIONS (description = 'Number of values outside the plausible range of the measure. (count)'),
  unknown_unit OPTIONS (description = 'Number of values whose unit is not known for the measure. (count)'),
  hours OPTIONS (description = 'Number of different hours of the day (UTC), up to 24, in which a value begins; 0 if the values have only a date. (count)')
)
OPTIONS (description = 'One row per user, local date, measure and source: how many values there are, and how many of them are questionable.', labels = [('aorta', 'view'), ('aorta_text', '633cd69cf3e47d40')]) AS
select
  o.user_id, o.local_date, o.measure, o.provider, o.source_type, o.provider || '/' || o.source_type as source, count(*) as observations,
  count(case when o.value < m.plausible_low or o.value > m.plausible_high then 1 end) as implausible,
  count(case when o.unit is null then 1 end) as unknown_unit,
  -- One bit for each hour. The second remainder makes hours before 1970 positive.
  cast(coalesce(bit_count(bit_or(1 << mod(mod(cast(floor(timestamp_diff(o.effective_start_at, timestamp '1970-01-01 00:00:00+00', microsecond) / 1000000.0 / 3600) as int64), 24) + 24, 24))), 0) as int64) as hours
from `my-project.health.observations` o
join `my-project.health.measures` m on m.measure = o.measure
where o.local_date is not null
group by o.user_id, o.local_date, o.measure, o.provider, o.source_type;

CREATE OR REPLACE VIEW `my-project.health.quality_flags` (
  user_id OPTIONS (description = 'Id of the user.'),
  local_date OPTIONS (description = 'Local date. Values whose local date is unknown are not counted.'),
  measure OPTIONS (description = 'Id of the measure.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  source_type OPTIONS (description = 'Kind of device or origin.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  day_measure OPTIONS (description = 'Value of the day that comes from this measure: `measure` in `metric_days`, and the name before `_source` in `person_days`. NULL if there is none.'),
  flag OPTIONS (description = '`implausible`, `unknown_unit`, `partial_day` or `conflicting`.'),
  affected OPTIONS (description = 'Number of such values. For `partial_day`, number of missing hours. For `conflicting`, number of sources with a different total.'),
  out_of OPTIONS (description = 'Number of all values. For `partial_day`, number of usual hours. For `conflicting`, number of other sources.')
)
OPTIONS (description = 'One row per user, local date, measure, source and flag: what is questionable about a day.', labels = [('aorta', 'view'), ('aorta_text', '72712bfded6eaeed')]) AS
with quality as (
  select user_id, local_date, measure, provider, source_type, observations, implausible, unknown_unit, hours from `my-project.health.quality_days`
),
hourly as (
  -- A source has at most 24 numbers of hours, so the median of thousands of days is found among 24 rows.
  select user_id, measure, provider, source_type, hours, count(*) as days
  from quality
  where hours > 0
  group by user_id, measure, provider, source_type, hours
),
usual as (
  -- The median; of two middle values, the lower.
  select user_id, measure, provider, source_type, min(case when days_up_to * 2 >= all_days then hours end) as usual_hours, max(all_days) as days
  from (
    select
      user_id, measure, provider, source_type, hours, sum(days) over (partition by user_id, measure, provider, source_type order by hours) as days_up_to,
      sum(days) over (partition by user_id, measure, provider, source_type) as all_days
    from hourly
  ) summed
  group by user_id, measure, provider, source_type
),
totals as (
  select
    user_id, calendar_date as local_date, provider, source_type,
    cast(max(calories_active_kcal) as float64) as calories_active_kcal, cast(max(calories_total_kcal) as float64) as calories_total_kcal, cast(max(distance_m) as float64) as distance_m, cast(max(floors_climbed) as float64) as floors_climbed, cast(max(steps) as float64) as steps, cast(max(wheelchair_push) as float64) as wheelchair_push
  from `my-project.health.activity`
  where calendar_date is not null
  group by user_id, calendar_date, provider, source_type
)
select user_id, local_date, measure, provider, source_type, provider || '/' || source_type as source, case measure when 'activity.calories_active_kcal' then 'calories_active' when 'activity.calories_total_kcal' then 'calories_total' when 'activity.distance_m' then 'distance' when 'activity.floors_climbed' then 'floors_climbed' when 'activity.heart_rate_resting_bpm' then 'heart_rate_resting' when 'activity.steps' then 'steps' when 'body.fat_pct' then 'fat' when 'body.weight_kg' then 'weight' when 'blood_oxygen' then 'blood_oxygen' when 'fat' then 'fat' when 'glucose' then 'glucose' when 'heartrate' then 'heartrate' when 'hrv' then 'hrv' when 'weight' then 'weight' when 'blood_pressure.diastolic_mmhg' then 'blood_pressure' when 'blood_pressure.systolic_mmhg' then 'blood_pressure' when 'sleep.average_hrv_ms' then 'sleep' when 'sleep.awake_s' then 'sleep' when 'sleep.deep_s' then 'sleep' when 'sleep.duration_s' then 'sleep' when 'sleep.efficiency' then 'sleep' when 'sleep.hr_average_bpm' then 'sleep' when 'sleep.hr_dip_pct' then 'sleep' when 'sleep.hr_lowest_bpm' then 'sleep' when 'sleep.hr_resting_bpm' then 'sleep' when 'sleep.latency_s' then 'sleep' when 'sleep.light_s' then 'sleep' when 'sleep.recovery_readiness_score' then 'sleep' when 'sleep.rem_s' then 'sleep' when 'sleep.respiratory_rate_per_min' then 'sleep' when 'sleep.score' then 'sleep' when 'sleep.skin_temperature_c' then 'sleep' when 'sleep.temperature_delta_c' then 'sleep' when 'sleep.total_s' then 'sleep' end as day_measure, flag, affected, out_of
from (
  select user_id, local_date, measure, provider, source_type, flag, case flag when 'implausible' then implausible else unknown_unit end as affected, observations as out_of
  from quality
  cross join (select
  nullif(cells[offset(0)], '~') as flag
from (
  select split(line, '|') as cells
  from unnest(split('implausible;unknown_unit', ';')) as line
) as literals) flags
  where case flag when 'implausible' then implausible else unknown_unit end > 0
  union all
  select day.user_id, day.local_date, day.measure, day.provider, day.source_type, 'partial_day', usual.usual_hours - day.hours, usual.usual_hours
  from quality day
  join usual
    on usual.user_id = day.user_id and usual.measure = day.measure and usual.provider = day.provider
    and usual.source_type = day.source_type
  where day.hours > 0 and usual.days >= 7 and day.hours * 2 < usual.usual_hours
  union all
  select user_id, local_date, measure, provider, source_type, 'conflicting', affected, out_of
  from (
    select
      user_id, local_date, measure, provider, source_type, count(*) as out_of,
      count(case when abs(total - other_total) * 10 > greatest(total, other_total) then 1 end) as affected
    from (
    select
      one.user_id, one.local_date, measure, one.provider, one.source_type,
      case measure when 'activity.calories_active_kcal' then one.calories_active_kcal when 'activity.calories_total_kcal' then one.calories_total_kcal when 'activity.distance_m' then one.distance_m when 'activity.floors_climbed' then one.floors_climbed when 'activity.steps' then one.steps when 'activity.wheelchair_push' then one.wheelchair_push end as total,
      case measure when 'activity.calories_active_kcal' then other.calories_active_kcal when 'activity.calories_total_kcal' then other.calories_total_kcal when 'activity.distance_m' then other.distance_m when 'activity.floors_climbed' then other.floors_climbed when 'activity.steps' then other.steps when 'activity.wheelchair_push' then other.wheelchair_push end as other_total
    from totals one
    join totals other on other.user_id = one.user_id and other.local_date = one.local_date
    cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('activity.calories_active_kcal;activity.calories_total_kcal;activity.distance_m;activity.floors_climbed;activity.steps;activity.wheelchair_push', ';')) as line
) as literals) measured
    where other.provider <> one.provider or other.source_type <> one.source_type
    ) pairs
    where total is not null and other_total is not null
    group by user_id, local_date, measure, provider, source_type
  ) counted
  where affected > 0
) flagged;

CREATE OR REPLACE VIEW `my-project.health.data_issues` (
  user_id OPTIONS (description = 'Id of the user.'),
  provider OPTIONS (description = 'Slug of the provider; NULL for lab data and users.'),
  source_type OPTIONS (description = 'Kind of device or origin; NULL for lab data and users.'),
  source OPTIONS (description = 'Source of the rows, as `provider/source_type`; NULL for lab data and users.'),
  origin_table OPTIONS (description = 'Table with the rows.'),
  measure OPTIONS (description = 'Id of the measure, or the resource if the samples have no measure or several. NULL if the issue concerns a summary’s times.'),
  unit OPTIONS (description = 'Unit of the samples, as sent; NULL for samples without a unit, and for summaries.'),
  time_zone OPTIONS (description = 'Name of the time zone, as sent; NULL unless the issue is `unknown_time_zone`.'),
  issue OPTIONS (description = '`unknown_unit`, `implausible`, `unknown_instant`, `unknown_time_zone`, `later_than_receipt` or `updated_later_than_receipt`.'),
  records OPTIONS (description = 'Number of rows; for `implausible`, number of values, because a summary has several.'),
  first_at OPTIONS (description = 'Earliest time of the rows: start of the samples or summaries, or `updated_at` for `updated_later_than_receipt`. For `unknown_time_zone`: the day of an activity, the start of a session, or when the fallback time zone was set.'),
  last_at OPTIONS (description = 'Latest of these times.'),
  last_received_at OPTIONS (description = 'Latest receipt of these rows.')
)
OPTIONS (description = 'One kind of row that other views ignore or that cannot be right, by user, source, measure, unit and time zone, with the number of rows.', labels = [('aorta', 'view'), ('aorta_text', 'b7119ceef3269fcc')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, origin_table, measure, unit, time_zone, issue,
  count(*) as records,
  min(occurred_at) as first_at, max(occurred_at) as last_at, max(_received_at) as last_received_at
from (
  select *, cast(null as string) as time_zone
  from (
  select
    user_id, provider, source_type, 'timeseries' as origin_table, measure, unit, found.issue, start_at as occurred_at, _received_at
  from (
    select
      s.user_id, s.provider, s.source_type, case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end as measure, s.unit, s.start_at, s._received_at,
      not (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) as is_unknown_unit, (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) as is_implausible, case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end is null as is_unknown_instant, (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400) as is_later_than_receipt
    from `my-project.health.timeseries_local` s
    left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
    where not (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) or (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) or case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end is null or (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400)
  ) samples
  cross join (select
  nullif(cells[offset(0)], '~') as issue
from (
  select split(line, '|') as cells
  from unnest(split('unknown_unit;implausible;unknown_instant;later_than_receipt', ';')) as line
) as literals) found
  where case found.issue when 'unknown_unit' then is_unknown_unit when 'implausible' then is_implausible when 'unknown_instant' then is_unknown_instant when 'later_than_receipt' then is_later_than_receipt end
  union all
  select
    user_id, provider, source_type, 'blood_pressure' as origin_table, measure, unit, found.issue, start_at as occurred_at, _received_at
  from (
    select
      s.user_id, s.provider, s.source_type, s.resource as measure, s.unit, s.start_at, s._received_at,
      c.unit is null as is_unknown_unit, case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end is null as is_unknown_instant, (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400) as is_later_than_receipt
    from `my-project.health.blood_pressure_local` s
    left join `my-project.health.unit_conversions` c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
    where c.unit is null or case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end is null or (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400)
  ) samples
  cross join (select
  nullif(cells[offset(0)], '~') as issue
from (
  select split(line, '|') as cells
  from unnest(split('unknown_unit;unknown_instant;later_than_receipt', ';')) as line
) as literals) found
  where case found.issue when 'unknown_unit' then is_unknown_unit when 'unknown_instant' then is_unknown_instant when 'later_than_receipt' then is_later_than_receipt end
  union all
  select
    user_id, provider, source_type, 'notes' as origin_table, measure, unit, found.issue, start_at as occurred_at, _received_at
  from (
    select
      s.user_id, s.provider, s.source_type, s.resource as measure, s.unit, s.start_at, s._received_at,
      case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end is null as is_unknown_instant, (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400) as is_later_than_receipt
    from `my-project.health.notes_local` s
    
    where case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end is null or (timestamp_diff(coalesce(case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s.start_at), s._received_at, microsecond) / 1000000.0 > 86400)
  ) samples
  cross join (select
  nullif(cells[offset(0)], '~') as issue
from (
  select split(line, '|') as cells
  from unnest(split('unknown_instant;later_than_receipt', ';')) as line
) as literals) found
  where case found.issue when 'unknown_instant' then is_unknown_instant when 'later_than_receipt' then is_later_than_receipt end
  union all
  select
    s.user_id, s.provider, s.source_type, 'activity', measured.measure, cast(null as string), 'implausible',
    timestamp(s.calendar_date), s._received_at
  from `my-project.health.activity` s
  
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('activity.calories_active_kcal;activity.calories_total_kcal;activity.distance_m;activity.floors_climbed;activity.heart_rate_avg_bpm;activity.heart_rate_avg_walking_bpm;activity.heart_rate_max_bpm;activity.heart_rate_min_bpm;activity.heart_rate_resting_bpm;activity.high_min;activity.low_min;activity.medium_min;activity.steps;activity.wheelchair_push', ';')) as line
) as literals) measured
  where case measured.measure when 'activity.calories_active_kcal' then s.calories_active_kcal is not null and (case when s.calories_active_kcal between 0 and 20000 then s.calories_active_kcal end) is null when 'activity.calories_total_kcal' then s.calories_total_kcal is not null and (case when s.calories_total_kcal between 1 and 20000 then s.calories_total_kcal end) is null when 'activity.distance_m' then s.distance_m is not null and (case when s.distance_m between 0 and 1100000 then s.distance_m end) is null when 'activity.floors_climbed' then s.floors_climbed is not null and (case when s.floors_climbed between 0 and 3000 then s.floors_climbed end) is null when 'activity.heart_rate_avg_bpm' then s.heart_rate_avg_bpm is not null and (case when s.heart_rate_avg_bpm between 20 and 300 then s.heart_rate_avg_bpm end) is null when 'activity.heart_rate_avg_walking_bpm' then s.heart_rate_avg_walking_bpm is not null and (case when s.heart_rate_avg_walking_bpm between 20 and 300 then s.heart_rate_avg_walking_bpm end) is null when 'activity.heart_rate_max_bpm' then s.heart_rate_max_bpm is not null and (case when s.heart_rate_max_bpm between 20 and 300 then s.heart_rate_max_bpm end) is null when 'activity.heart_rate_min_bpm' then s.heart_rate_min_bpm is not null and (case when s.heart_rate_min_bpm between 20 and 300 then s.heart_rate_min_bpm end) is null when 'activity.heart_rate_resting_bpm' then s.heart_rate_resting_bpm is not null and (case when s.heart_rate_resting_bpm between 20 and 300 then s.heart_rate_resting_bpm end) is null when 'activity.high_min' then s.high_min is not null and (case when s.high_min between 0 and 1500 then s.high_min end) is null when 'activity.low_min' then s.low_min is not null and (case when s.low_min between 0 and 1500 then s.low_min end) is null when 'activity.medium_min' then s.medium_min is not null and (case when s.medium_min between 0 and 1500 then s.medium_min end) is null when 'activity.steps' then s.steps is not null and (case when s.steps between 0 and 250000 then s.steps end) is null when 'activity.wheelchair_push' then s.wheelchair_push is not null and (case when s.wheelchair_push between 0 and 100000 then s.wheelchair_push end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'blood_pressure', measured.measure, s.unit, 'implausible',
    coalesce(s.start_at, timestamp(s.local_date)), s._received_at
  from `my-project.health.blood_pressure` s
  left join `my-project.health.unit_conversions` c on c.measure = 'blood_pressure.diastolic_mmhg' and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('blood_pressure.diastolic_mmhg;blood_pressure.systolic_mmhg', ';')) as line
) as literals) measured
  where case measured.measure when 'blood_pressure.diastolic_mmhg' then (s.diastolic_mmhg - c.minus) * c.times / c.per is not null and (case when (s.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (s.diastolic_mmhg - c.minus) * c.times / c.per end) is null when 'blood_pressure.systolic_mmhg' then (s.systolic_mmhg - c.minus) * c.times / c.per is not null and (case when (s.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (s.systolic_mmhg - c.minus) * c.times / c.per end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'body', measured.measure, cast(null as string), 'implausible',
    timestamp(s.calendar_date), s._received_at
  from `my-project.health.body` s
  
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('body.body_mass_index;body.bone_mass_pct;body.fat_pct;body.lean_body_mass_kg;body.muscle_mass_pct;body.visceral_fat_index;body.waist_circumference_cm;body.water_pct;body.weight_kg', ';')) as line
) as literals) measured
  where case measured.measure when 'body.body_mass_index' then s.body_mass_index is not null and (case when s.body_mass_index between 5 and 210 then s.body_mass_index end) is null when 'body.bone_mass_pct' then s.bone_mass_pct is not null and (case when s.bone_mass_pct between 0.5 and 100 then s.bone_mass_pct end) is null when 'body.fat_pct' then s.fat_pct is not null and (case when s.fat_pct between 1 and 80 then s.fat_pct end) is null when 'body.lean_body_mass_kg' then s.lean_body_mass_kg is not null and (case when s.lean_body_mass_kg between 0.3 and 650 then s.lean_body_mass_kg end) is null when 'body.muscle_mass_pct' then s.muscle_mass_pct is not null and (case when s.muscle_mass_pct between 0.5 and 100 then s.muscle_mass_pct end) is null when 'body.visceral_fat_index' then s.visceral_fat_index is not null and (case when s.visceral_fat_index between 1 and 60 then s.visceral_fat_index end) is null when 'body.waist_circumference_cm' then s.waist_circumference_cm is not null and (case when s.waist_circumference_cm between 15 and 320 then s.waist_circumference_cm end) is null when 'body.water_pct' then s.water_pct is not null and (case when s.water_pct between 0.5 and 100 then s.water_pct end) is null when 'body.weight_kg' then s.weight_kg is not null and (case when s.weight_kg between 0.3 and 650 then s.weight_kg end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'electrocardiogram', measured.measure, cast(null as string), 'implausible',
    coalesce(s.session_start, s._received_at), s._received_at
  from `my-project.health.electrocardiogram` s
  
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('electrocardiogram.heart_rate_mean_bpm', ';')) as line
) as literals) measured
  where case measured.measure when 'electrocardiogram.heart_rate_mean_bpm' then s.heart_rate_mean_bpm is not null and (case when s.heart_rate_mean_bpm between 20 and 300 then s.heart_rate_mean_bpm end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'meal', measured.measure, cast(null as string), 'implausible',
    coalesce(s.eaten_at, timestamp(s.calendar_date)), s._received_at
  from `my-project.health.meal` s
  
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('meal.alcohol_g;meal.carbs_g;meal.cholesterol_g;meal.energy_kcal;meal.fat_monounsaturated_g;meal.fat_omega3_g;meal.fat_omega6_g;meal.fat_polyunsaturated_g;meal.fat_saturated_g;meal.fat_total_g;meal.fibre_g;meal.protein_g;meal.sugar_g;meal.water_g', ';')) as line
) as literals) measured
  where case measured.measure when 'meal.alcohol_g' then s.alcohol_g is not null and (case when s.alcohol_g between 0 and 2000 then s.alcohol_g end) is null when 'meal.carbs_g' then s.carbs_g is not null and (case when s.carbs_g between 0 and 2000 then s.carbs_g end) is null when 'meal.cholesterol_g' then s.cholesterol_g is not null and (case when s.cholesterol_g between 0 and 20 then s.cholesterol_g end) is null when 'meal.energy_kcal' then s.energy_kcal is not null and (case when s.energy_kcal between 0 and 20000 then s.energy_kcal end) is null when 'meal.fat_monounsaturated_g' then s.fat_monounsaturated_g is not null and (case when s.fat_monounsaturated_g between 0 and 2000 then s.fat_monounsaturated_g end) is null when 'meal.fat_omega3_g' then s.fat_omega3_g is not null and (case when s.fat_omega3_g between 0 and 2000 then s.fat_omega3_g end) is null when 'meal.fat_omega6_g' then s.fat_omega6_g is not null and (case when s.fat_omega6_g between 0 and 2000 then s.fat_omega6_g end) is null when 'meal.fat_polyunsaturated_g' then s.fat_polyunsaturated_g is not null and (case when s.fat_polyunsaturated_g between 0 and 2000 then s.fat_polyunsaturated_g end) is null when 'meal.fat_saturated_g' then s.fat_saturated_g is not null and (case when s.fat_saturated_g between 0 and 2000 then s.fat_saturated_g end) is null when 'meal.fat_total_g' then s.fat_total_g is not null and (case when s.fat_total_g between 0 and 2000 then s.fat_total_g end) is null when 'meal.fibre_g' then s.fibre_g is not null and (case when s.fibre_g between 0 and 2000 then s.fibre_g end) is null when 'meal.protein_g' then s.protein_g is not null and (case when s.protein_g between 0 and 2000 then s.protein_g end) is null when 'meal.sugar_g' then s.sugar_g is not null and (case when s.sugar_g between 0 and 2000 then s.sugar_g end) is null when 'meal.water_g' then s.water_g is not null and (case when s.water_g between 0 and 20000 then s.water_g end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'profile', measured.measure, cast(null as string), 'implausible',
    s._received_at, s._received_at
  from `my-project.health.profile` s
  
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('profile.height_cm', ';')) as line
) as literals) measured
  where case measured.measure when 'profile.height_cm' then s.height_cm is not null and (case when s.height_cm between 25 and 280 then s.height_cm end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'sleep', measured.measure, cast(null as string), 'implausible',
    coalesce(s.bedtime_start, timestamp(s.calendar_date)), s._received_at
  from `my-project.health.sleep` s
  
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('sleep.average_hrv_ms;sleep.awake_s;sleep.deep_s;sleep.duration_s;sleep.efficiency;sleep.hr_average_bpm;sleep.hr_dip_pct;sleep.hr_lowest_bpm;sleep.hr_resting_bpm;sleep.latency_s;sleep.light_s;sleep.recovery_readiness_score;sleep.rem_s;sleep.respiratory_rate_per_min;sleep.score;sleep.skin_temperature_c;sleep.temperature_delta_c;sleep.total_s', ';')) as line
) as literals) measured
  where case measured.measure when 'sleep.average_hrv_ms' then s.average_hrv_ms is not null and (case when s.average_hrv_ms between 1 and 500 then s.average_hrv_ms end) is null when 'sleep.awake_s' then s.awake_s is not null and (case when s.awake_s between 0 and 86400 then s.awake_s end) is null when 'sleep.deep_s' then s.deep_s is not null and (case when s.deep_s between 0 and 86400 then s.deep_s end) is null when 'sleep.duration_s' then s.duration_s is not null and (case when s.duration_s between 60 and 86400 then s.duration_s end) is null when 'sleep.efficiency' then s.efficiency is not null and (case when case when s.efficiency > 1 then s.efficiency / 100 else s.efficiency end between 0.01 and 1 then case when s.efficiency > 1 then s.efficiency / 100 else s.efficiency end end) is null when 'sleep.hr_average_bpm' then s.hr_average_bpm is not null and (case when s.hr_average_bpm between 20 and 300 then s.hr_average_bpm end) is null when 'sleep.hr_dip_pct' then s.hr_dip_pct is not null and (case when s.hr_dip_pct between -50 and 100 then s.hr_dip_pct end) is null when 'sleep.hr_lowest_bpm' then s.hr_lowest_bpm is not null and (case when s.hr_lowest_bpm between 20 and 300 then s.hr_lowest_bpm end) is null when 'sleep.hr_resting_bpm' then s.hr_resting_bpm is not null and (case when s.hr_resting_bpm between 20 and 300 then s.hr_resting_bpm end) is null when 'sleep.latency_s' then s.latency_s is not null and (case when s.latency_s between 0 and 86400 then s.latency_s end) is null when 'sleep.light_s' then s.light_s is not null and (case when s.light_s between 0 and 86400 then s.light_s end) is null when 'sleep.recovery_readiness_score' then s.recovery_readiness_score is not null and (case when s.recovery_readiness_score between 1 and 100 then s.recovery_readiness_score end) is null when 'sleep.rem_s' then s.rem_s is not null and (case when s.rem_s between 0 and 86400 then s.rem_s end) is null when 'sleep.respiratory_rate_per_min' then s.respiratory_rate_per_min is not null and (case when s.respiratory_rate_per_min between 2 and 100 then s.respiratory_rate_per_min end) is null when 'sleep.score' then s.score is not null and (case when s.score between 1 and 100 then s.score end) is null when 'sleep.skin_temperature_c' then s.skin_temperature_c is not null and (case when s.skin_temperature_c between 10 and 45 then s.skin_temperature_c end) is null when 'sleep.temperature_delta_c' then s.temperature_delta_c is not null and (case when s.temperature_delta_c between -15 and 15 then s.temperature_delta_c end) is null when 'sleep.total_s' then s.total_s is not null and (case when s.total_s between 60 and 86400 then s.total_s end) is null end
  union all
  select
    s.user_id, s.provider, s.source_type, 'workouts', measured.measure, cast(null as string), 'implausible',
    coalesce(s.time_start, timestamp(s.calendar_date)), s._received_at
  from `my-project.health.workouts` s
  
  cross join (select
  nullif(cells[offset(0)], '~') as measure
from (
  select split(line, '|') as cells
  from unnest(split('workouts.average_hr_bpm;workouts.average_speed_m_s;workouts.average_watts;workouts.calories_kcal;workouts.device_watts;workouts.distance_m;workouts.elev_high_m;workouts.elev_low_m;workouts.max_hr_bpm;workouts.max_speed_m_s;workouts.max_watts;workouts.moving_time_s;workouts.steps;workouts.total_elevation_gain_m;workouts.weighted_average_watts', ';')) as line
) as literals) measured
  where case measured.measure when 'workouts.average_hr_bpm' then s.average_hr_bpm is not null and (case when s.average_hr_bpm between 20 and 300 then s.average_hr_bpm end) is null when 'workouts.average_speed_m_s' then s.average_speed_m_s is not null and (case when s.average_speed_m_s between 0 and 80 then s.average_speed_m_s end) is null when 'workouts.average_watts' then s.average_watts is not null and (case when s.average_watts between 0 and 3000 then s.average_watts end) is null when 'workouts.calories_kcal' then s.calories_kcal is not null and (case when s.calories_kcal between 0 and 50000 then s.calories_kcal end) is null when 'workouts.device_watts' then s.device_watts is not null and (case when s.device_watts between 0 and 3000 then s.device_watts end) is null when 'workouts.distance_m' then s.distance_m is not null and (case when s.distance_m between 0 and 2000000 then s.distance_m end) is null when 'workouts.elev_high_m' then s.elev_high_m is not null and (case when s.elev_high_m between -450 and 9000 then s.elev_high_m end) is null when 'workouts.elev_low_m' then s.elev_low_m is not null and (case when s.elev_low_m between -450 and 9000 then s.elev_low_m end) is null when 'workouts.max_hr_bpm' then s.max_hr_bpm is not null and (case when s.max_hr_bpm between 20 and 300 then s.max_hr_bpm end) is null when 'workouts.max_speed_m_s' then s.max_speed_m_s is not null and (case when s.max_speed_m_s between 0 and 80 then s.max_speed_m_s end) is null when 'workouts.max_watts' then s.max_watts is not null and (case when s.max_watts between 0 and 3000 then s.max_watts end) is null when 'workouts.moving_time_s' then s.moving_time_s is not null and (case when s.moving_time_s between 0 and 600000 then s.moving_time_s end) is null when 'workouts.steps' then s.steps is not null and (case when s.steps between 0 and 500000 then s.steps end) is null when 'workouts.total_elevation_gain_m' then s.total_elevation_gain_m is not null and (case when s.total_elevation_gain_m between 0 and 50000 then s.total_elevation_gain_m end) is null when 'workouts.weighted_average_watts' then s.weighted_average_watts is not null and (case when s.weighted_average_watts between 0 and 3000 then s.weighted_average_watts end) is null end
  union all
  select
    user_id, provider, source_type, 'activity', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.activity`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'body', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.body`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'electrocardiogram', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.electrocardiogram`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, cast(null as string), cast(null as string), 'lab_critical_results', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.lab_critical_results`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, cast(null as string), cast(null as string), 'lab_orders', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.lab_orders`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'meal', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.meal`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'menstrual_cycle', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.menstrual_cycle`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'profile', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.profile`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'sleep', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.sleep`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'sleep_cycle', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.sleep_cycle`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  union all
  select
    user_id, provider, source_type, 'workouts', cast(null as string), cast(null as string), 'updated_later_than_receipt',
    updated_at, _received_at
  from `my-project.health.workouts`
  where (timestamp_diff(updated_at, _received_at, microsecond) / 1000000.0 > 86400)
  ) others
  union all
  select
    user_id, provider, source_type, origin_table, cast(null as string) as measure, cast(null as string) as unit, 'unknown_time_zone' as issue, occurred_at,
    _received_at, time_zone
  from (
    select
      user_id, provider, source_type, 'activity' as origin_table, time_zone, timestamp(calendar_date) as occurred_at, _received_at
    from `my-project.health.activity`
    union all
    select
      user_id, provider, source_type, 'sleep_cycle' as origin_table, time_zone, session_start as occurred_at, _received_at
    from `my-project.health.sleep_cycle`
    union all
    select
      user_id, provider, source_type, 'electrocardiogram' as origin_table, time_zone, session_start as occurred_at, _received_at
    from `my-project.health.electrocardiogram`
    union all
    select user_id, cast(null as string), cast(null as string), 'users', fallback_time_zone, fallback_time_zone_updated_at, _received_at
    from `my-project.health.users`
    where coalesce(fallback_time_zone_source, '') <> 'service'
  ) named_zones
  left join (select distinct zone, lower(zone) as spelled from `my-project.health.time_zone_transitions`) named on named.spelled = replace(lower(trim(time_zone, ' ')), ' ', '_')
  where trim(time_zone, ' ') <> '' and named.zone is null and case
      when named.zone is not null then null
      when replace(lower(trim(time_zone, ' ')), ' ', '_') = 'z' then 0
      when not regexp_contains(replace(lower(trim(time_zone, ' ')), ' ', '_'), '^(gmt|utc)?([+]((0?[0-9]|1[0-3])(:[0-5][0-9])?|(0[0-9]|1[0-3])[0-5][0-9]|14(:?00)?)|-((0?[0-9]|1[01])(:[0-5][0-9])?|(0[0-9]|1[01])[0-5][0-9]|12(:?00)?))$') then null
      when length(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '')) < 4 then cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 3600
      else mod(cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64), 100) * 24 + cast(replace(replace(replace(replace(lower(trim(time_zone, ' ')), ' ', '_'), 'gmt', ''), 'utc', ''), ':', '') as int64) * 36
    end is null
) found
group by user_id, provider, source_type, origin_table, measure, unit, time_zone, issue;

CREATE OR REPLACE VIEW `my-project.health.delivery_copies` (
  source OPTIONS (description = 'Configured name of the source.'),
  source_partition OPTIONS (description = 'Partition of the source. For a webhook, the id of the message.'),
  source_offset OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  received_at OPTIONS (description = 'When the broker received the delivery. For a webhook, when the service created the message.')
)
OPTIONS (description = 'One delivery of an event that another source had delivered before. The columns identify its row in `deliveries`.', labels = [('aorta', 'view'), ('aorta_text', '4484410fb9ec258c')]) AS
with came as (
  select source, source_partition, source_offset, received_at, user_id, event_type, stream, body_bytes, body_crc32 from `my-project.health.deliveries` where not redelivered
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came.source, came.source_partition, came.source_offset, came.received_at, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type, coalesce(came.stream, '') as key_stream
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream order by came_at, own, source, source_partition, source_offset, received_at) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream order by came_at, own, source, source_partition, source_offset, received_at), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, key_stream, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.key_stream = one.key_stream and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream, session, first_source, second_source order by came_at, own, source, source_partition, source_offset, received_at) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)
select distinct source, source_partition, source_offset, received_at
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, key_stream, session, first_source, second_source, level order by came_at, own, source, source_partition, source_offset, received_at) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second);

CREATE OR REPLACE VIEW `my-project.health.connections` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  status OPTIONS (description = '`connected`, or `error` if the newest event that tells the status is an error.'),
  connected_at OPTIONS (description = 'Receipt of the first `created` event. A reconnection does not move it. NULL if no such event has arrived.'),
  changed_at OPTIONS (description = 'Receipt of the newest event of any type: a connection, an error, a reconnection or a retired `updated` event.'),
  error_type OPTIONS (description = 'Kind of the newest error. It stays after a reconnection. NULL if no error has occurred.'),
  resource_availability OPTIONS (description = 'For each resource, the status and scopes in the newest `created` event.'),
  errors OPTIONS (description = 'Number of `error` events. (count)')
)
OPTIONS (description = 'The current state of a user’s connection to a provider. The service sends no event when a user disconnects.', labels = [('aorta', 'view'), ('aorta_text', 'd4eb3673e7419926')]) AS
with came as (
  select
  _origin, _offset, _received_at, _source as source, user_id, event_type, _received_at as received_at,
  _body_bytes as body_bytes, _body_crc32 as body_crc32
from `my-project.health.connection_events`
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came._origin, came._offset, came._received_at, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source order by came_at, own, _origin, _offset, _received_at) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)
select
  user_id, provider,
  coalesce(
    any_value(if(event_type in ('provider.connection.created', 'provider.connection.error'), case when event_type = 'provider.connection.error' then 'error' else 'connected' end, null) having max if(event_type in ('provider.connection.created', 'provider.connection.error') and case when event_type = 'provider.connection.error' then 'error' else 'connected' end is not null, version, 0)),
    'connected'
  ) as status,
  min(case when event_type = 'provider.connection.created' then _received_at end) as connected_at,
  max(_received_at) as changed_at,
  any_value(error_type having max if(error_type is not null, version, 0)) as error_type,
  any_value(if(event_type = 'provider.connection.created', resource_availability, null) having max if(event_type = 'provider.connection.created' and resource_availability is not null, version, 0)) as resource_availability,
  count(case when event_type = 'provider.connection.error' then 1 end) as errors
from (
  select
    user_id, provider, event_type, error_type, resource_availability, _received_at,
    row_number() over (partition by user_id, provider order by _received_at, _origin, _offset, _reader) as version
  from (
select kept.*
from `my-project.health.connection_events` kept
left join (
select distinct _origin, _offset, _received_at
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source, level order by came_at, own, _origin, _offset, _received_at) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second)
) copy on copy._origin = kept._origin and copy._offset = kept._offset and copy._received_at = kept._received_at
where copy._origin is null
  ) events
) numbered
group by user_id, provider;

CREATE OR REPLACE VIEW `my-project.health.meal_foods` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  food_name OPTIONS (description = 'Name of the food. The user may have entered it.'),
  energy_kcal OPTIONS (description = 'Energy; NULL if it was sent in another unit. (kcal)'),
  carbs_g OPTIONS (description = 'Carbohydrates. (g)'),
  protein_g OPTIONS (description = 'Protein. (g)'),
  fat_total_g OPTIONS (description = 'Fat. (g)'),
  fat_saturated_g OPTIONS (description = 'Saturated fat. (g)'),
  fat_monounsaturated_g OPTIONS (description = 'Monounsaturated fat. (g)'),
  fat_polyunsaturated_g OPTIONS (description = 'Polyunsaturated fat. (g)'),
  fat_omega3_g OPTIONS (description = 'Omega-3 fatty acids. (g)'),
  fat_omega6_g OPTIONS (description = 'Omega-6 fatty acids. (g)'),
  alcohol_g OPTIONS (description = 'Alcohol. (g)'),
  water_g OPTIONS (description = 'Water. (g)'),
  fibre_g OPTIONS (description = 'Dietary fibre. (g)'),
  sugar_g OPTIONS (description = 'Sugar. (g)'),
  cholesterol_g OPTIONS (description = 'Cholesterol. (g)'),
  minerals OPTIONS (description = 'Amounts by mineral, in milligrams. (mg)'),
  trace_elements OPTIONS (description = 'Amounts by trace element: copper and manganese in milligrams, the others in micrograms.'),
  vitamins OPTIONS (description = 'Amounts by vitamin: A, B12, D, K, biotin and folic acid in micrograms, the others in milligrams.')
)
OPTIONS (description = 'One food in a meal, with its energy and nutrients.', labels = [('aorta', 'view'), ('aorta_text', '8522b119a9150e30')]) AS
select
  user_id, id, provider, source_type, provider || '/' || source_type as source, member_name as food_name,
  case when coalesce(json_value(member, '$.energy.unit'), 'kcal') = 'kcal' then safe_cast(json_value(member, '$.energy.value') as float64) end as energy_kcal,
  safe_cast(json_value(member, '$.macros.carbs') as float64) as carbs_g,
  safe_cast(json_value(member, '$.macros.protein') as float64) as protein_g,
  safe_cast(json_value(member, '$.macros.fats.total') as float64) as fat_total_g,
  safe_cast(json_value(member, '$.macros.fats.saturated') as float64) as fat_saturated_g,
  safe_cast(json_value(member, '$.macros.fats.monounsaturated') as float64) as fat_monounsaturated_g,
  safe_cast(json_value(member, '$.macros.fats.polyunsaturated') as float64) as fat_polyunsaturated_g,
  safe_cast(json_value(member, '$.macros.fats.omega3') as float64) as fat_omega3_g,
  safe_cast(json_value(member, '$.macros.fats.omega6') as float64) as fat_omega6_g,
  safe_cast(json_value(member, '$.macros.alcohol') as float64) as alcohol_g,
  safe_cast(json_value(member, '$.macros.water') as float64) as water_g,
  safe_cast(json_value(member, '$.macros.fibre') as float64) as fibre_g,
  safe_cast(json_value(member, '$.macros.sugar') as float64) as sugar_g,
  safe_cast(json_value(member, '$.macros.cholesterol') as float64) as cholesterol_g,
  json_query(member, '$.micros.minerals') as minerals,
  json_query(member, '$.micros.trace_elements') as trace_elements,
  json_query(member, '$.micros.vitamins') as vitamins
from (
  select t.user_id, t.id, t.provider, t.source_type, member_name, t.foods[member_name] as member
  from `my-project.health.meal` as t,
    unnest(json_keys(t.foods, 1)) as key,
    unnest([if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key)]) as member_name
) eaten;

CREATE OR REPLACE VIEW `my-project.health.sleep_cycle_stages` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  sleep_id OPTIONS (description = 'Id of the session in `sleep`.'),
  ordinal OPTIONS (description = 'Position of the stage in the session, from 1.'),
  stage OPTIONS (description = '`unknown`, `deep`, `light`, `rem`, `awake` or `manual`; NULL if `stage_type` is NULL or any other number.'),
  stage_type OPTIONS (description = 'Kind of the stage as sent: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. NULL if it was not sent.'),
  start_at OPTIONS (description = 'Start of the stage; NULL if it was not sent.'),
  end_at OPTIONS (description = 'End of the stage; NULL if it was not sent.'),
  duration_s OPTIONS (description = 'Duration of the stage; NULL without a start or an end. (s)')
)
OPTIONS (description = 'One stage of a sleep session.', labels = [('aorta', 'view'), ('aorta_text', 'a157449652997a1e')]) AS
select
  user_id, id, provider, source_type, provider || '/' || source_type as source, sleep_id, ordinal,
  case stage_type
    when -1 then 'unknown' when 1 then 'deep' when 2 then 'light' when 3 then 'rem' when 4 then 'awake' when 5 then 'manual'
  end as stage,
  stage_type,
  timestamp_add(session_start, interval start_offset_s second) as start_at,
  timestamp_add(session_start, interval end_offset_s second) as end_at,
  end_offset_s - start_offset_s as duration_s
from (
  select user_id, id, provider, source_type, sleep_id, session_start, ordinal, stage_type[safe_ordinal(ordinal)] as stage_type, stage_start_offset_s[safe_ordinal(ordinal)] as start_offset_s, stage_end_offset_s[safe_ordinal(ordinal)] as end_offset_s
  from (
  select t.user_id, t.id, t.provider, t.source_type, t.sleep_id, t.session_start, t.stage_type, t.stage_start_offset_s, t.stage_end_offset_s, ordinal
  from `my-project.health.sleep_cycle` as t, unnest(generate_array(1, greatest(array_length(stage_type), array_length(stage_start_offset_s), array_length(stage_end_offset_s)))) as ordinal
  ) numbered
) staged;

CREATE OR REPLACE VIEW `my-project.health.workouts_hr_zones` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  zone OPTIONS (description = 'Number of the zone. Zone 1 is below 50 % of the maximum heart rate, zones 2 to 5 cover ten points each, and zone 6 is above 90 %.'),
  duration_s OPTIONS (description = 'Time in the zone. (s)')
)
OPTIONS (description = 'One heart rate zone of a workout.', labels = [('aorta', 'view'), ('aorta_text', '3baedc765cdf047c')]) AS
select user_id, id, provider, source_type, provider || '/' || source_type as source, ordinal as zone, element as duration_s
from (
  select t.user_id, t.id, t.provider, t.source_type, list_offset + 1 as ordinal, element
  from `my-project.health.workouts` as t, unnest(t.hr_zones_s) as element with offset as list_offset
) zones;

CREATE OR REPLACE VIEW `my-project.health.continuous_query_results_changes` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _origin OPTIONS (description = 'Hash of the source and the partition. For a webhook, of the source and the message id.'),
  _offset OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  query_id OPTIONS (description = 'Id of the query.'),
  query_slug OPTIONS (description = 'Slug of the query.'),
  result_columns OPTIONS (description = 'The rows, as a JSON object with a list of values per column.')
)
OPTIONS (description = 'One element of the list `changes` in `continuous_query_results`. The queries with changed results.', labels = [('aorta', 'view'), ('aorta_text', '392f4886d14a11a9')]) AS
with came as (
  select
  _origin, _offset, _received_at, _source as source, user_id, event_type, _received_at as received_at,
  _body_bytes as body_bytes, _body_crc32 as body_crc32
from `my-project.health.continuous_query_results`
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came._origin, came._offset, came._received_at, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, _origin, _offset, _received_at), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source order by came_at, own, _origin, _offset, _received_at) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
)
select
  user_id, _received_at, _origin, _offset, ordinal,
  element.query_id, element.query_slug, element.result_columns
from (
  select t.user_id, t._received_at, t._origin, t._offset, list_offset + 1 as ordinal, element
  from (
select kept.*
from `my-project.health.continuous_query_results` kept
left join (
select distinct _origin, _offset, _received_at
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source, level order by came_at, own, _origin, _offset, _received_at) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second)
) copy on copy._origin = kept._origin and copy._offset = kept._offset and copy._received_at = kept._received_at
where copy._origin is null
) as t, unnest(t.changes) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_tracks_pulls` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pulls.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  is_present OPTIONS (description = 'Whether the pull is the current one of its resource. The board shows only current pulls.'),
  scheduled_at OPTIONS (description = 'When the service scheduled the pull, which identifies it. Null if introspection has not reported the pull.'),
  range_start OPTIONS (description = 'Start of the pulled range.'),
  range_end OPTIONS (description = 'End of the pulled range.'),
  state OPTIONS (description = '`expected`, `scheduled`, `in_progress`, `retrying`, `success`, `failure` or `unknown`.'),
  since OPTIONS (description = 'When the pull entered the state.'),
  progressed_at OPTIONS (description = 'When the pull last made progress: it was first reported, more days had data, a part of the data arrived, or the outcome changed.'),
  retrying_since OPTIONS (description = 'When the first temporary problem was reported. Later attempts do not reset it. Null after the pull has ended.'),
  status OPTIONS (description = 'Status of the last answer that changed or confirmed the state, as the service spells it.'),
  error_details OPTIONS (description = 'Kind of the last error, as the service spells it.'),
  error_class OPTIONS (description = '`retriable` or `final`. Unknown kinds are retriable until the service reports `failure`.'),
  expected_at OPTIONS (description = 'When the user connected the provider, which makes the pull expected.'),
  started_at OPTIONS (description = 'When the service started the pull.'),
  ended_at OPTIONS (description = 'When its last attempt ended. The pull itself may continue.'),
  days_with_data OPTIONS (description = 'Number of days with data in the range. It grows until the pull has ended. (day)'),
  provisional OPTIONS (description = 'Whether its success comes from a completion event that introspection has not confirmed.'),
  perhaps_completed_at OPTIONS (description = 'When a completion event arrived that may belong to this pull or to a different one.'),
  announced_at OPTIONS (description = 'When the provider announced the end. It does so at once, before there is any data.'),
  broken_at OPTIONS (description = 'When the connection broke, if the user has not connected the provider again.'),
  not_pulled_at OPTIONS (description = 'When the service reported that the resource is not pulled, or that the connection does not provide it.'),
  contradicted_at OPTIONS (description = 'When the service reported a different outcome after the pull had ended.'),
  knows_retrying OPTIONS (description = 'False if the connection is from before 9 May 2025, so that a `failure` may be temporary. Null if unknown.'),
  reports OPTIONS (description = 'False if the service never reports on pulls of this provider and resource.'),
  service_since OPTIONS (description = 'When the pull entered the state, by the service\'s own times. Null if no answer of the service reports it.'),
  service_retrying_since OPTIONS (description = 'End of the first attempt with a temporary problem, by the service\'s own times. Null after the pull has ended.'),
  trace_id OPTIONS (description = 'Trace id for requests to the service\'s support. Null after the pull has succeeded.')
)
OPTIONS (description = 'One element of the list `pulls` in `historical_pull_tracks`. The pulls in order. The last one is the current pull.', labels = [('aorta', 'view'), ('aorta_text', '6c0909ccae334ca6')]) AS
select
  user_id, provider, resource, ordinal,
  element.is_present, element.scheduled_at, element.range_start, element.range_end, element.state, element.since, element.progressed_at, element.retrying_since, element.status, element.error_details, element.error_class, element.expected_at, element.started_at, element.ended_at, element.days_with_data, element.provisional, element.perhaps_completed_at, element.announced_at, element.broken_at, element.not_pulled_at, element.contradicted_at, element.knows_retrying, element.reports, element.service_since, element.service_retrying_since, element.trace_id
from (
  select t.user_id, t.provider, t.resource, list_offset + 1 as ordinal, element
  from `my-project.health.historical_pull_tracks` as t, unnest(t.pulls) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_tracks_changes` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pulls.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  scheduled_at OPTIONS (description = 'When the pull was scheduled, which identifies it.'),
  range_start OPTIONS (description = 'Start of the range of the pull.'),
  range_end OPTIONS (description = 'End of the range of the pull.'),
  changed_at OPTIONS (description = 'Time of the evidence for the change.'),
  from_state OPTIONS (description = 'State before the change. Null for the first change of a pull.'),
  to_state OPTIONS (description = 'State after the change.'),
  event OPTIONS (description = 'Event that caused the change.'),
  status OPTIONS (description = 'Status as the service spells it.'),
  error_details OPTIONS (description = 'Kind of the error, as the service spells it.')
)
OPTIONS (description = 'One element of the list `changes` in `historical_pull_tracks`. All changes of all pulls, in the order of evidence.', labels = [('aorta', 'view'), ('aorta_text', '904f97022d5984ed')]) AS
select
  user_id, provider, resource, ordinal,
  element.scheduled_at, element.range_start, element.range_end, element.changed_at, element.from_state, element.to_state, element.event, element.status, element.error_details
from (
  select t.user_id, t.provider, t.resource, list_offset + 1 as ordinal, element
  from `my-project.health.historical_pull_tracks` as t, unnest(t.changes) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_tracks_evidence` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pulls.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  evidence_at OPTIONS (description = 'Evidence time: when the event was received, or when the service answered.'),
  kind OPTIONS (description = '`connected`, `connection_error`, `expected`, `unavailable`, `not_pulled`, `completed`, `completed_partly` or `told`.'),
  scheduled_at OPTIONS (description = 'When the reported pull was scheduled.'),
  range_start OPTIONS (description = 'Start of the range.'),
  range_end OPTIONS (description = 'End of the range.'),
  status OPTIONS (description = 'Status as the service spells it.'),
  started_at OPTIONS (description = 'When the service started the pull.'),
  ended_at OPTIONS (description = 'When the last attempt of the pull ended.'),
  days_with_data OPTIONS (description = 'Number of days with data in the range. (day)'),
  error_details OPTIONS (description = 'Kind of the error.')
)
OPTIONS (description = 'One element of the list `evidence` in `historical_pull_tracks`. The evidence of the track, in order. Answers that are equivalent to the previous one are left out.', labels = [('aorta', 'view'), ('aorta_text', '0b821cca4a4a892b')]) AS
select
  user_id, provider, resource, ordinal,
  element.evidence_at, element.kind, element.scheduled_at, element.range_start, element.range_end, element.status, element.started_at, element.ended_at, element.days_with_data, element.error_details
from (
  select t.user_id, t.provider, t.resource, list_offset + 1 as ordinal, element
  from `my-project.health.historical_pull_tracks` as t, unnest(t.evidence) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.introspection_polls_pulls` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pull.'),
  status OPTIONS (description = 'Status as the service spells it; empty if there is none.'),
  range_start OPTIONS (description = 'Start of the pulled range.'),
  range_end OPTIONS (description = 'End of the pulled range.'),
  scheduled_at OPTIONS (description = 'When the pull was scheduled, which identifies it.'),
  started_at OPTIONS (description = 'When the service started the pull.'),
  ended_at OPTIONS (description = 'When its last attempt ended. It is also set for a pull that the service will retry.'),
  days_with_data OPTIONS (description = 'Number of days with data in the range. (day)'),
  error_details OPTIONS (description = 'Kind of the last error.'),
  release OPTIONS (description = 'Version of the service that ran the pull.'),
  trace_id OPTIONS (description = 'Trace id for requests to the service\'s support.'),
  extra OPTIONS (description = 'Unknown members, and times that cannot be parsed, as sent.')
)
OPTIONS (description = 'One element of the list `pulls` in `introspection_polls`. The entries under `pulled`: the last pull of each resource.', labels = [('aorta', 'view'), ('aorta_text', '145f52e806825e6a')]) AS
select
  user_id, ordinal,
  element.provider, element.resource, element.status, element.range_start, element.range_end, element.scheduled_at, element.started_at, element.ended_at, element.days_with_data, element.error_details, element.release, element.trace_id, element.extra
from (
  select t.user_id, list_offset + 1 as ordinal, element
  from `my-project.health.introspection_polls` as t, unnest(t.pulls) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.introspection_polls_not_pulled` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource that is not pulled.')
)
OPTIONS (description = 'One element of the list `not_pulled` in `introspection_polls`. The entries under `not_pulled`: resources without a pull.', labels = [('aorta', 'view'), ('aorta_text', 'ad7c20a3e1e8b74f')]) AS
select
  user_id, ordinal,
  element.provider, element.resource
from (
  select t.user_id, list_offset + 1 as ordinal, element
  from `my-project.health.introspection_polls` as t, unnest(t.not_pulled) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_appointments_events` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  id OPTIONS (description = 'Id of the appointment. The newest version of an id replaces the others.'),
  provider OPTIONS (description = 'The company that carries out the appointment, such as `getlabs`.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  created_at OPTIONS (description = 'When the appointment entered the status.'),
  status OPTIONS (description = 'Status that the appointment entered.'),
  data OPTIONS (description = 'The provider\'s data about the event, in any form.')
)
OPTIONS (description = 'One element of the list `events` in `lab_appointments`. All status changes of the appointment, as sent.', labels = [('aorta', 'view'), ('aorta_text', 'b6185669f854568f')]) AS
select
  user_id, id, provider, ordinal,
  element.created_at, element.status, element.data
from (
  select t.user_id, t.id, t.provider, list_offset + 1 as ordinal, element
  from `my-project.health.lab_appointments` as t, unnest(t.events) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_orders_events` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  id OPTIONS (description = 'Id of the order. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  event_id OPTIONS (description = 'Id of the event.'),
  created_at OPTIONS (description = 'When the order entered the status.'),
  status OPTIONS (description = 'Status: high level, modality and low level, separated by dots.'),
  status_detail OPTIONS (description = 'Reason, if the status is a failure.')
)
OPTIONS (description = 'One element of the list `events` in `lab_orders`. All status changes of the order, as sent.', labels = [('aorta', 'view'), ('aorta_text', '1877538a87d11c97')]) AS
select
  user_id, id, ordinal,
  element.event_id, element.created_at, element.status, element.status_detail
from (
  select t.user_id, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.lab_orders` as t, unnest(t.events) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_orders_order_transaction_orders` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  id OPTIONS (description = 'Id of the order. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  order_id OPTIONS (description = 'Id of the order.'),
  low_level_status OPTIONS (description = 'Low level of the status.'),
  low_level_status_at OPTIONS (description = 'When the order entered this status.'),
  order_origin OPTIONS (description = '`initial`, `redraw` or `recreation`.'),
  parent_id OPTIONS (description = 'Id of the order that it replaces.'),
  created_at OPTIONS (description = 'When the order was created.'),
  updated_at OPTIONS (description = 'When the order last changed.')
)
OPTIONS (description = 'One element of the list `order_transaction_orders` in `lab_orders`. The orders of the transaction, including this one.', labels = [('aorta', 'view'), ('aorta_text', '76d1531011f16b9c')]) AS
select
  user_id, id, ordinal,
  element.order_id, element.low_level_status, element.low_level_status_at, element.order_origin, element.parent_id, element.created_at, element.updated_at
from (
  select t.user_id, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.lab_orders` as t, unnest(t.order_transaction_orders) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_report_parsing_jobs_results` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  id OPTIONS (description = 'Id of the job. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  test_name OPTIONS (description = 'Name of the test.'),
  value OPTIONS (description = 'The value, as text.'),
  value_type OPTIONS (description = 'Type of the value: `numeric`, `range`, `comment`, `boolean`, `duration`, `percentage` or `ratio`.'),
  units OPTIONS (description = 'Unit of the value, as found in the report.'),
  min_reference_range OPTIONS (description = 'Lower end of the reference range, in the result\'s unit.'),
  max_reference_range OPTIONS (description = 'Upper end of the reference range, in the result\'s unit.'),
  is_below_min_range OPTIONS (description = 'Whether the value is below the range.'),
  is_above_max_range OPTIONS (description = 'Whether the value is above the range.'),
  interpretation OPTIONS (description = '`normal`, `abnormal`, `critical` or `unknown`.'),
  sample_type OPTIONS (description = 'Type of sample.'),
  measurement_kind OPTIONS (description = '`direct`, `calculated`, `ratio` or `unknown`.'),
  sensitivity OPTIONS (description = 'Whether the test is sensitive.'),
  source_panel_name OPTIONS (description = 'Panel of the report that contains the result.'),
  loinc_match_status OPTIONS (description = '`auto_match`, `needs_review` or `no_match`.'),
  loinc_matches OPTIONS (description = 'Possible LOINC codes, with a confidence for each.')
)
OPTIONS (description = 'One element of the list `results` in `lab_report_parsing_jobs`. The results, in the order of the report.', labels = [('aorta', 'view'), ('aorta_text', '842911aa821bf1c2')]) AS
select
  user_id, id, ordinal,
  element.test_name, element.value, element.value_type, element.units, element.min_reference_range, element.max_reference_range, element.is_below_min_range, element.is_above_max_range, element.interpretation, element.sample_type, element.measurement_kind, element.sensitivity, element.source_panel_name, element.loinc_match_status, element.loinc_matches
from (
  select t.user_id, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.lab_report_parsing_jobs` as t, unnest(t.results) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_results_items` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  order_id OPTIONS (description = 'Id of the order in `lab_orders`.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  name OPTIONS (description = 'Name of the result.'),
  slug OPTIONS (description = 'Slug of the result.'),
  result OPTIONS (description = 'The result as text, as sent.'),
  result_type OPTIONS (description = 'Type of the result: `numeric`, `range`, `comment` or `coded_value`.'),
  result_number OPTIONS (description = 'The number in the result. For a result such as `<1.2`, the number after the sign.'),
  result_sign OPTIONS (description = '`<`, `<=`, `>` or `>=` before the number, if the result has such a sign.'),
  result_low OPTIONS (description = 'Lower end of a result that is a range.'),
  result_high OPTIONS (description = 'Upper end of a result that is a range.'),
  legacy_value OPTIONS (description = 'The number under its deprecated name; -1 if the result is not a number.'),
  unit OPTIONS (description = 'Unit, as sent.'),
  taken_at OPTIONS (description = 'Time of the result.'),
  notes OPTIONS (description = 'Notes of the lab.'),
  reference_range OPTIONS (description = 'Reference range as text.'),
  reference_low OPTIONS (description = 'Lower end of the reference range.'),
  reference_high OPTIONS (description = 'Upper end of the reference range.'),
  is_above_max_range OPTIONS (description = 'Whether the result is above the reference range.'),
  is_below_min_range OPTIONS (description = 'Whether the result is below the reference range.'),
  interpretation OPTIONS (description = '`normal`, `abnormal`, `critical` or `unknown`.'),
  source_interpretation OPTIONS (description = 'The lab\'s own interpretation.'),
  loinc OPTIONS (description = 'LOINC code.'),
  loinc_slug OPTIONS (description = 'Slug of the LOINC code.'),
  lab_code OPTIONS (description = 'The lab\'s code of the result.'),
  source_markers OPTIONS (description = 'The ordered markers that yielded the result, as sent.'),
  performing_laboratory OPTIONS (description = 'Laboratory that performed the test.'),
  source_sample_id OPTIONS (description = 'Id of the sample.')
)
OPTIONS (description = 'One element of the list `items` in `lab_results`. The results, as sent.', labels = [('aorta', 'view'), ('aorta_text', '6284d02eeab9fc94')]) AS
select
  user_id, order_id, ordinal,
  element.name, element.slug, element.result, element.result_type, element.result_number, element.result_sign, element.result_low, element.result_high, element.legacy_value, element.unit, element.taken_at, element.notes, element.reference_range, element.reference_low, element.reference_high, element.is_above_max_range, element.is_below_min_range, element.interpretation, element.source_interpretation, element.loinc, element.loinc_slug, element.lab_code, element.source_markers, element.performing_laboratory, element.source_sample_id
from (
  select t.user_id, t.order_id, list_offset + 1 as ordinal, element
  from `my-project.health.lab_results` as t, unnest(t.items) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_results_missing` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  order_id OPTIONS (description = 'Id of the order in `lab_orders`.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  name OPTIONS (description = 'Name of the result.'),
  slug OPTIONS (description = 'Slug of the result.'),
  inferred_failure_type OPTIONS (description = 'Reason why the result is missing, as inferred by the service.'),
  note OPTIONS (description = 'The lab\'s note on the missing result.'),
  loinc OPTIONS (description = 'LOINC code.'),
  loinc_slug OPTIONS (description = 'Slug of the LOINC code.'),
  provider_id OPTIONS (description = 'The lab\'s code.')
)
OPTIONS (description = 'One element of the list `missing` in `lab_results`. Results that the lab could not provide.', labels = [('aorta', 'view'), ('aorta_text', '29aeacebdf703f9f')]) AS
select
  user_id, order_id, ordinal,
  element.name, element.slug, element.inferred_failure_type, element.note, element.loinc, element.loinc_slug, element.provider_id
from (
  select t.user_id, t.order_id, list_offset + 1 as ordinal, element
  from `my-project.health.lab_results` as t, unnest(t.missing) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_menstrual_flow` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  flow OPTIONS (description = '`unspecified`, `none`, `light`, `medium` or `heavy`.')
)
OPTIONS (description = 'One element of the list `menstrual_flow` in `menstrual_cycle`. Flow by day.', labels = [('aorta', 'view'), ('aorta_text', 'f60e5718347fd048')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.flow
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.menstrual_flow) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_cervical_mucus` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  quality OPTIONS (description = '`dry`, `sticky`, `creamy`, `watery` or `egg_white`.')
)
OPTIONS (description = 'One element of the list `cervical_mucus` in `menstrual_cycle`. Cervical mucus by day.', labels = [('aorta', 'view'), ('aorta_text', '6e51d3ea3641c9f7')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.quality
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.cervical_mucus) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_intermenstrual_bleeding` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.')
)
OPTIONS (description = 'One element of the list `intermenstrual_bleeding` in `menstrual_cycle`. Days of bleeding between periods.', labels = [('aorta', 'view'), ('aorta_text', 'bc9f1084aff9059c')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.intermenstrual_bleeding) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_contraceptive` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  contraceptive_type OPTIONS (description = '`unspecified`, `implant`, `injection`, `iud`, `intravaginal_ring`, `oral` or `patch`.')
)
OPTIONS (description = 'One element of the list `contraceptive` in `menstrual_cycle`. Contraceptives by day.', labels = [('aorta', 'view'), ('aorta_text', '50667eb8f2e1fb88')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.contraceptive_type
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.contraceptive) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_detected_deviations` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  deviation OPTIONS (description = '`persistent_intermenstrual_bleeding`, `prolonged_menstrual_periods`, `irregular_menstrual_cycles` or `infrequent_menstrual_cycles`.')
)
OPTIONS (description = 'One element of the list `detected_deviations` in `menstrual_cycle`. Detected deviations by day.', labels = [('aorta', 'view'), ('aorta_text', 'f519480e98f857e6')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.deviation
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.detected_deviations) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_ovulation_test` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  test_result OPTIONS (description = '`negative`, `positive`, `luteinizing_hormone_surge`, `estrogen_surge` or `indeterminate`.')
)
OPTIONS (description = 'One element of the list `ovulation_test` in `menstrual_cycle`. Ovulation tests by day.', labels = [('aorta', 'view'), ('aorta_text', '0c445f1fb51ad9a4')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.test_result
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.ovulation_test) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_home_pregnancy_test` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  test_result OPTIONS (description = '`negative`, `positive` or `indeterminate`.')
)
OPTIONS (description = 'One element of the list `home_pregnancy_test` in `menstrual_cycle`. Home pregnancy tests by day.', labels = [('aorta', 'view'), ('aorta_text', '20c4449c4237b1bb')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.test_result
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.home_pregnancy_test) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_home_progesterone_test` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  test_result OPTIONS (description = '`negative`, `positive` or `indeterminate`.')
)
OPTIONS (description = 'One element of the list `home_progesterone_test` in `menstrual_cycle`. Home progesterone tests by day.', labels = [('aorta', 'view'), ('aorta_text', '0ce84d9dca99bef7')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.test_result
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.home_progesterone_test) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_sexual_activity` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  protection_used OPTIONS (description = 'Whether protection was used.')
)
OPTIONS (description = 'One element of the list `sexual_activity` in `menstrual_cycle`. Sexual activity by day.', labels = [('aorta', 'view'), ('aorta_text', '8593d042adecd4be')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.protection_used
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.sexual_activity) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.menstrual_cycle_basal_body_temperature` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  local_date OPTIONS (description = 'The local day.'),
  temperature_c OPTIONS (description = 'Temperature. (°C)')
)
OPTIONS (description = 'One element of the list `basal_body_temperature` in `menstrual_cycle`. Basal body temperature by day.', labels = [('aorta', 'view'), ('aorta_text', '36717f361ee093cc')]) AS
select
  user_id, provider, source_type, provider || '/' || source_type as source, id, ordinal,
  element.calendar_date as local_date, element.temperature_c
from (
  select t.user_id, t.provider, t.source_type, t.id, list_offset + 1 as ordinal, element
  from `my-project.health.menstrual_cycle` as t, unnest(t.basal_body_temperature) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.workout_streams_points` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  workout_id OPTIONS (description = 'Id of the workout in `workouts`.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  time_s OPTIONS (description = 'Time of the point, as sent. (s)'),
  point_at OPTIONS (description = 'Time of the point; NULL if the sent time is not in this century.'),
  heart_rate_bpm OPTIONS (description = 'Heart rate. (bpm)'),
  cadence OPTIONS (description = 'Revolutions or steps per minute. (1/min)'),
  altitude_m OPTIONS (description = 'Altitude. (m)'),
  speed_m_s OPTIONS (description = 'Smoothed speed. (m/s)'),
  distance_m OPTIONS (description = 'Distance since the start of the workout. (m)'),
  power_w OPTIONS (description = 'Power. (W)'),
  resistance OPTIONS (description = 'Resistance of the machine.'),
  temperature_c OPTIONS (description = 'Temperature. (°C)'),
  latitude_deg OPTIONS (description = 'Latitude. (°)'),
  longitude_deg OPTIONS (description = 'Longitude. (°)')
)
OPTIONS (description = 'One element of the list `points` in `workout_streams`. The points, as many as the longest sent column has.', labels = [('aorta', 'view'), ('aorta_text', '236bcc81f5934292')]) AS
select
  user_id, workout_id, ordinal,
  element.time_s, element.point_at, element.heart_rate_bpm, element.cadence, element.altitude_m, element.speed_m_s, element.distance_m, element.power_w, element.resistance, element.temperature_c, element.latitude_deg, element.longitude_deg
from (
  select t.user_id, t.workout_id, list_offset + 1 as ordinal, element
  from `my-project.health.workout_streams` as t, unnest(t.points) as element with offset as list_offset
) listed;

CREATE OR REPLACE VIEW `my-project.health.lab_order_history` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  order_id OPTIONS (description = 'Id of the order. The newest version of an id replaces the others.'),
  event_id OPTIONS (description = 'Id of the event.'),
  status OPTIONS (description = 'Status: high level, modality and low level, separated by dots.'),
  high_level OPTIONS (description = 'First part of the status, such as `collecting_sample`.'),
  modality OPTIONS (description = 'Second part of the status, such as `testkit`; NULL if the status has no such part.'),
  low_level OPTIONS (description = 'Third part of the status, such as `with_customer`; NULL if the status has no such part.'),
  status_detail OPTIONS (description = 'Reason, if the status is a failure.'),
  began_at OPTIONS (description = 'When the order entered the status.'),
  ended_at OPTIONS (description = 'When the order entered the next status; NULL for the current status.')
)
OPTIONS (description = 'One status that a lab order has had, with its start and end.', labels = [('aorta', 'view'), ('aorta_text', 'b9f86d83bdf36535')]) AS
select
  user_id, id as order_id, event_id, status,
  nullif(split(status, '.')[safe_ordinal(1)], '') as high_level,
  nullif(split(status, '.')[safe_ordinal(2)], '') as modality,
  nullif(split(status, '.')[safe_ordinal(3)], '') as low_level,
  status_detail, created_at as began_at, ended_at
from (
  select
    *, lag(created_at) over (partition by user_id, id order by created_at desc nulls last, event_id desc nulls last, ordinal desc) as ended_at,
    row_number() over (partition by user_id, id order by created_at desc nulls last, event_id desc nulls last, ordinal desc) as from_last
  from (
    select *, row_number() over (partition by user_id, id, event_id order by created_at desc nulls last, event_id desc nulls last, ordinal desc) as nth
    from (
      select user_id, id, ordinal, event_id, created_at, status, status_detail
      from `my-project.health.lab_orders_events`
      union all
      select user_id, id, 0, last_event_id, last_event_at, last_event_status, last_event_status_detail
      from `my-project.health.lab_orders`
      where last_event_id is not null or array_length(events) = 0
    ) sent
    where status is not null
  ) numbered
  where nth = 1 or event_id is null
) statuses
where ended_at is not null or from_last = 1;

CREATE OR REPLACE VIEW `my-project.health.lab_order_progress` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  order_id OPTIONS (description = 'Id of the order. The newest version of an id replaces the others.'),
  lab_name OPTIONS (description = 'Name of the lab.'),
  lab_test_name OPTIONS (description = 'Name of the test.'),
  sample_id OPTIONS (description = 'Id of the sample, as in lab results and critical results.'),
  status OPTIONS (description = 'Status: high level, modality and low level, separated by dots.'),
  high_level OPTIONS (description = 'First part of the status, such as `collecting_sample`.'),
  modality OPTIONS (description = 'Second part of the status, such as `testkit`; NULL if the status has no such part.'),
  low_level OPTIONS (description = 'Third part of the status, such as `with_customer`; NULL if the status has no such part.'),
  status_detail OPTIONS (description = 'Reason, if the status is a failure.'),
  since OPTIONS (description = 'When the order entered the status.'),
  interpretation OPTIONS (description = 'Interpretation of the results: `normal`, `abnormal`, `critical` or `unknown`.'),
  has_missing_results OPTIONS (description = 'Whether results of markers are missing.'),
  expected_result_by_date OPTIONS (description = 'Date when results usually arrive.'),
  worst_case_result_by_date OPTIONS (description = 'Latest date when results arrive.'),
  created_at OPTIONS (description = 'When the order was created.'),
  updated_at OPTIONS (description = 'When the order last changed. It decides which version of the row is the newest.'),
  turnaround_s OPTIONS (description = 'Time from `created_at` until the order was `completed` for the first time; NULL if it was not. (s)')
)
OPTIONS (description = 'The current status of one lab order, split into its parts.', labels = [('aorta', 'view'), ('aorta_text', 'd1401a68fe2ead7e')]) AS
select
  o.user_id, o.id as order_id, o.lab_name, o.lab_test_name, o.sample_id,
  h.status,
  nullif(split(coalesce(h.status, o.status), '.')[safe_ordinal(1)], '') as high_level,
  nullif(split(coalesce(h.status, o.status), '.')[safe_ordinal(2)], '') as modality,
  nullif(split(coalesce(h.status, o.status), '.')[safe_ordinal(3)], '') as low_level,
  h.status_detail, h.began_at as since,
  o.interpretation, o.has_missing_results, o.expected_result_by_date, o.worst_case_result_by_date, o.created_at, o.updated_at,
  timestamp_diff(h.completed_at, o.created_at, microsecond) / 1000000.0 as turnaround_s
from `my-project.health.lab_orders` o
left join (
  select *, min(case when high_level = 'completed' then began_at end) over (partition by user_id, order_id) as completed_at
  from `my-project.health.lab_order_history`
) h on h.user_id = o.user_id and h.order_id = o.id and h.ended_at is null;

CREATE OR REPLACE VIEW `my-project.health.lab_result_history` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  marker OPTIONS (description = 'Slug of the result, otherwise its name.'),
  name OPTIONS (description = 'Name of the result.'),
  loinc OPTIONS (description = 'LOINC code.'),
  order_id OPTIONS (description = 'Id of the order in `lab_orders`.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  taken_at OPTIONS (description = 'Time of the result.'),
  result OPTIONS (description = 'The result as text, as sent.'),
  result_sign OPTIONS (description = '`<`, `<=`, `>` or `>=` before the number, if the result has such a sign.'),
  result_number OPTIONS (description = 'The number in the result. For a result such as `<1.2`, the number after the sign.'),
  unit OPTIONS (description = 'Unit, as sent.'),
  reference_low OPTIONS (description = 'Lower end of the reference range.'),
  reference_high OPTIONS (description = 'Upper end of the reference range.'),
  verdict OPTIONS (description = '`normal`, `abnormal` or `critical`, from the interpretation, otherwise from the reference range. `unknown` if there is neither.'),
  is_above OPTIONS (description = 'Whether the result is above the reference range; NULL if it is not known.'),
  is_below OPTIONS (description = 'Whether the result is below the reference range; NULL if it is not known.'),
  nth OPTIONS (description = 'Number of the result among those of the user and marker, from 1 for the first.'),
  is_latest OPTIONS (description = 'Whether it is the last result of the user and marker.'),
  previous_number OPTIONS (description = 'Number of the result before it; NULL if the units differ, or if one of the two has a sign such as `<`. (unit)'),
  previous_at OPTIONS (description = 'Time of the result before it.')
)
OPTIONS (description = 'One result of a marker of a user, with its verdict and the result before it.', labels = [('aorta', 'view'), ('aorta_text', '05bece7f8eb4e2fb')]) AS
select
  user_id, marker, name, loinc, order_id, ordinal, taken_at, result, result_sign, result_number, unit, reference_low, reference_high,
  case
    when interpretation in ('normal', 'abnormal', 'critical') then interpretation
    when is_above_max_range or is_below_min_range then 'abnormal'
    when not is_above_max_range and not is_below_min_range then 'normal'
    else 'unknown'
  end as verdict,
  is_above_max_range as is_above, is_below_min_range as is_below, nth, nth = results as is_latest,
  case when coalesce(unit, '') = previous_unit and result_sign is null and previous_sign is null then previous_number end as previous_number,
  previous_at
from (
  select
    *, row_number() over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as nth, count(*) over (partition by user_id, marker) as results,
    lag(result_number) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_number, lag(coalesce(unit, '')) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_unit,
    lag(result_sign) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_sign, lag(taken_at) over (partition by user_id, marker order by taken_at nulls first, order_id, ordinal) as previous_at
  from (
    select *, coalesce(slug, name) as marker
    from `my-project.health.lab_results_items`
  ) named
  where marker is not null
) ordered;

CREATE OR REPLACE VIEW `my-project.health.continuous_query_rows` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  query_id OPTIONS (description = 'Id of the query.'),
  query_slug OPTIONS (description = 'Slug of the query.'),
  row_number OPTIONS (description = 'Position of the row in the event, from 1.'),
  row OPTIONS (description = 'The row, as an object with the values by column.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _origin OPTIONS (description = 'Hash of the source and the partition. For a webhook, of the source and the message id.'),
  _offset OPTIONS (description = 'Offset in the partition. For a webhook, the CRC-32 of the body.')
)
OPTIONS (description = 'One changed row in the result of a continuous query.', labels = [('aorta', 'view'), ('aorta_text', 'a40eb5d8796590e3')]) AS
select
  user_id, query_id, query_slug, ordinal as row_number,
  object as row,
  _received_at, _origin, _offset
from (
  select
    t.user_id, t.query_id, t.query_slug, t._received_at, t._origin, t._offset, ordinal,
    (
      select json_object(
        array_agg(if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key) order by key),
        array_agg(ifnull(json_query_array(t.result_columns[if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key)])[safe_ordinal(ordinal)], json 'null') order by key)
      )
      from unnest(json_keys(t.result_columns, 1)) as key
    ) as object
  from `my-project.health.continuous_query_results_changes` as t, unnest(generate_array(1, ifnull((
    select max(array_length(json_query_array(t.result_columns[if(starts_with(key, '"'), replace(substr(key, 2, length(key) - 2), '\\"', '"'), key)]))) from unnest(json_keys(t.result_columns, 1)) as key
  ), 0))) as ordinal
) changed;

CREATE OR REPLACE VIEW `my-project.health.sleep_nights` (
  user_id OPTIONS (description = 'User.'),
  night_date OPTIONS (description = 'Date of the night, usually the date on which it ends. The midpoint of the sleep is between 18:00 of the day before and 18:00 of this date, in local time. A record that overlaps a longer night of another source has the date of that night.'),
  start_at OPTIONS (description = 'Start of the main sleep; NULL if there are only naps.'),
  end_at OPTIONS (description = 'End of the main sleep.'),
  local_start_at OPTIONS (description = 'Local time of start_at; NULL if the offset is unknown.'),
  local_end_at OPTIONS (description = 'Local time of end_at; NULL if the offset is unknown.'),
  local_basis OPTIONS (description = '`offset`: the record has an offset. `zone`: the offset comes from user_time_zones. `calendar_date`: the offset or a time is unknown, so night_date is the calendar_date of the record. NULL if there are only naps.'),
  duration_s OPTIONS (description = 'Duration of the main sleep from start to end. It contains the gaps between its fragments. (s)'),
  total_s OPTIONS (description = 'Time asleep in the main sleep. (s)'),
  awake_s OPTIONS (description = 'Time awake in the fragments of the main sleep. (s)'),
  light_s OPTIONS (description = 'Time in light sleep; NULL if a fragment does not have it. (s)'),
  rem_s OPTIONS (description = 'Time in REM sleep; NULL if a fragment does not have it. (s)'),
  deep_s OPTIONS (description = 'Time in deep sleep; NULL if a fragment does not have it. (s)'),
  latency_s OPTIONS (description = 'Time to fall asleep, from the first fragment that reports it. (s)'),
  efficiency OPTIONS (description = 'Share of the main sleep that is spent asleep, from 0 to 1. Values above 1 are read as percentages. If the source sends none, it is total_s / duration_s. NULL if the result is not between 0 and 1.'),
  hr_lowest_bpm OPTIONS (description = 'Lowest heart rate. (bpm)'),
  hr_average_bpm OPTIONS (description = 'Average heart rate. (bpm)'),
  hr_resting_bpm OPTIONS (description = 'Resting heart rate. (bpm)'),
  hrv_ms OPTIONS (description = 'Average heart rate variability (RMSSD). (ms)'),
  respiratory_rate_per_min OPTIONS (description = 'Breaths per minute. (1/min)'),
  temperature_delta_c OPTIONS (description = 'Deviation of the skin temperature from its usual value. (°C)'),
  skin_temperature_c OPTIONS (description = 'Skin temperature. (°C)'),
  hr_dip_pct OPTIONS (description = 'Dip of the heart rate during sleep. (%)'),
  score OPTIONS (description = 'Sleep score of the provider, of the longest fragment that has it.'),
  recovery_readiness_score OPTIONS (description = 'Recovery or readiness score of the provider, of the longest fragment that has it.'),
  state OPTIONS (description = '`tentative` if a fragment is tentative, else the state as sent.'),
  provider OPTIONS (description = 'Provider of the main sleep and all its values; NULL if there are only naps.'),
  source_type OPTIONS (description = 'Source type of the main sleep; NULL if there are only naps.'),
  source OPTIONS (description = '`provider/source_type` of the main sleep; NULL if there are only naps.'),
  fragments OPTIONS (description = 'Number of sleep records that form the main sleep.'),
  ids OPTIONS (description = 'List of the ids of the sleep records that form the main sleep, in their order.'),
  naps OPTIONS (description = 'Number of naps of all sources. A nap that several sources recorded counts once.'),
  nap_total_s OPTIONS (description = 'Time asleep in these naps. If the source sends none for a nap, the duration counts. (s)'),
  nap_sources OPTIONS (description = 'Sources of these naps, as `provider/source_type`, separated by commas; NULL without naps.'),
  other_sleeps OPTIONS (description = 'Number of sessions of the source in this night that are neither the main sleep nor naps.'),
  other_sleeps_total_s OPTIONS (description = 'Time asleep in these other sessions. (s)'),
  others OPTIONS (description = 'Number of other sources that have a main sleep in this night.'),
  partial_others OPTIONS (description = 'Number of these sources that were left out because they recorded less than half of the night.'),
  other_sources OPTIONS (description = 'List of these other sources, best first, each with provider, source_type, the total_s of its main sleep, and is_partial.')
)
OPTIONS (description = 'One night of a user: the main sleep as one source recorded it, and the naps of all sources.', labels = [('aorta', 'view'), ('aorta_text', 'cc914794d03e1b54')]) AS
with records as (
  select
    s.user_id, s.provider, s.source_type, s.id, calendar_date,
    case when bedtime_stop > bedtime_start then bedtime_start end as start_at,
    case when bedtime_stop > bedtime_start then bedtime_stop end as end_at,
    timezone_offset_s as own_offset_s, coalesce(zone_span.offset_s, zone_rule.offset_s) as zone_offset_s,
    case when sleep_type = 'acknowledged_nap' then 1 else 0 end as is_nap,
    case when sleep_type = 'short_sleep' then 1 else 0 end as is_short,
    case when sleep_type = 'long_sleep' then 1 else 0 end as is_long,
    case when state = 'tentative' then 1 else 0 end as is_tentative,
    coalesce(case when total_s between 60 and 86400 then total_s end, cast(floor(case when bedtime_stop > bedtime_start then timestamp_diff(bedtime_stop, bedtime_start, microsecond) / 1000000.0 end) as int64), case when duration_s between 60 and 86400 then duration_s end, 0) as asleep_s, total_s
  from `my-project.health.sleep` s
  left join `my-project.health.user_time_zones` zone_span
    on zone_span.user_id = case when s.timezone_offset_s is null then s.user_id end and zone_span.user_id = s.user_id
    and s.bedtime_start >= zone_span.from_at and s.bedtime_start < coalesce(zone_span.to_at, timestamp '9999-12-31T23:59:59Z')
  left join `my-project.health.time_zone_transitions` zone_rule
    on zone_rule.zone = case when zone_span.offset_s is null then zone_span.time_zone end and zone_rule.time_basis = 'utc'
    and s.bedtime_start >= zone_rule.from_at and s.bedtime_start < coalesce(zone_rule.to_at, timestamp '9999-12-31T23:59:59Z')
  where (total_s is null or case when total_s between 60 and 86400 then total_s end is not null)
    and coalesce(case when bedtime_stop > bedtime_start then timestamp_diff(bedtime_stop, bedtime_start, microsecond) / 1000000.0 end, case when duration_s between 60 and 86400 then duration_s end, total_s, 0) <= 86400
),
near as (
  select *, date(start_at) as near_day from records where start_at is not null
  union all
  select *, date(end_at) as near_day from records where date(end_at) <> date(start_at)
),
repetitions as (
  select distinct user_id, id
  from (
    select
      one.user_id,
      case when
        one.is_tentative < other.is_tentative
        or one.is_tentative = other.is_tentative and one.is_nap < other.is_nap
        or one.is_tentative = other.is_tentative and one.is_nap = other.is_nap and other.asleep_s < one.asleep_s
        or one.is_tentative = other.is_tentative and one.is_nap = other.is_nap and other.asleep_s = one.asleep_s and one.start_at < other.start_at
        or one.is_tentative = other.is_tentative and one.is_nap = other.is_nap and other.asleep_s = one.asleep_s and one.start_at = other.start_at and one.id < other.id
      then other.id else one.id end as id
    from near one
    join records other
      on other.user_id = one.user_id and other.provider = one.provider and other.source_type = one.source_type
      and date(other.start_at) = one.near_day
    where other.id <> one.id and other.start_at >= one.start_at and 2 * (timestamp_diff(least(one.end_at, other.end_at), other.start_at, microsecond) / 1000000.0) >= least(timestamp_diff(one.end_at, one.start_at, microsecond) / 1000000.0, timestamp_diff(other.end_at, other.start_at, microsecond) / 1000000.0)
  ) worse
),
fragments as (
  select records.*
  from records
  left join repetitions on repetitions.user_id = records.user_id and repetitions.id = records.id
  where repetitions.id is null
),
grouped as (
  select *, sum(begins_session) over (partition by user_id, provider, source_type, is_nap order by start_at, end_at, id) as session
  from (
    select
      *,
      case when start_at <= timestamp_add(max(end_at) over (
          partition by user_id, provider, source_type, is_nap order by start_at, end_at, id rows between unbounded preceding and 1 preceding
        ), interval 3600 second) then 0 else 1 end as begins_session
    from fragments
  ) compared
),
summed as (
  select
    user_id, provider, source_type, is_nap, provider || '/' || source_type as source,
    min(start_at) as start_at, max(end_at) as end_at,
    coalesce(any_value(own_offset_s having max if(own_offset_s is not null, coalesce(timestamp_diff(timestamp '9999-12-31T23:59:59Z', start_at, microsecond) / 1000000.0, 1), 0)), any_value(zone_offset_s having max if(zone_offset_s is not null, coalesce(timestamp_diff(timestamp '9999-12-31T23:59:59Z', start_at, microsecond) / 1000000.0, 1), 0))) as offset_s,
    count(own_offset_s) as own_offsets,
    any_value(calendar_date having max if(calendar_date is not null, coalesce(timestamp_diff(timestamp '9999-12-31T23:59:59Z', start_at, microsecond) / 1000000.0, 1), 0)) as calendar_date,
    min(id) as first_id, array_agg(id) as ids,
    min(is_short) as is_short,
    case when max(is_long) = 1 or sum(asleep_s) >= 10800 then 1 else 0 end as is_long,
    max(is_tentative) as is_tentative,
    cast(sum(asleep_s) as int64) as asleep_s,
    case when count(total_s) = count(*) then cast(sum(total_s) as int64) end as total_s
  from grouped
  group by user_id, provider, source_type, is_nap, session
),
sessions as (
  select
    *,
    coalesce(date(timestamp_add(timestamp_add(start_at, interval div(timestamp_diff(end_at, start_at, microsecond), 2) microsecond), interval (offset_s + 21600) second)), calendar_date) as night_date,
    extract(hour from datetime(safe.timestamp_add(timestamp_add(start_at, interval div(timestamp_diff(end_at, start_at, microsecond), 2) microsecond), interval offset_s second))) as local_hour
  from summed
),
stretched as (
  select
    *, sum(begins) over (partition by user_id order by start_at, end_at, first_id) as stretch
  from (
    select
      *,
      case when is_nap = 0 and asleep_s >= 10800 and start_at is not null and night_date is not null then row_number() over (
        partition by user_id, source, night_date
        order by case when is_nap = 0 and asleep_s >= 10800 and start_at is not null and night_date is not null then 0 else 1 end, is_tentative, asleep_s desc, start_at, first_id
      ) end as night_place,
      max(case when is_nap = 0 then is_long end) over (partition by user_id, source, night_date) as beside_long,
      case when start_at < max(end_at) over (
        partition by user_id order by start_at, end_at, first_id rows between unbounded preceding and 1 preceding
      ) then 0 else 1 end as begins
    from sessions
  ) begun
),
compared as (
  select
    user_id, provider, source_type, source, first_id, ids, start_at, end_at, offset_s, own_offsets, night_date, local_hour, stretch,
    is_nap, is_short, is_long, beside_long, is_tentative, asleep_s, total_s,
    case when is_nap = 0 then ((select other from unnest(one.longer) as other with offset as list_offset where other.night_place = 1 and other.source <> one.source and other.start_at < one.end_at and other.end_at > one.start_at order by list_offset limit 1)).night_date end as same_night
  from (
    select *, array_agg(struct(source as source, start_at as start_at, end_at as end_at, night_date as night_date, night_place as night_place)) over (partition by user_id, stretch order by asleep_s desc, start_at, first_id rows between unbounded preceding and current row) as longer
    from stretched
  ) one
),
kinds as (
  select
    user_id, provider, source_type, source, first_id, ids, start_at, end_at, offset_s, own_offsets, stretch, is_tentative, asleep_s,
    total_s, coalesce(same_night, night_date) as night_date,
    case
      when is_nap = 1 then 1
      when same_night is not null then 0
      when local_hour is null then is_short * (1 - is_long) * coalesce(beside_long, 0)
      when asleep_s < 10800 and local_hour between 9 and 20 then 1
      when asleep_s < 3600 and local_hour >= 8 then 1
      else 0
    end as is_nap
  from compared
  where coalesce(same_night, night_date) is not null
),
sleeps as (
  select
    *,
    case when is_nap = 0 and row_number() over (
      partition by user_id, source, night_date, is_nap
      order by is_tentative, asleep_s desc, case when start_at is null then 1 else 0 end, start_at, first_id
    ) = 1 then 1 else 0 end as is_main,
    count(*) over (partition by user_id, source, night_date, is_nap) as of_kind,
    sum(asleep_s) over (partition by user_id, source, night_date, is_nap) as of_kind_asleep_s
  from kinds
),
measured as (
  select
    *, case when provider = 'manual' then 17 else case source_type when 'lab' then 1 when 'chest_strap' then 2 when 'cuff' then 3 when 'scale' then 4 when 'ring' then 5 when 'watch' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end as source_rank,
    count(case when is_main = 1 then 1 end) over (
    partition by user_id, source order by unix_date(night_date) range between 14 preceding and 1 preceding
  ) as days_before,
    max(case when is_main = 1 and source_type <> 'phone' and provider <> 'manual' and asleep_s <= 50400 then asleep_s end) over (partition by user_id, night_date) as longest_s
  from sleeps
),
ranked as (
  select
    *,
    sum(is_main) over (partition by user_id, night_date) as main_sleeps,
    sum(is_partial) over (partition by user_id, night_date) as partial_sleeps,
    row_number() over (partition by user_id, night_date, is_main order by is_partial, source_rank, days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type, first_id) as nth,
    to_json(array_agg(struct(provider as provider, source_type as source_type, total_s as total_s, is_partial = 1 as is_partial)) over (partition by user_id, night_date, is_main order by is_partial, source_rank, days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type, first_id rows between 1 following and unbounded following)) as other_sources,
    array_agg(struct(source as source, start_at as start_at, end_at as end_at)) over (partition by user_id, is_nap, stretch order by source_rank, days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type, start_at, first_id rows between unbounded preceding and current row) as better
  from (
    select *, case when is_main = 1 and asleep_s < 0.5 * longest_s then 1 else 0 end as is_partial
    from measured
  ) compared_sleeps
),
chosen as (
  select *, case when is_chosen = 1 then ids else [cast(null as string)] end as fragment_ids
  from (
    select
      *, case when is_main = 1 and nth = 1 then 1 else 0 end as is_chosen,
      case when is_nap = 0 or (select other from unnest(one.better) as other with offset as list_offset where other.source <> one.source and other.start_at < one.end_at and other.end_at > one.start_at and 2 * (timestamp_diff(least(one.end_at, other.end_at), greatest(one.start_at, other.start_at), microsecond) / 1000000.0) >= least(timestamp_diff(one.end_at, one.start_at, microsecond) / 1000000.0, timestamp_diff(other.end_at, other.start_at, microsecond) / 1000000.0) order by list_offset limit 1) is not null then 0 else 1 end as is_counted
    from ranked one
  ) marked
  where is_chosen = 1 or is_counted = 1
),
repeated as (
select t.user_id, t.night_date, t.provider, t.source_type, t.source, t.start_at, t.end_at, t.offset_s, t.own_offsets, t.asleep_s, t.of_kind, t.of_kind_asleep_s, t.main_sleeps, t.partial_sleeps, t.is_chosen, t.is_counted, t.other_sources, list_offset + 1 as ordinal, element
  from chosen as t, unnest(t.fragment_ids) as element with offset as list_offset
),
record_values as (
  select
    user_id as record_user_id, id as record_id, bedtime_start, bedtime_stop, state,
    coalesce(case when duration_s between 60 and 86400 then duration_s end, cast(floor(case when bedtime_stop > bedtime_start then timestamp_diff(bedtime_stop, bedtime_start, microsecond) / 1000000.0 end) as int64)) as sent_duration_s,
    coalesce(case when total_s between 60 and 86400 then total_s end, cast(floor(case when bedtime_stop > bedtime_start then timestamp_diff(bedtime_stop, bedtime_start, microsecond) / 1000000.0 end) as int64), case when duration_s between 60 and 86400 then duration_s end, 0) as weight_s,
    case when total_s between 60 and 86400 then total_s end as total_s,
    case when awake_s between 0 and 86400 then awake_s end as awake_s,
    case when light_s between 0 and 86400 then light_s end as light_s,
    case when rem_s between 0 and 86400 then rem_s end as rem_s,
    case when deep_s between 0 and 86400 then deep_s end as deep_s,
    case when hr_average_bpm between 20 and 300 then hr_average_bpm end as hr_average_bpm,
    case when hr_resting_bpm between 20 and 300 then hr_resting_bpm end as hr_resting_bpm,
    case when average_hrv_ms between 1 and 500 then average_hrv_ms end as average_hrv_ms,
    case when respiratory_rate_per_min between 2 and 100 then respiratory_rate_per_min end as respiratory_rate_per_min,
    case when temperature_delta_c between -15 and 15 then temperature_delta_c end as temperature_delta_c,
    case when skin_temperature_c between 10 and 45 then skin_temperature_c end as skin_temperature_c,
    case when hr_dip_pct between -50 and 100 then hr_dip_pct end as hr_dip_pct,
    case when score between 1 and 100 then score end as score,
    case when recovery_readiness_score between 1 and 100 then recovery_readiness_score end as recovery_readiness_score,
    case when case when efficiency > 1 then efficiency / 100 else efficiency end between 0.01 and 1 then case when efficiency > 1 then efficiency / 100 else efficiency end end as efficiency,
    case when hr_lowest_bpm between 20 and 300 then hr_lowest_bpm end as hr_lowest_bpm,
    case when latency_s between 0 and 86400 then latency_s end as latency_s
  from `my-project.health.sleep`
),
nights as (
  select
    repeated.user_id, night_date,
    max(case when is_chosen = 1 then provider end) as provider,
    max(case when is_chosen = 1 then source_type end) as source_type,
    max(case when is_chosen = 1 then source end) as source,
    max(case when is_chosen = 1 then start_at end) as start_at,
    max(case when is_chosen = 1 then end_at end) as end_at,
    max(case when is_chosen = 1 then offset_s end) as offset_s,
    max(case when is_chosen = 1 then own_offsets end) as own_offsets,
    max(case when is_chosen = 1 then asleep_s end) as asleep_s,
    max(case when is_chosen = 1 then of_kind end) as of_kind,
    max(case when is_chosen = 1 then of_kind_asleep_s end) as of_kind_asleep_s,
    max(case when is_chosen = 1 then main_sleeps end) as main_sleeps,
    max(case when is_chosen = 1 then partial_sleeps end) as partial_sleeps,
    any_value(if(is_chosen = 1, other_sources, null) having max if(is_chosen = 1 and other_sources is not null, is_chosen, 0)) as other_sources,
    cast(sum(is_counted) as int64) as naps,
    cast(sum(case when is_counted = 1 then asleep_s else 0 end) as int64) as nap_total_s,
    string_agg(distinct case when is_counted = 1 then source end, ', ' order by case when is_counted = 1 then source end) as nap_sources,
    count(record_id) as fragments,
    to_json(array_agg(record_id ignore nulls order by bedtime_start, bedtime_stop, record_id)) as ids,
    max(sent_duration_s) as sent_duration_s,
    case when max(case when state = 'tentative' then 1 end) = 1 then 'tentative' else min(state) end as state,
    case when count(total_s) = count(record_id) then cast(sum(total_s) as int64) end as total_s,
    case when count(awake_s) = count(record_id) then cast(sum(awake_s) as int64) end as awake_s,
    case when count(light_s) = count(record_id) then cast(sum(light_s) as int64) end as light_s,
    case when count(rem_s) = count(record_id) then cast(sum(rem_s) as int64) end as rem_s,
    case when count(deep_s) = count(record_id) then cast(sum(deep_s) as int64) end as deep_s,
    any_value(latency_s having max if(latency_s is not null, coalesce(timestamp_diff(timestamp '9999-12-31T23:59:59Z', bedtime_start, microsecond) / 1000000.0, 1), 0)) as latency_s,
    min(hr_lowest_bpm) as hr_lowest_bpm,
    case when count(hr_average_bpm) = 1 then avg(hr_average_bpm) else coalesce(sum(hr_average_bpm * weight_s) / nullif(sum(case when hr_average_bpm is not null then weight_s end), 0), avg(hr_average_bpm)) end as hr_average_bpm,
    case when count(hr_resting_bpm) = 1 then avg(hr_resting_bpm) else coalesce(sum(hr_resting_bpm * weight_s) / nullif(sum(case when hr_resting_bpm is not null then weight_s end), 0), avg(hr_resting_bpm)) end as hr_resting_bpm,
    case when count(average_hrv_ms) = 1 then avg(average_hrv_ms) else coalesce(sum(average_hrv_ms * weight_s) / nullif(sum(case when average_hrv_ms is not null then weight_s end), 0), avg(average_hrv_ms)) end as hrv_ms,
    case when count(respiratory_rate_per_min) = 1 then avg(respiratory_rate_per_min) else coalesce(sum(respiratory_rate_per_min * weight_s) / nullif(sum(case when respiratory_rate_per_min is not null then weight_s end), 0), avg(respiratory_rate_per_min)) end as respiratory_rate_per_min,
    case when count(temperature_delta_c) = 1 then avg(temperature_delta_c) else coalesce(sum(temperature_delta_c * weight_s) / nullif(sum(case when temperature_delta_c is not null then weight_s end), 0), avg(temperature_delta_c)) end as temperature_delta_c,
    case when count(skin_temperature_c) = 1 then avg(skin_temperature_c) else coalesce(sum(skin_temperature_c * weight_s) / nullif(sum(case when skin_temperature_c is not null then weight_s end), 0), avg(skin_temperature_c)) end as skin_temperature_c,
    case when count(hr_dip_pct) = 1 then avg(hr_dip_pct) else coalesce(sum(hr_dip_pct * weight_s) / nullif(sum(case when hr_dip_pct is not null then weight_s end), 0), avg(hr_dip_pct)) end as hr_dip_pct,
    any_value(score having max if(score is not null, 1 + weight_s * 1000000000000 + cast(floor(coalesce(timestamp_diff(timestamp '9999-12-31T23:59:59Z', bedtime_start, microsecond) / 1000000.0, 1)) as int64), 0)) as score,
    any_value(recovery_readiness_score having max if(recovery_readiness_score is not null, 1 + weight_s * 1000000000000 + cast(floor(coalesce(timestamp_diff(timestamp '9999-12-31T23:59:59Z', bedtime_start, microsecond) / 1000000.0, 1)) as int64), 0)) as recovery_readiness_score,
    case when count(efficiency) = 1 then avg(efficiency) else coalesce(sum(efficiency * weight_s) / nullif(sum(case when efficiency is not null then weight_s end), 0), avg(efficiency)) end as sent_efficiency
  from repeated
  left join record_values on record_values.record_user_id = repeated.user_id and record_values.record_id = repeated.element
  group by repeated.user_id, night_date
)
select
  user_id,
  night_date,
  start_at,
  end_at,
  datetime(safe.timestamp_add(start_at, interval offset_s second)) as local_start_at,
  datetime(safe.timestamp_add(end_at, interval offset_s second)) as local_end_at,
  case
    when source is null then null
    when start_at is null or offset_s is null then 'calendar_date' when own_offsets > 0 then 'offset' else 'zone'
  end as local_basis,
  coalesce(cast(floor(timestamp_diff(end_at, start_at, microsecond) / 1000000.0) as int64), sent_duration_s) as duration_s,
  total_s,
  awake_s,
  light_s,
  rem_s,
  deep_s,
  latency_s,
  case when coalesce(sent_efficiency, total_s / nullif(coalesce(cast(floor(timestamp_diff(end_at, start_at, microsecond) / 1000000.0) as int64), sent_duration_s), 0)) between 0 and 1 then coalesce(sent_efficiency, total_s / nullif(coalesce(cast(floor(timestamp_diff(end_at, start_at, microsecond) / 1000000.0) as int64), sent_duration_s), 0)) end as efficiency,
  hr_lowest_bpm,
  hr_average_bpm,
  hr_resting_bpm,
  hrv_ms,
  respiratory_rate_per_min,
  temperature_delta_c,
  skin_temperature_c,
  hr_dip_pct,
  score,
  recovery_readiness_score,
  state,
  provider,
  source_type,
  source,
  case when source is not null then fragments end as fragments,
  case when source is not null then ids end as ids,
  naps,
  nap_total_s,
  nap_sources,
  coalesce(of_kind - 1, 0) as other_sleeps,
  cast(coalesce(of_kind_asleep_s - asleep_s, 0) as int64) as other_sleeps_total_s,
  cast(coalesce(main_sleeps - 1, 0) as int64) as others,
  cast(coalesce(partial_sleeps, 0) as int64) as partial_others,
  case when main_sleeps > 1 then other_sources else json '[]' end as other_sources
from nights;

CREATE OR REPLACE VIEW `my-project.health.workouts_duplicates` (
  user_id OPTIONS (description = 'User.'),
  id OPTIONS (description = 'Id of the workout that is a duplicate.'),
  provider OPTIONS (description = 'Provider of the duplicate.'),
  source_type OPTIONS (description = 'Source type of the duplicate.'),
  source OPTIONS (description = 'Source of the duplicate, as `provider/source_type`.'),
  kept_id OPTIONS (description = 'Id of the workout that workouts_deduplicated has instead.'),
  kept_provider OPTIONS (description = 'Provider of that workout.'),
  kept_source_type OPTIONS (description = 'Source type of that workout.'),
  kept_source OPTIONS (description = 'Source of that workout, as `provider/source_type`.'),
  reason OPTIONS (description = '`other_source`: another source recorded the same workout. `repeated`: the same source recorded it again. `leg`: a multisport workout contains the record. `contained`: another record of the same source contains it.'),
  overlap_share OPTIONS (description = 'Overlap of the two as a share of the longer one, up to 1. It is at least 0.5, except for legs and contained records.'),
  source_place OPTIONS (description = 'For legs and contained records: rank of the source, from 1, among the sources with such records of the workout. NULL if another of these records contains or repeats this one.')
)
OPTIONS (description = 'One workout record that duplicates, or is part of, another record of the same user.', labels = [('aorta', 'view'), ('aorta_text', 'efb45ae4065f7688')]) AS
with recursive recorded as (
  select
    user_id, id, provider, source_type, time_start, time_end,
    case when timestamp_diff(time_end, time_start, microsecond) / 1000000.0 between 0 and 600000 then timestamp_diff(time_end, time_start, microsecond) / 1000000.0 end as lasts_s,
    coalesce(w.calendar_date, date(timestamp_add(w.time_start, interval coalesce(w.timezone_offset_s, 0) second))) as day,
    case when sport_slug in ('running', 'run', 'trail_running', 'treadmill_running', 'indoor_running', 'track_running', 'virtual_running', 'jogging') then 'running' when sport_slug in ('walking', 'walk', 'hiking', 'hike', 'treadmill_walking', 'indoor_walking', 'speed_walking', 'nordic_walking', 'rucking') then 'walking' when sport_slug in ('cycling', 'biking', 'ride', 'road_biking', 'mountain_biking', 'gravel_cycling', 'indoor_cycling', 'spinning', 'e_biking', 'virtual_ride', 'stationary_biking', 'hand_cycling', 'bmx', 'cyclocross') then 'cycling' when sport_slug in ('swimming', 'swim', 'lap_swimming', 'pool_swimming', 'open_water_swimming') then 'swimming' when sport_slug in ('strength_training', 'weightlifting', 'weight_training', 'functional_strength_training', 'functional_fitness', 'traditional_strength_training', 'powerlifting', 'bodybuilding', 'core_training', 'crossfit', 'cross_training', 'circuit_training', 'calisthenics', 'hiit', 'high_intensity_interval_training', 'bootcamp') then 'strength' when sport_slug in ('yoga', 'pilates', 'stretching', 'flexibility', 'meditation', 'tai_chi', 'breathwork', 'barre') then 'mind_and_body' when sport_slug in ('rowing', 'indoor_rowing', 'rowing_machine', 'kayaking', 'canoeing', 'paddling', 'stand_up_paddling') then 'rowing' when sport_slug in ('elliptical', 'stair_climbing', 'stair_stepper', 'stairmaster', 'stairs') then 'machine' when sport_slug in ('skiing', 'alpine_skiing', 'downhill_skiing', 'backcountry_skiing', 'snowboarding', 'cross_country_skiing', 'nordic_skiing', 'snowshoeing') then 'snow' when sport_slug in ('tennis', 'badminton', 'squash', 'table_tennis', 'racquetball', 'padel', 'pickleball') then 'racket' when sport_slug in ('soccer', 'football', 'american_football', 'basketball', 'volleyball', 'handball', 'rugby', 'baseball', 'softball', 'cricket') then 'ball' when sport_slug in ('hockey', 'ice_hockey', 'field_hockey', 'ice_skating', 'inline_skating', 'skating') then 'hockey_and_skating' when sport_slug in ('martial_arts', 'boxing', 'kickboxing', 'judo', 'karate', 'jiu_jitsu', 'wrestling', 'fencing') then 'martial_arts' when sport_slug in ('climbing', 'rock_climbing', 'bouldering', 'indoor_climbing') then 'climbing' when sport_slug in ('dance', 'dancing', 'zumba', 'aerobics') then 'dance' when sport_slug in ('golf') then 'golf' when sport_slug in ('triathlon', 'duathlon', 'multisport', 'multi_sport', 'swimrun') then 'multisport' end as family,
    case when provider = 'manual' then 17 else case source_type when 'chest_strap' then 1 when 'exercise_machine' then 2 when 'watch' then 3 when 'lab' then 4 when 'cuff' then 5 when 'scale' then 6 when 'ring' then 7 when 'earphone' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end as source_rank,
    case when case when average_hr_bpm between 20 and 300 then average_hr_bpm end is not null then 1 else 0 end
    + case when case when max_hr_bpm between 20 and 300 then max_hr_bpm end is not null then 1 else 0 end
    + case when array_length(hr_zones_s) > 0 then 1 else 0 end
    + case when case when distance_m between 0 and 2000000 then distance_m end is not null then 1 else 0 end
    + case when case when calories_kcal between 0 and 50000 then calories_kcal end is not null then 1 else 0 end
    + case when case when moving_time_s between 0 and 600000 then moving_time_s end is not null then 1 else 0 end
    + case when case when total_elevation_gain_m between 0 and 50000 then total_elevation_gain_m end is not null then 1 else 0 end
    + case when case when elev_high_m between -450 and 9000 then elev_high_m end is not null then 1 else 0 end
    + case when case when elev_low_m between -450 and 9000 then elev_low_m end is not null then 1 else 0 end
    + case when case when average_speed_m_s between 0 and 80 then average_speed_m_s end is not null then 1 else 0 end
    + case when case when max_speed_m_s between 0 and 80 then max_speed_m_s end is not null then 1 else 0 end
    + case when case when average_watts between 0 and 3000 then average_watts end is not null then 1 else 0 end
    + case when case when device_watts between 0 and 3000 then device_watts end is not null then 1 else 0 end
    + case when case when max_watts between 0 and 3000 then max_watts end is not null then 1 else 0 end
    + case when case when weighted_average_watts between 0 and 3000 then weighted_average_watts end is not null then 1 else 0 end
    + case when case when steps between 0 and 500000 then steps end is not null then 1 else 0 end as measures
  from `my-project.health.workouts` w
),
workout_days as (
  select user_id, provider, source_type, day, count(*) over (
    partition by user_id, provider, source_type order by unix_date(day) range between 14 preceding and 1 preceding
  ) as days_before
  from (select distinct user_id, provider, source_type, day from recorded where day is not null) days
),
lasting as (
  select *, lasts_s + case when is_multisport then 600 else 0 end as size_s
  from (select *, coalesce(family = 'multisport', false) as is_multisport from recorded where lasts_s > 0) possible
),
days as (
  select t.user_id, t.id, t.provider, t.source_type, t.time_start, t.time_end, t.lasts_s, t.family, t.is_multisport, t.size_s, ordinal
  from lasting as t, unnest(generate_array(1, 2 + cast(floor(lasts_s / 86400) as int64))) as ordinal
),
-- Two records that overlap have one of these days in common.
near as (
  select *, date(timestamp_add(time_start, interval (ordinal - 1) * 86400 second)) as near_day, date(time_start) as first_day
  from days
),
overlapping as (
  select
    one.user_id, one.id, other.id as other_id, one.size_s, one.is_multisport, other.is_multisport as other_multisport,
    one.provider = other.provider and one.source_type = other.source_type as same_source,
    coalesce(one.family = other.family, true) as may_match,
    one.time_start as one_start, other.time_start as other_start,
    timestamp_diff(least(one.time_end, other.time_end), greatest(one.time_start, other.time_start), microsecond) / 1000000.0 as shared_s,
    greatest(one.lasts_s, other.lasts_s) as longer_s,
    other.lasts_s as other_s,
    timestamp_diff(other.time_start, one.time_start, microsecond) / 1000000.0 as later_start_s,
    timestamp_diff(other.time_end, one.time_end, microsecond) / 1000000.0 as later_end_s
  from near one
  join near other
    on other.user_id = one.user_id and other.near_day = one.near_day
  -- Each pair is found on its first common day only.
  where one.near_day = greatest(one.first_day, other.first_day)
    and case when other.size_s = one.size_s then other.id > one.id else other.size_s < one.size_s end
    and other.time_start < one.time_end and one.time_start < other.time_end
),
compared as (
  select
    *,
    may_match and 2 * shared_s >= longer_s as is_same,
    abs(later_start_s) <= 300 and abs(later_end_s) <= 300 as is_together,
    later_start_s >= -300 and later_end_s <= 300 and 2 * shared_s >= other_s as is_inside
  from overlapping
),
pairs as (
  select user_id, id, other_id, one_start, other_start, size_s, same_source, reason
  from (
    select
      *,
      case
        when is_inside and is_multisport and not (is_same and (is_together or (other_multisport and not same_source)))
          then case when other_multisport and same_source then 'contained' else 'leg' end
        when is_inside and may_match and same_source and not (is_same and is_together) then 'contained'
        when is_same then case when same_source then 'repeated' else 'other_source' end
      end as reason
    from compared
  ) explained
  where reason is not null
),
containers as (
  select user_id, other_id as id, id as container_id, reason
  from (
    select *, row_number() over (partition by user_id, other_id order by size_s desc, id) as nth
    from pairs
    where reason in ('leg', 'contained')
  ) containing
  where nth = 1
),
roots as (
  select user_id, id, container_id as root_id
  from containers
  union all
  select roots.user_id, roots.id, containers.container_id as root_id
  from roots
  join containers on containers.user_id = roots.user_id and containers.id = roots.root_id
),
nested as (
  select distinct pairs.user_id, pairs.other_id as id
  from pairs
  join containers on containers.user_id = pairs.user_id and containers.id = pairs.id
  where pairs.reason in ('leg', 'contained') and pairs.same_source
),
parts as (
  select containers.user_id, containers.id, containers.reason, roots.root_id, nested.id is not null as is_nested
  from containers
  join roots on roots.user_id = containers.user_id and roots.id = containers.id
  left join containers above on above.user_id = roots.user_id and above.id = roots.root_id
  left join nested on nested.user_id = containers.user_id and nested.id = containers.id
  where above.id is null
),
conflicts as (
  select pairs.user_id, pairs.id, pairs.other_id, pairs.one_start, pairs.other_start, pairs.reason
  from pairs
  left join parts one on one.user_id = pairs.user_id and one.id = pairs.id
  left join parts other on other.user_id = pairs.user_id and other.id = pairs.other_id
  where pairs.reason not in ('leg', 'contained')
    and (one.id is null) = (other.id is null)
    and (one.id is null or pairs.same_source)
    and not coalesce(one.is_nested or other.is_nested, false)
),
both_ways as (
  select user_id, id, other_id, other_start, reason from conflicts
  union all
  select user_id, other_id as id, id as other_id, one_start as other_start, reason from conflicts
),
reaching as (
  select user_id, id, max(other_start) as reach from both_ways group by user_id, id
),
-- A cluster ends where no conflict has one record before and one after, in the order of their start.
bounded as (
  select
    records.*,
    case when time_start <= max(reach) over (
      partition by records.user_id order by time_start, time_end, records.id rows between unbounded preceding and 1 preceding
    ) then 0 else 1 end as begins
  from lasting records
  join reaching on reaching.user_id = records.user_id and reaching.id = records.id
),
clustered as (
  select *, sum(begins) over (partition by user_id order by time_start, time_end, id) as cluster from bounded
),
placed as (
  select
    user_id, id, cast(cluster as string) || ' ' || user_id as cluster_key,
    row_number() over (partition by user_id, cluster order by measures desc, source_rank, days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type, lasts_s desc, time_start, id) as place
  from (
    select r.*, workout_days.days_before
    from clustered r
    join workout_days
      on workout_days.user_id = r.user_id and workout_days.provider = r.provider
      and workout_days.source_type = r.source_type and workout_days.day = r.day
  ) used
),
-- The joins of two records with each other use the cluster, because a join by user alone would compare all pairs.
earlier as (
  select
    one.user_id, one.id, one.cluster_key, one.place, other.id as other_id, other.place as other_place, both_ways.reason
  from both_ways
  join placed one on one.user_id = both_ways.user_id and one.id = both_ways.id
  join placed other on other.cluster_key = one.cluster_key and other.id = both_ways.other_id
  where other.place < one.place
),
contested as (
  select placed.cluster_key, placed.place, first_rival, ',(' || rivals || '),' as rivals
  from placed
  left join (
    select cluster_key, place, min(other_place) as first_rival, string_agg(cast(other_place as string), '|') as rivals
    from earlier
    group by cluster_key, place
  ) named on named.cluster_key = placed.cluster_key and named.place = placed.place
),
folded as (
  select cluster_key, cast(1 as int64) as place, '' as kept_before, ',1,' as kept
  from contested
  where place = 1
  union all
  select
    next_one.cluster_key, next_one.place, folded.kept as kept_before,
    case
      when next_one.first_rival is null then folded.kept || cast(next_one.place as string) || ','
      -- The first record of a cluster is always kept, so most records need no regular expression, which is slow.
      when next_one.first_rival = 1 then folded.kept
      when regexp_contains(folded.kept, next_one.rivals) then folded.kept
      else folded.kept || cast(next_one.place as string) || ','
    end as kept
  from folded
  join contested next_one on next_one.cluster_key = folded.cluster_key and next_one.place = folded.place + 1
),
losers as (
  select user_id, id, kept_id, reason
  from (
    select
      earlier.user_id, earlier.id, earlier.other_id as kept_id, earlier.reason,
      row_number() over (partition by earlier.cluster_key, earlier.place order by earlier.other_place) as nth
    from earlier
    join folded loser
      on loser.cluster_key = earlier.cluster_key and loser.place = earlier.place and loser.kept = loser.kept_before
    join folded kept
      on kept.cluster_key = earlier.cluster_key and kept.place = earlier.other_place and kept.kept <> kept.kept_before
  ) found
  where nth = 1
),
duplicates as (
  select
    one.*, parts.reason, coalesce(losers.kept_id, parts.root_id) as kept_id,
    not parts.is_nested and repeated.id is null as adds_up
  from parts
  join lasting one on one.user_id = parts.user_id and one.id = parts.id
  left join losers on losers.user_id = parts.user_id and losers.id = parts.root_id
  left join losers repeated on repeated.user_id = parts.user_id and repeated.id = parts.id
  union all
  select one.*, losers.reason, losers.kept_id, false as adds_up
  from losers
  join lasting one on one.user_id = losers.user_id and one.id = losers.id
  left join parts on parts.user_id = losers.user_id and parts.id = losers.id
  where parts.id is null
),
summed as (
  select
    user_id, id,
    dense_rank() over (
      partition by user_id, kept_id order by source_rank, workout_days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type
    ) as source_place
  from (
    select *, max(days_before) over (partition by user_id, kept_id, provider, source_type) as workout_days_before
    from (
    select r.*, workout_days.days_before
    from (select * from duplicates where adds_up) r
    join workout_days
      on workout_days.user_id = r.user_id and workout_days.provider = r.provider
      and workout_days.source_type = r.source_type and workout_days.day = r.day
  ) used
  ) adding
)
select
  one.user_id, one.id, one.provider, one.source_type, one.provider || '/' || one.source_type as source,
  kept.id as kept_id, kept.provider as kept_provider, kept.source_type as kept_source_type,
  kept.provider || '/' || kept.source_type as kept_source,
  one.reason,
  greatest(0, timestamp_diff(least(one.time_end, kept.time_end), greatest(one.time_start, kept.time_start), microsecond) / 1000000.0) / greatest(one.lasts_s, kept.lasts_s) as overlap_share,
  summed.source_place
from duplicates one
join lasting kept on kept.user_id = one.user_id and kept.id = one.kept_id
left join summed on summed.user_id = one.user_id and summed.id = one.id;

CREATE OR REPLACE VIEW `my-project.health.workouts_deduplicated` (
  event_type OPTIONS (description = 'Event type.'),
  team_id OPTIONS (description = 'Team of the user.'),
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  client_user_id OPTIONS (description = 'The customer\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider, from `provider` or, in the old form, from `slug`; `unknown` if both are missing.'),
  source_type OPTIONS (description = 'Kind of device or origin; `unknown` if missing.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  source_app_id OPTIONS (description = 'Bundle or package id of the app.'),
  source_device_id OPTIONS (description = 'Id of the service\'s device record.'),
  source_sport OPTIONS (description = 'Sport, for workout timeseries.'),
  source_workout_id OPTIONS (description = 'Id of the workout, for workout timeseries.'),
  source_name OPTIONS (description = 'Display name of the provider, in the old form.'),
  source_logo OPTIONS (description = 'URL of an icon, in the old form.'),
  id OPTIONS (description = 'Id of the summary. The newest version of an id replaces the others.'),
  data_user_id OPTIONS (description = 'User id in the data object, if the service repeats it there.'),
  title OPTIONS (description = 'Title of the workout.'),
  timezone_offset_s OPTIONS (description = 'Offset of local time from UTC, positive to the east. (s)'),
  local_date OPTIONS (description = 'Local date of the workout: `calendar_date` as sent, otherwise the date of its start in its own offset, or in UTC without one.'),
  time_start OPTIONS (description = 'Start of the workout.'),
  time_end OPTIONS (description = 'End of the workout.'),
  sport_id OPTIONS (description = 'Id of the sport, which differs between environments of the service. Deprecated by the service; use sport_slug.'),
  sport_name OPTIONS (description = 'Display name of the sport.'),
  sport_slug OPTIONS (description = 'Slug of the sport.'),
  average_hr_bpm OPTIONS (description = 'Average heart rate. (bpm)'),
  max_hr_bpm OPTIONS (description = 'Highest heart rate. (bpm)'),
  hr_zones_s OPTIONS (description = 'Time in each of six heart rate zones, from below 50 % to above 90 % of the maximum heart rate, in steps of 10 points. `workouts_hr_zones` has a row for each. (s)'),
  distance_m OPTIONS (description = 'Distance. If the record lacks it, the sum over the legs or contained records of one source. (m)'),
  calories_kcal OPTIONS (description = 'Energy spent. If the record lacks it, the sum over the legs or contained records of one source. (kcal)'),
  moving_time_s OPTIONS (description = 'Moving time. If the record lacks it, the sum over the legs or contained records of one source. (s)'),
  total_elevation_gain_m OPTIONS (description = 'Elevation gain. If the record lacks it, the sum over the legs or contained records of one source. (m)'),
  elev_high_m OPTIONS (description = 'Highest altitude. (m)'),
  elev_low_m OPTIONS (description = 'Lowest altitude. (m)'),
  average_speed_m_s OPTIONS (description = 'Average speed. (m/s)'),
  max_speed_m_s OPTIONS (description = 'Highest speed. (m/s)'),
  average_watts OPTIONS (description = 'Average power. (W)'),
  device_watts OPTIONS (description = 'Power measured by the device. (W)'),
  max_watts OPTIONS (description = 'Highest power. (W)'),
  weighted_average_watts OPTIONS (description = 'Weighted average power. (W)'),
  steps OPTIONS (description = 'Number of steps. If the record lacks it, the sum over the legs or contained records of one source. (count)'),
  map_polyline OPTIONS (description = 'Route, as an encoded polyline.'),
  map_summary_polyline OPTIONS (description = 'Route, as an encoded polyline of lower resolution.'),
  provider_id OPTIONS (description = 'Id of the workout at the provider.'),
  created_at OPTIONS (description = 'When the service first stored the summary.'),
  updated_at OPTIONS (description = 'When the service last changed the summary. It decides which version of the row is the newest.'),
  extra OPTIONS (description = 'Unknown members of the event, and members whose value does not fit the type of their column. A JSON object with the values as sent, by path.'),
  _version_time OPTIONS (description = '`updated_at`. If it is missing: 1970-01-01T00:00:00Z for a `.created` event, `_received_at` for any other event.'),
  _received_at OPTIONS (description = 'When the broker received the delivery.'),
  _origin OPTIONS (description = 'Hash of the source and the partition.'),
  _offset OPTIONS (description = 'Offset in the partition.'),
  _reader OPTIONS (description = 'Revision of the reader.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.'),
  also_recorded OPTIONS (description = 'List of the other records of the workout, each with id, provider, source_type, reason and overlap_share, as in workouts_duplicates.'),
  sources OPTIONS (description = 'Number of records of the workout, including this one. (count)'),
  summed_columns OPTIONS (description = 'Names of the columns whose value is a sum of legs or contained records, separated by commas; NULL if there are none.')
)
OPTIONS (description = 'One workout of a user, however many records it has.', labels = [('aorta', 'view'), ('aorta_text', '1b151cd8686d4e8f')]) AS
with duplicates as (
  select user_id, id, kept_id, provider, source_type, reason, overlap_share, source_place
  from `my-project.health.workouts_duplicates`
),
-- The sums of each source that has parts of a workout.
sums_of_sources as (
  select
    d.user_id, d.kept_id, d.source_place,
    sum(case when w.distance_m between 0 and 2000000 then w.distance_m end) as distance_m,
    round(sum(case when case when w.distance_m between 0 and 2000000 then w.distance_m end is not null then d.overlap_share end), 6) >= 0.75 as distance_m_of_most,
    sum(case when w.calories_kcal between 0 and 50000 then w.calories_kcal end) as calories_kcal,
    round(sum(case when case when w.calories_kcal between 0 and 50000 then w.calories_kcal end is not null then d.overlap_share end), 6) >= 0.75 as calories_kcal_of_most,
    cast(sum(case when w.moving_time_s between 0 and 600000 then w.moving_time_s end) as int64) as moving_time_s,
    round(sum(case when case when w.moving_time_s between 0 and 600000 then w.moving_time_s end is not null then d.overlap_share end), 6) >= 0.75 as moving_time_s_of_most,
    sum(case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end) as total_elevation_gain_m,
    round(sum(case when case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end is not null then d.overlap_share end), 6) >= 0.75 as total_elevation_gain_m_of_most,
    cast(sum(case when w.steps between 0 and 500000 then w.steps end) as int64) as steps,
    round(sum(case when case when w.steps between 0 and 500000 then w.steps end is not null then d.overlap_share end), 6) >= 0.75 as steps_of_most
  from duplicates d
  join `my-project.health.workouts` w on w.user_id = d.user_id and w.id = d.id
  where d.source_place is not null
  group by d.user_id, d.kept_id, d.source_place
),
sums as (
  select
    user_id, kept_id,
    any_value(distance_m having max if(distance_m is not null, case when distance_m_of_most then 2000 else 1000 end - source_place, 0)) as distance_m,
    any_value(calories_kcal having max if(calories_kcal is not null, case when calories_kcal_of_most then 2000 else 1000 end - source_place, 0)) as calories_kcal,
    any_value(moving_time_s having max if(moving_time_s is not null, case when moving_time_s_of_most then 2000 else 1000 end - source_place, 0)) as moving_time_s,
    any_value(total_elevation_gain_m having max if(total_elevation_gain_m is not null, case when total_elevation_gain_m_of_most then 2000 else 1000 end - source_place, 0)) as total_elevation_gain_m,
    any_value(steps having max if(steps is not null, case when steps_of_most then 2000 else 1000 end - source_place, 0)) as steps
  from sums_of_sources
  group by user_id, kept_id
)
select
  w.event_type, w.team_id, w.user_id, w.client_user_id, w.provider, w.source_type, w.provider || '/' || w.source_type as source, w.source_app_id, w.source_device_id, w.source_sport, w.source_workout_id, w.source_name, w.source_logo, w.id, w.data_user_id, w.title, w.timezone_offset_s, coalesce(w.calendar_date, date(timestamp_add(w.time_start, interval coalesce(w.timezone_offset_s, 0) second))) as local_date, w.time_start, w.time_end, w.sport_id, w.sport_name, w.sport_slug, case when w.average_hr_bpm between 20 and 300 then w.average_hr_bpm end as average_hr_bpm, case when w.max_hr_bpm between 20 and 300 then w.max_hr_bpm end as max_hr_bpm, w.hr_zones_s, coalesce(case when w.distance_m between 0 and 2000000 then w.distance_m end, sums.distance_m) as distance_m, coalesce(case when w.calories_kcal between 0 and 50000 then w.calories_kcal end, sums.calories_kcal) as calories_kcal, coalesce(case when w.moving_time_s between 0 and 600000 then w.moving_time_s end, sums.moving_time_s) as moving_time_s, coalesce(case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end, sums.total_elevation_gain_m) as total_elevation_gain_m, case when w.elev_high_m between -450 and 9000 then w.elev_high_m end as elev_high_m, case when w.elev_low_m between -450 and 9000 then w.elev_low_m end as elev_low_m, case when w.average_speed_m_s between 0 and 80 then w.average_speed_m_s end as average_speed_m_s, case when w.max_speed_m_s between 0 and 80 then w.max_speed_m_s end as max_speed_m_s, case when w.average_watts between 0 and 3000 then w.average_watts end as average_watts, case when w.device_watts between 0 and 3000 then w.device_watts end as device_watts, case when w.max_watts between 0 and 3000 then w.max_watts end as max_watts, case when w.weighted_average_watts between 0 and 3000 then w.weighted_average_watts end as weighted_average_watts, coalesce(case when w.steps between 0 and 500000 then w.steps end, sums.steps) as steps, w.map_polyline, w.map_summary_polyline, w.provider_id, w.created_at, w.updated_at, w.extra, w._version_time, w._received_at, w._origin, w._offset, w._reader, w._loaded_at,
  coalesce(other_records.also_recorded, json '[]') as also_recorded,
  1 + coalesce(other_records.records, 0) as sources,
  case when sums.kept_id is not null then nullif(substr(case when case when w.distance_m between 0 and 2000000 then w.distance_m end is null and sums.distance_m is not null then ', distance_m' else '' end
    || case when case when w.calories_kcal between 0 and 50000 then w.calories_kcal end is null and sums.calories_kcal is not null then ', calories_kcal' else '' end
    || case when case when w.moving_time_s between 0 and 600000 then w.moving_time_s end is null and sums.moving_time_s is not null then ', moving_time_s' else '' end
    || case when case when w.total_elevation_gain_m between 0 and 50000 then w.total_elevation_gain_m end is null and sums.total_elevation_gain_m is not null then ', total_elevation_gain_m' else '' end
    || case when case when w.steps between 0 and 500000 then w.steps end is null and sums.steps is not null then ', steps' else '' end, 3), '') end as summed_columns
from `my-project.health.workouts` w
left join duplicates duplicate on duplicate.user_id = w.user_id and duplicate.id = w.id
left join (
  select user_id, kept_id, count(*) as records, to_json(array_agg(struct(id as id, provider as provider, source_type as source_type, reason as reason, overlap_share as overlap_share) order by provider, source_type, id)) as also_recorded
  from duplicates
  group by user_id, kept_id
) other_records on other_records.user_id = w.user_id and other_records.kept_id = w.id
left join sums on sums.user_id = w.user_id and sums.kept_id = w.id
where duplicate.id is null;

CREATE OR REPLACE VIEW `my-project.health.steps_hours` (
  user_id OPTIONS (description = 'User.'),
  local_date OPTIONS (description = 'Local date. A sample without a local date counts on its UTC date.'),
  local_hour OPTIONS (description = 'Hour of the local time in which the samples start, from 0 to 23.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  source_type OPTIONS (description = 'Kind of device or origin.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  steps OPTIONS (description = 'Number of steps. (count)'),
  day_steps OPTIONS (description = 'Steps of the whole day in `person_days`. The hours sum to it if the source sent the samples behind its total. (count)'),
  samples OPTIONS (description = 'Number of samples that count. (count)')
)
OPTIONS (description = 'The steps of a user in one local hour, from the source of `steps` in `person_days`.', labels = [('aorta', 'view'), ('aorta_text', '9423d7586f573f00')]) AS
select
  h.user_id, h.local_date, h.local_hour, h.provider, h.source_type, d.source, h.steps, cast(d.value as int64) as day_steps, h.samples
from (
  select
    s.user_id, coalesce(s.local_date, date(s.start_at)) as local_date, coalesce(s.local_hour, extract(hour from s.start_at)) as local_hour, s.provider, s.source_type,
    cast(round(sum((s.value - c.minus) * c.times / c.per)) as int64) as steps, count(*) as samples
  from `my-project.health.timeseries_local` s
  left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
  where s.resource = 'steps' and ((c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) and not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)))
  group by s.user_id, coalesce(s.local_date, date(s.start_at)), coalesce(s.local_hour, extract(hour from s.start_at)), s.provider, s.source_type
) h
join `my-project.health.metric_days` d
  on d.user_id = h.user_id and d.local_date = h.local_date and d.provider = h.provider and d.source_type = h.source_type
  and d.measure = 'steps';

CREATE OR REPLACE VIEW `my-project.health.heartrate_hours` (
  user_id OPTIONS (description = 'User.'),
  local_date OPTIONS (description = 'Local date. A sample without a local date counts on its UTC date.'),
  local_hour OPTIONS (description = 'Hour of the local time in which the samples start, from 0 to 23.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  source_type OPTIONS (description = 'Kind of device or origin.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  avg_bpm OPTIONS (description = 'Mean of the samples, weighted by how long each lasts. The mean of the hours of a day is that of `person_days`. (bpm)'),
  min_bpm OPTIONS (description = 'Lowest sample. (bpm)'),
  max_bpm OPTIONS (description = 'Highest sample. (bpm)'),
  samples OPTIONS (description = 'Number of samples that count. (count)')
)
OPTIONS (description = 'The heart rate of a user in one local hour, from the source of `heartrate` in `person_days`.', labels = [('aorta', 'view'), ('aorta_text', '680b0c8736a57611')]) AS
select
  h.user_id, h.local_date, h.local_hour, h.provider, h.source_type, d.source, h.avg_bpm, h.min_bpm, h.max_bpm, h.samples
from (
  select
    user_id, provider, source_type, date_add(date '1970-01-01', interval cast((local_period - mod(mod(local_period, 24) + 24, 24)) / 24 as int64) day) as local_date,
    cast(local_period - 24 * cast((local_period - mod(mod(local_period, 24) + 24, 24)) / 24 as int64) as int64) as local_hour,
    -- The value of a single sample stays exact.
    case when count(*) = 1 then max(canonical) else sum(canonical * lasts_us) / sum(lasts_us) end as avg_bpm,
    min(canonical) as min_bpm, max(canonical) as max_bpm, count(*) as samples
  from (
  select
    user_id, provider, source_type, cast((local_us - mod(mod(local_us, 3600000000) + 3600000000, 3600000000)) / 3600000000 as int64) as local_period, value, canonical,
    least(
      3600000000 - mod(mod(local_us, 3600000000) + 3600000000, 3600000000),
      coalesce(own_us, most_us), coalesce(next_us - start_us, own_us, most_us)
    ) as lasts_us
  from (
    select *, lead(start_us) over (partition by user_id, provider, source_type, source_key order by start_us) as next_us
    from (
      select
        concat(s.user_id, '\n', s.resource, '\n', s.provider, '\n', s.source_type, '\n', case when s.resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then s.sample_type else '' end) as source_key, s.user_id, s.provider, s.source_type, unix_micros(s.start_at) as start_us,
        unix_micros(s.start_at) + case when s.time_basis = 'floating' then 0 else coalesce(s.local_offset_s, 0) * 1000000 end as local_us,
        case when s.end_at > s.start_at then unix_micros(s.end_at) - unix_micros(s.start_at) end as own_us,
        case when s.resource = 'glucose' then 1200000000 else 600000000 end as most_us,
        case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end as value, case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then (s.value - c.minus) * c.times / c.per end as canonical
      from `my-project.health.timeseries_local` s
      left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
      where s.resource in ('heartrate')
    ) sent
  ) followed
  where value is not null
  ) lasting
  where canonical is not null
  group by user_id, provider, source_type, local_period
) h
join `my-project.health.metric_days` d
  on d.user_id = h.user_id and d.local_date = h.local_date and d.provider = h.provider and d.source_type = h.source_type
  and d.measure = 'heartrate';

CREATE OR REPLACE VIEW `my-project.health.glucose_days` (
  user_id OPTIONS (description = 'User.'),
  local_date OPTIONS (description = 'Local date. A sample without a local date counts on its UTC date.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  source_type OPTIONS (description = 'Kind of device or origin.'),
  source OPTIONS (description = 'Provider and source type, as `provider/source_type`.'),
  readings OPTIONS (description = 'Number of readings that count. (count)'),
  covered_s OPTIONS (description = 'Time that the readings cover. A reading lasts until its end, but not beyond the next reading or the day. Without an end, it lasts at most 20 minutes. (s)'),
  coverage_pct OPTIONS (description = 'This time as a share of 24 hours. (%)'),
  mean_mg_dl OPTIONS (description = 'Mean of the readings, weighted by how long each lasts. `person_days` has the mean of the hourly means instead. (mg/dL)'),
  cv_pct OPTIONS (description = 'Coefficient of variation of the readings: their standard deviation as a share of their mean. NULL for a single reading. (%)'),
  very_low_s OPTIONS (description = 'Time below 54 mg/dL (3.0 mmol/L). (s)'),
  very_low_pct OPTIONS (description = 'This time as a share of `covered_s`. (%)'),
  low_s OPTIONS (description = 'Time from 54 to 69 mg/dL (3.0–3.8 mmol/L). (s)'),
  low_pct OPTIONS (description = 'This time as a share of `covered_s`. (%)'),
  in_range_s OPTIONS (description = 'Time from 70 to 180 mg/dL (3.9–10.0 mmol/L). (s)'),
  in_range_pct OPTIONS (description = 'This time as a share of `covered_s`. (%)'),
  high_s OPTIONS (description = 'Time from 181 to 250 mg/dL (10.1–13.9 mmol/L). (s)'),
  high_pct OPTIONS (description = 'This time as a share of `covered_s`. (%)'),
  very_high_s OPTIONS (description = 'Time above 250 mg/dL (13.9 mmol/L). (s)'),
  very_high_pct OPTIONS (description = 'This time as a share of `covered_s`. (%)'),
  coverage_14d_pct OPTIONS (description = 'Time that readings cover on this day and the 13 days before, as a share of 14 days. (%)'),
  gmi_pct OPTIONS (description = 'Glucose management indicator over these 14 days: 3.31 + 0.02392 × mean glucose in mg/dL. NULL below 70 % coverage. (%)')
)
OPTIONS (description = 'The glucose of a user on a local date, from the source of `glucose` in `person_days`: time in range, variation and coverage.', labels = [('aorta', 'view'), ('aorta_text', 'a44202f5b277894e')]) AS
select
  user_id, local_date, provider, source_type, source, readings, covered_s, 100 * covered_s / 86400 as coverage_pct, mean_mg_dl, cv_pct,
  very_low_s, 100 * very_low_s / covered_s as very_low_pct,
  low_s, 100 * low_s / covered_s as low_pct,
  in_range_s, 100 * in_range_s / covered_s as in_range_pct,
  high_s, 100 * high_s / covered_s as high_pct,
  very_high_s, 100 * very_high_s / covered_s as very_high_pct,
  100 * covered_14d_s / 1209600 as coverage_14d_pct,
  case when covered_14d_s >= 0.7 * 1209600 then 3.31 + 0.02392 * weighted_14d / covered_14d_s end as gmi_pct
from (
  select
    g.*, d.source, sum(covered_s) over (
      partition by g.user_id order by unix_date(g.local_date) range between 13 preceding and current row
    ) as covered_14d_s,
    sum(mean_mg_dl * covered_s) over (
      partition by g.user_id order by unix_date(g.local_date) range between 13 preceding and current row
    ) as weighted_14d
  from (
    select
      user_id, provider, source_type, date_add(date '1970-01-01', interval local_period day) as local_date, count(*) as readings, sum(lasts_us) / cast(1000000 as float64) as covered_s,
      sum(exact_mg_dl * lasts_us) / sum(lasts_us) as mean_mg_dl, 100 * stddev_samp(exact_mg_dl) / avg(exact_mg_dl) as cv_pct,
      sum(case when mg_dl < 54 then lasts_us else 0 end) / cast(1000000 as float64) as very_low_s,
      sum(case when mg_dl between 54 and 69 then lasts_us else 0 end) / cast(1000000 as float64) as low_s,
      sum(case when mg_dl between 70 and 180 then lasts_us else 0 end) / cast(1000000 as float64) as in_range_s,
      sum(case when mg_dl between 181 and 250 then lasts_us else 0 end) / cast(1000000 as float64) as high_s,
      sum(case when mg_dl > 250 then lasts_us else 0 end) / cast(1000000 as float64) as very_high_s
    from (
      select *, canonical * 18.0182 as exact_mg_dl, round(canonical * 18.0182) as mg_dl
      from (
  select
    user_id, provider, source_type, cast((local_us - mod(mod(local_us, 86400000000) + 86400000000, 86400000000)) / 86400000000 as int64) as local_period, value, canonical,
    least(
      86400000000 - mod(mod(local_us, 86400000000) + 86400000000, 86400000000),
      coalesce(own_us, most_us), coalesce(next_us - start_us, own_us, most_us)
    ) as lasts_us
  from (
    select *, lead(start_us) over (partition by user_id, provider, source_type, source_key order by start_us) as next_us
    from (
      select
        concat(s.user_id, '\n', s.resource, '\n', s.provider, '\n', s.source_type, '\n', case when s.resource in ('cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'sleep_breathing_disturbance', 'stand_hour') then s.sample_type else '' end) as source_key, s.user_id, s.provider, s.source_type, unix_micros(s.start_at) as start_us,
        unix_micros(s.start_at) + case when s.time_basis = 'floating' then 0 else coalesce(s.local_offset_s, 0) * 1000000 end as local_us,
        case when s.end_at > s.start_at then unix_micros(s.end_at) - unix_micros(s.start_at) end as own_us,
        case when s.resource = 'glucose' then 1200000000 else 600000000 end as most_us,
        case when not (not coalesce(((s.value - c.minus) * c.times / c.per between c.plausible_low and c.plausible_high), true)) then s.value end as value, case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then (s.value - c.minus) * c.times / c.per end as canonical
      from `my-project.health.timeseries_local` s
      left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
      where s.resource in ('glucose')
    ) sent
  ) followed
  where value is not null
      ) lasting
      where canonical is not null
    ) converted
    group by user_id, provider, source_type, local_period
  ) g
  join `my-project.health.metric_days` d
    on d.user_id = g.user_id and d.local_date = g.local_date and d.provider = g.provider and d.source_type = g.source_type
    and d.measure = 'glucose'
) days;

CREATE OR REPLACE VIEW `my-project.health.person_sources` (
  user_id OPTIONS (description = 'User.'),
  provider OPTIONS (description = 'Provider of the data.'),
  source_type OPTIONS (description = 'Source type of the data.'),
  source OPTIONS (description = 'Source of the data, as `provider/source_type`.'),
  first_date OPTIONS (description = 'First local date with data of the source.'),
  last_date OPTIONS (description = 'Last local date with data of the source. Dates more than a day after the last receipt do not count; NULL if there are no others.'),
  days OPTIONS (description = 'Number of local dates with data of the source. (count)'),
  last_received_at OPTIONS (description = 'When the last event of the source was received, whatever day its data belongs to; NULL if `deliveries` has none.'),
  last_received_date OPTIONS (description = 'Local date of the user at `last_received_at`; the date in UTC if the offset of the user is unknown.')
)
OPTIONS (description = 'One source of a user: its first and last data, and when it was last received.', labels = [('aorta', 'view'), ('aorta_text', '9ab5a47090cf7e91')]) AS
select
  d.user_id, d.provider, d.source_type, d.source, min(d.local_date) as first_date,
  max(case when received.at_date is null or d.local_date <= date_add(received.at_date, interval 1 day) then d.local_date end) as last_date,
  count(*) as days, received.start_at as last_received_at, received.at_date as last_received_date
from `my-project.health.source_days` d
left join (
select user_id, provider, source_type, start_at, coalesce(local_date, date(start_at)) as at_date
from (
select
  user_id, provider, source_type, start_at, timezone_offset_s, time_basis,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then datetime(safe.timestamp_add(start_at, interval 0 second))
      else datetime(safe.timestamp_add(start_at, interval local_offset_s second))
    end as local_at
  from (
    select
      samples.user_id, samples.provider, samples.source_type, samples.start_at, samples.timezone_offset_s, samples.time_basis,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
  select *, cast(null as int64) as timezone_offset_s, 'utc' as time_basis
  from (
    select user_id, provider, source_type, max(received_at) as start_at
    from `my-project.health.deliveries`
    where source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered
    group by user_id, provider, source_type
  ) instants
) samples
    left join `my-project.health.user_time_zones` spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamp '9999-12-31T23:59:59Z')
    left join `my-project.health.time_zone_transitions` zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed
) located
) received on received.user_id = d.user_id and received.provider = d.provider and received.source_type = d.source_type
group by d.user_id, d.provider, d.source_type, d.source, received.start_at, received.at_date;

CREATE OR REPLACE VIEW `my-project.health.person_days` (
  user_id OPTIONS (description = 'User.'),
  local_date OPTIONS (description = 'Local date of the user.'),
  is_complete OPTIONS (description = 'Whether the day is over for each source with data in the 7 days before: the source has sent an event after the end of the day. The day must also have ended before the last receipt of any user.'),
  steps OPTIONS (description = 'Number of steps, from a summary of the day. (count)'),
  steps_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  steps_others OPTIONS (description = 'Number of other sources that have this value.'),
  distance_m OPTIONS (description = 'Distance moved, from a summary of the day. (m)'),
  distance_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  distance_others OPTIONS (description = 'Number of other sources that have this value.'),
  calories_active_kcal OPTIONS (description = 'Energy spent through activity, from a summary of the day. (kcal)'),
  calories_active_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  calories_active_others OPTIONS (description = 'Number of other sources that have this value.'),
  floors_climbed OPTIONS (description = 'Floors climbed, from a summary of the day. (count)'),
  floors_climbed_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  floors_climbed_others OPTIONS (description = 'Number of other sources that have this value.'),
  calories_total_kcal OPTIONS (description = 'Energy spent, including the basal rate, from a summary of the day. (kcal)'),
  calories_total_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  calories_total_others OPTIONS (description = 'Number of other sources that have this value.'),
  heart_rate_resting_bpm OPTIONS (description = 'Resting heart rate, from a summary of the day. (bpm)'),
  heart_rate_resting_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  heart_rate_resting_others OPTIONS (description = 'Number of other sources that have this value.'),
  heartrate_avg_bpm OPTIONS (description = 'Average heart rate: the mean of the hourly means, which are weighted by time. (bpm)'),
  heartrate_sample_avg_bpm OPTIONS (description = 'Unweighted mean of the samples of the same source: the duration of a sample does not matter. (bpm)'),
  heartrate_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  heartrate_others OPTIONS (description = 'Number of other sources that have this value.'),
  heartrate_min_bpm OPTIONS (description = 'Lowest heart rate of the source of heartrate_avg_bpm. (bpm)'),
  heartrate_max_bpm OPTIONS (description = 'Highest heart rate of the source of heartrate_avg_bpm. (bpm)'),
  hrv_avg_ms OPTIONS (description = 'Average heart rate variability (RMSSD): the mean of the hourly means, which are weighted by time. (ms)'),
  hrv_sample_avg_ms OPTIONS (description = 'Unweighted mean of the samples of the same source: the duration of a sample does not matter. (ms)'),
  hrv_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  hrv_others OPTIONS (description = 'Number of other sources that have this value.'),
  blood_oxygen_avg_pct OPTIONS (description = 'Average blood oxygen saturation: the mean of the hourly means, which are weighted by time. (%)'),
  blood_oxygen_sample_avg_pct OPTIONS (description = 'Unweighted mean of the samples of the same source: the duration of a sample does not matter. (%)'),
  blood_oxygen_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  blood_oxygen_others OPTIONS (description = 'Number of other sources that have this value.'),
  glucose_avg_mmol_l OPTIONS (description = 'Average glucose in mmol/L, whichever unit was sent: the mean of the hourly means, which are weighted by time. (mmol/L)'),
  glucose_sample_avg_mmol_l OPTIONS (description = 'Unweighted mean of the samples of the same source: the duration of a sample does not matter. (mmol/L)'),
  glucose_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  glucose_others OPTIONS (description = 'Number of other sources that have this value.'),
  glucose_avg_mg_dl OPTIONS (description = 'The same average as `glucose_avg_mmol_l`, in mg/dL. (mg/dL)'),
  glucose_sample_avg_mg_dl OPTIONS (description = 'The same mean as `glucose_sample_avg_mmol_l`, in mg/dL. (mg/dL)'),
  blood_pressure_systolic_mmhg OPTIONS (description = 'Mean systolic pressure of the readings of one source. (mmHg)'),
  blood_pressure_diastolic_mmhg OPTIONS (description = 'Mean diastolic pressure of the readings of one source. (mmHg)'),
  blood_pressure_readings OPTIONS (description = 'Number of readings of this source.'),
  blood_pressure_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  blood_pressure_others OPTIONS (description = 'Number of other sources that have this value.'),
  sleep_total_s OPTIONS (description = 'Time asleep in the main sleep of the night that ends on this day. (s)'),
  sleep_light_s OPTIONS (description = 'Time in light sleep. (s)'),
  sleep_deep_s OPTIONS (description = 'Time in deep sleep. (s)'),
  sleep_rem_s OPTIONS (description = 'Time in REM sleep. (s)'),
  sleep_awake_s OPTIONS (description = 'Time awake during the main sleep. (s)'),
  sleep_duration_s OPTIONS (description = 'Duration of the main sleep from start to end. It contains the gaps between its fragments. (s)'),
  sleep_started_at OPTIONS (description = 'Start of the main sleep.'),
  sleep_efficiency OPTIONS (description = 'Share of the main sleep that is spent asleep, from 0 to 1. (1)'),
  sleep_hrv_avg_ms OPTIONS (description = 'Average heart rate variability (RMSSD) of the main sleep. (ms)'),
  sleep_respiratory_rate_per_min OPTIONS (description = 'Breaths per minute during the main sleep. (1/min)'),
  sleep_score OPTIONS (description = 'Sleep score of the provider.'),
  sleep_source OPTIONS (description = 'Source of the main sleep, as `provider/source_type`; NULL if there are only naps.'),
  sleep_others OPTIONS (description = 'Number of other sources that have a main sleep in this night.'),
  sleep_partial_others OPTIONS (description = 'Number of these sources that were left out because they recorded less than half of the night.'),
  naps OPTIONS (description = 'Number of naps of all sources. A nap that several sources recorded counts once.'),
  nap_total_s OPTIONS (description = 'Time asleep in the naps. (s)'),
  nap_sources OPTIONS (description = 'Sources of the naps, as `provider/source_type`, separated by commas; NULL without naps.'),
  weight_kg OPTIONS (description = 'Weight, from samples, or from a summary of the day. (kg)'),
  weight_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  weight_others OPTIONS (description = 'Number of other sources that have this value.'),
  fat_pct OPTIONS (description = 'Body fat, from samples, or from a summary of the day. (%)'),
  fat_source OPTIONS (description = 'Source of this value, as `provider/source_type`.'),
  fat_others OPTIONS (description = 'Number of other sources that have this value.'),
  workouts OPTIONS (description = 'Number of workouts. A workout counts once, however many records it has. 0 on a day without one; NULL before the first record of a workout of the user.'),
  workouts_duration_s OPTIONS (description = 'Total duration of the workouts. (s)'),
  workouts_distance_m OPTIONS (description = 'Total distance of the workouts, without implausible values. (m)'),
  workouts_calories_kcal OPTIONS (description = 'Total energy spent in the workouts, without implausible values. (kcal)'),
  workouts_sources OPTIONS (description = 'Sources of the workouts, as `provider/source_type`, separated by commas.'),
  workouts_duplicates OPTIONS (description = 'Number of other records of these workouts.'),
  samples OPTIONS (description = 'Number of samples of all resources and sources, including blood pressure readings. A sample without a local date counts on its UTC date.'),
  samples_unknown_unit OPTIONS (description = 'Number of these samples whose unit is not known for their measure. No value of the day uses them.'),
  samples_implausible OPTIONS (description = 'Number of these samples outside the plausible range of their measure. No value of the day uses them.'),
  unworn_sources OPTIONS (description = 'Number of sources whose totals do not count, because they show no movement on a day on which another source shows some.')
)
OPTIONS (description = 'One local date of a user, with the values of all tables.', labels = [('aorta', 'view'), ('aorta_text', '0fc49cbb2b137aaa')]) AS
select
  days.user_id, days.local_date, (coalesce(days.local_date < open_dates.current_date_of, false) and coalesce(strpos(open_dates.delayed_dates, cast(days.local_date as string)), 0) = 0) as is_complete,
  days.steps, days.steps_source, days.steps_others, days.distance_m, days.distance_source, days.distance_others, days.calories_active_kcal, days.calories_active_source, days.calories_active_others, days.floors_climbed, days.floors_climbed_source, days.floors_climbed_others, days.calories_total_kcal, days.calories_total_source, days.calories_total_others, days.heart_rate_resting_bpm, days.heart_rate_resting_source, days.heart_rate_resting_others, days.heartrate_avg_bpm, days.heartrate_sample_avg_bpm, days.heartrate_source, days.heartrate_others, days.heartrate_min_bpm, days.heartrate_max_bpm, days.hrv_avg_ms, days.hrv_sample_avg_ms, days.hrv_source, days.hrv_others, days.blood_oxygen_avg_pct, days.blood_oxygen_sample_avg_pct, days.blood_oxygen_source, days.blood_oxygen_others, days.glucose_avg_mmol_l, days.glucose_sample_avg_mmol_l, days.glucose_source, days.glucose_others, days.glucose_avg_mg_dl, days.glucose_sample_avg_mg_dl, days.blood_pressure_systolic_mmhg, days.blood_pressure_diastolic_mmhg, days.blood_pressure_readings, days.blood_pressure_source, days.blood_pressure_others, days.sleep_total_s, days.sleep_light_s, days.sleep_deep_s, days.sleep_rem_s, days.sleep_awake_s, days.sleep_duration_s, days.sleep_started_at, days.sleep_efficiency, days.sleep_hrv_avg_ms, days.sleep_respiratory_rate_per_min, days.sleep_score, days.sleep_source, days.sleep_others, days.sleep_partial_others, days.naps, days.nap_total_s, days.nap_sources, days.weight_kg, days.weight_source, days.weight_others, days.fat_pct, days.fat_source, days.fat_others, case when days.local_date >= recorded.first_date then coalesce(days.workouts, 0) end as workouts, days.workouts_duration_s, days.workouts_distance_m, days.workouts_calories_kcal, days.workouts_sources, days.workouts_duplicates, days.samples, days.samples_unknown_unit, days.samples_implausible, days.unworn_sources
from (
  select
    user_id, local_date,
    max(steps) as steps,
    max(steps_source) as steps_source,
    max(steps_others) as steps_others,
    max(distance_m) as distance_m,
    max(distance_source) as distance_source,
    max(distance_others) as distance_others,
    max(calories_active_kcal) as calories_active_kcal,
    max(calories_active_source) as calories_active_source,
    max(calories_active_others) as calories_active_others,
    max(floors_climbed) as floors_climbed,
    max(floors_climbed_source) as floors_climbed_source,
    max(floors_climbed_others) as floors_climbed_others,
    max(calories_total_kcal) as calories_total_kcal,
    max(calories_total_source) as calories_total_source,
    max(calories_total_others) as calories_total_others,
    max(heart_rate_resting_bpm) as heart_rate_resting_bpm,
    max(heart_rate_resting_source) as heart_rate_resting_source,
    max(heart_rate_resting_others) as heart_rate_resting_others,
    max(heartrate_avg_bpm) as heartrate_avg_bpm,
    max(heartrate_sample_avg_bpm) as heartrate_sample_avg_bpm,
    max(heartrate_source) as heartrate_source,
    max(heartrate_others) as heartrate_others,
    max(heartrate_min_bpm) as heartrate_min_bpm,
    max(heartrate_max_bpm) as heartrate_max_bpm,
    max(hrv_avg_ms) as hrv_avg_ms,
    max(hrv_sample_avg_ms) as hrv_sample_avg_ms,
    max(hrv_source) as hrv_source,
    max(hrv_others) as hrv_others,
    max(blood_oxygen_avg_pct) as blood_oxygen_avg_pct,
    max(blood_oxygen_sample_avg_pct) as blood_oxygen_sample_avg_pct,
    max(blood_oxygen_source) as blood_oxygen_source,
    max(blood_oxygen_others) as blood_oxygen_others,
    max(glucose_avg_mmol_l) as glucose_avg_mmol_l,
    max(glucose_sample_avg_mmol_l) as glucose_sample_avg_mmol_l,
    max(glucose_source) as glucose_source,
    max(glucose_others) as glucose_others,
    max(glucose_avg_mmol_l) * 18.0182 as glucose_avg_mg_dl,
    max(glucose_sample_avg_mmol_l) * 18.0182 as glucose_sample_avg_mg_dl,
    max(blood_pressure_systolic_mmhg) as blood_pressure_systolic_mmhg,
    max(blood_pressure_diastolic_mmhg) as blood_pressure_diastolic_mmhg,
    max(blood_pressure_readings) as blood_pressure_readings,
    max(blood_pressure_source) as blood_pressure_source,
    max(blood_pressure_others) as blood_pressure_others,
    max(sleep_total_s) as sleep_total_s,
    max(sleep_light_s) as sleep_light_s,
    max(sleep_deep_s) as sleep_deep_s,
    max(sleep_rem_s) as sleep_rem_s,
    max(sleep_awake_s) as sleep_awake_s,
    max(sleep_duration_s) as sleep_duration_s,
    max(sleep_started_at) as sleep_started_at,
    max(sleep_efficiency) as sleep_efficiency,
    max(sleep_hrv_avg_ms) as sleep_hrv_avg_ms,
    max(sleep_respiratory_rate_per_min) as sleep_respiratory_rate_per_min,
    max(sleep_score) as sleep_score,
    max(sleep_source) as sleep_source,
    max(sleep_others) as sleep_others,
    max(sleep_partial_others) as sleep_partial_others,
    max(naps) as naps,
    max(nap_total_s) as nap_total_s,
    max(nap_sources) as nap_sources,
    max(weight_kg) as weight_kg,
    max(weight_source) as weight_source,
    max(weight_others) as weight_others,
    max(fat_pct) as fat_pct,
    max(fat_source) as fat_source,
    max(fat_others) as fat_others,
    max(workouts) as workouts,
    max(workouts_duration_s) as workouts_duration_s,
    max(workouts_distance_m) as workouts_distance_m,
    max(workouts_calories_kcal) as workouts_calories_kcal,
    max(workouts_sources) as workouts_sources,
    max(workouts_duplicates) as workouts_duplicates,
    max(samples) as samples,
    max(samples_unknown_unit) as samples_unknown_unit,
    max(samples_implausible) as samples_implausible,
    max(unworn_sources) as unworn_sources
  from (
  select user_id, local_date, heartrate_min_bpm, heartrate_max_bpm, steps, steps_source, steps_others, distance_m, distance_source, distance_others, calories_active_kcal, calories_active_source, calories_active_others, floors_climbed, floors_climbed_source, floors_climbed_others, calories_total_kcal, calories_total_source, calories_total_others, heart_rate_resting_bpm, heart_rate_resting_source, heart_rate_resting_others, heartrate_avg_bpm, heartrate_sample_avg_bpm, heartrate_source, heartrate_others, hrv_avg_ms, hrv_sample_avg_ms, hrv_source, hrv_others, blood_oxygen_avg_pct, blood_oxygen_sample_avg_pct, blood_oxygen_source, blood_oxygen_others, glucose_avg_mmol_l, glucose_sample_avg_mmol_l, glucose_source, glucose_others, weight_kg, weight_source, weight_others, fat_pct, fat_source, fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, local_date, max(case when measure = 'heartrate' then lowest end) as heartrate_min_bpm, max(case when measure = 'heartrate' then highest end) as heartrate_max_bpm, cast(max(case when measure = 'steps' then value end) as int64) as steps, max(case when measure = 'steps' then source end) as steps_source, max(case when measure = 'steps' then others end) as steps_others, max(case when measure = 'distance' then value end) as distance_m, max(case when measure = 'distance' then source end) as distance_source, max(case when measure = 'distance' then others end) as distance_others, max(case when measure = 'calories_active' then value end) as calories_active_kcal, max(case when measure = 'calories_active' then source end) as calories_active_source, max(case when measure = 'calories_active' then others end) as calories_active_others, cast(max(case when measure = 'floors_climbed' then value end) as int64) as floors_climbed, max(case when measure = 'floors_climbed' then source end) as floors_climbed_source, max(case when measure = 'floors_climbed' then others end) as floors_climbed_others, max(case when measure = 'calories_total' then value end) as calories_total_kcal, max(case when measure = 'calories_total' then source end) as calories_total_source, max(case when measure = 'calories_total' then others end) as calories_total_others, max(case when measure = 'heart_rate_resting' then value end) as heart_rate_resting_bpm, max(case when measure = 'heart_rate_resting' then source end) as heart_rate_resting_source, max(case when measure = 'heart_rate_resting' then others end) as heart_rate_resting_others, max(case when measure = 'heartrate' then value end) as heartrate_avg_bpm, max(case when measure = 'heartrate' then sample_avg end) as heartrate_sample_avg_bpm, max(case when measure = 'heartrate' then source end) as heartrate_source, max(case when measure = 'heartrate' then others end) as heartrate_others, max(case when measure = 'hrv' then value end) as hrv_avg_ms, max(case when measure = 'hrv' then sample_avg end) as hrv_sample_avg_ms, max(case when measure = 'hrv' then source end) as hrv_source, max(case when measure = 'hrv' then others end) as hrv_others, max(case when measure = 'blood_oxygen' then value end) as blood_oxygen_avg_pct, max(case when measure = 'blood_oxygen' then sample_avg end) as blood_oxygen_sample_avg_pct, max(case when measure = 'blood_oxygen' then source end) as blood_oxygen_source, max(case when measure = 'blood_oxygen' then others end) as blood_oxygen_others, max(case when measure = 'glucose' then value end) as glucose_avg_mmol_l, max(case when measure = 'glucose' then sample_avg end) as glucose_sample_avg_mmol_l, max(case when measure = 'glucose' then source end) as glucose_source, max(case when measure = 'glucose' then others end) as glucose_others, max(case when measure = 'weight' then value end) as weight_kg, max(case when measure = 'weight' then source end) as weight_source, max(case when measure = 'weight' then others end) as weight_others, max(case when measure = 'fat' then value end) as fat_pct, max(case when measure = 'fat' then source end) as fat_source, max(case when measure = 'fat' then others end) as fat_others
    from `my-project.health.metric_days`
    group by user_id, local_date
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select
      user_id, local_date,
      cast(case when max(has_moved) = 1 then sum(case when has_total = 1 and has_moved = 0 then 1 else 0 end) else 0 end as int64)
        as unworn_sources
    from (
      select user_id, calendar_date as local_date, max(case when case when steps between 0 and 250000 then steps end > 0 or case when distance_m between 0 and 1100000 then distance_m end > 0 or case when floors_climbed between 0 and 3000 then floors_climbed end > 0 or case when calories_active_kcal between 0 and 20000 then calories_active_kcal end > 0 then 1 else 0 end) as has_moved, max(case when case when steps between 0 and 250000 then steps end is not null or case when distance_m between 0 and 1100000 then distance_m end is not null or case when floors_climbed between 0 and 3000 then floors_climbed end is not null or case when calories_active_kcal between 0 and 20000 then calories_active_kcal end is not null or case when calories_total_kcal between 1 and 20000 then calories_total_kcal end is not null then 1 else 0 end) as has_total
      from `my-project.health.activity`
      where calendar_date is not null
      group by user_id, calendar_date, provider, source_type
    ) sources
    group by user_id, local_date
    having max(has_total) = 1
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, samples, samples_unknown_unit, samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, local_date, cast(sum(samples) as int64) as samples, cast(sum(unknown_unit) as int64) as samples_unknown_unit, cast(sum(implausible) as int64) as samples_implausible
    from (
      select
        s.user_id, s.local_date, s.samples, case when (c.unit is not null or s.resource = 'hypnogram' and coalesce(lower(trim(s.unit, ' ')), '') in ('', 'stage')) then 0 else s.samples end as unknown_unit, s.implausible
      from `my-project.health.timeseries_daily` s
      left join `my-project.health.unit_conversions` c on c.measure = case s.resource when 'cholesterol' then case s.sample_type when 'cholesterol/hdl' then 'cholesterol.hdl' when 'cholesterol/ldl' then 'cholesterol.ldl' when 'cholesterol/total' then 'cholesterol.total' when 'cholesterol/triglycerides' then 'cholesterol.triglycerides' else 'cholesterol' end when 'electrocardiogram_voltage' then case s.sample_type when 'lead_1' then 'electrocardiogram_voltage.lead_1' else 'electrocardiogram_voltage' end when 'heart_rate_alert' then case s.sample_type when 'high_heart_rate' then 'heart_rate_alert.high_heart_rate' when 'irregular_rhythm' then 'heart_rate_alert.irregular_rhythm' when 'low_heart_rate' then 'heart_rate_alert.low_heart_rate' else 'heart_rate_alert' end when 'insulin_injection' then case s.sample_type when 'long_acting' then 'insulin_injection.long_acting' when 'rapid_acting' then 'insulin_injection.rapid_acting' else 'insulin_injection' end when 'sleep_breathing_disturbance' then case s.sample_type when 'elevated' then 'sleep_breathing_disturbance.elevated' when 'not_elevated' then 'sleep_breathing_disturbance.not_elevated' else 'sleep_breathing_disturbance' end when 'stand_hour' then case s.sample_type when 'idle' then 'stand_hour.idle' when 'stood' then 'stand_hour.stood' else 'stand_hour' end else s.resource end and c.unit_sent = coalesce(lower(trim(s.unit, ' ')), '')
      union all
      select
        r.user_id, coalesce(r.local_date, date(r.start_at)), 1, case when c.unit is null then 1 else 0 end,
        case when c.unit is not null and ((case when (r.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (r.systolic_mmhg - c.minus) * c.times / c.per end) is null and r.systolic_mmhg is not null or (case when (r.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (r.diastolic_mmhg - c.minus) * c.times / c.per end) is null and r.diastolic_mmhg is not null) then 1 else 0 end
      from `my-project.health.blood_pressure_local` r
      left join `my-project.health.unit_conversions` c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(r.unit, ' ')), '')
    ) counted
    group by user_id, local_date
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, sleep_total_s, sleep_light_s, sleep_deep_s, sleep_rem_s, sleep_awake_s, sleep_duration_s, sleep_efficiency, sleep_hrv_avg_ms, sleep_respiratory_rate_per_min, sleep_score, sleep_started_at, sleep_source, sleep_others, sleep_partial_others, naps, nap_total_s, nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, night_date as local_date, total_s as sleep_total_s, light_s as sleep_light_s, deep_s as sleep_deep_s, rem_s as sleep_rem_s, awake_s as sleep_awake_s, duration_s as sleep_duration_s, efficiency as sleep_efficiency, hrv_ms as sleep_hrv_avg_ms, respiratory_rate_per_min as sleep_respiratory_rate_per_min, score as sleep_score, start_at as sleep_started_at, source as sleep_source, others as sleep_others, partial_others as sleep_partial_others, naps, nap_total_s, nap_sources
    from `my-project.health.sleep_nights`
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, workouts, workouts_duration_s, workouts_distance_m, workouts_calories_kcal, workouts_sources, workouts_duplicates, null as blood_pressure_systolic_mmhg, null as blood_pressure_diastolic_mmhg, null as blood_pressure_readings, null as blood_pressure_source, null as blood_pressure_others
  from (
    select user_id, local_date, count(*) as workouts, cast(sum(case when time_end > time_start then cast(floor(lasts_s) as int64) end) as int64) as workouts_duration_s, sum(distance_m) as workouts_distance_m, sum(calories_kcal) as workouts_calories_kcal, string_agg(distinct source, ', ' order by source) as workouts_sources, cast(sum(sources) - count(*) as int64) as workouts_duplicates
    from (
      select *, case when timestamp_diff(time_end, time_start, microsecond) / 1000000.0 between 0 and 600000 then timestamp_diff(time_end, time_start, microsecond) / 1000000.0 end as lasts_s
      from `my-project.health.workouts_deduplicated`
    ) timed
    where local_date is not null
    group by user_id, local_date
  ) part
  union all
  select user_id, local_date, null as heartrate_min_bpm, null as heartrate_max_bpm, null as steps, null as steps_source, null as steps_others, null as distance_m, null as distance_source, null as distance_others, null as calories_active_kcal, null as calories_active_source, null as calories_active_others, null as floors_climbed, null as floors_climbed_source, null as floors_climbed_others, null as calories_total_kcal, null as calories_total_source, null as calories_total_others, null as heart_rate_resting_bpm, null as heart_rate_resting_source, null as heart_rate_resting_others, null as heartrate_avg_bpm, null as heartrate_sample_avg_bpm, null as heartrate_source, null as heartrate_others, null as hrv_avg_ms, null as hrv_sample_avg_ms, null as hrv_source, null as hrv_others, null as blood_oxygen_avg_pct, null as blood_oxygen_sample_avg_pct, null as blood_oxygen_source, null as blood_oxygen_others, null as glucose_avg_mmol_l, null as glucose_sample_avg_mmol_l, null as glucose_source, null as glucose_others, null as weight_kg, null as weight_source, null as weight_others, null as fat_pct, null as fat_source, null as fat_others, null as unworn_sources, null as samples, null as samples_unknown_unit, null as samples_implausible, null as sleep_total_s, null as sleep_light_s, null as sleep_deep_s, null as sleep_rem_s, null as sleep_awake_s, null as sleep_duration_s, null as sleep_efficiency, null as sleep_hrv_avg_ms, null as sleep_respiratory_rate_per_min, null as sleep_score, null as sleep_started_at, null as sleep_source, null as sleep_others, null as sleep_partial_others, null as naps, null as nap_total_s, null as nap_sources, null as workouts, null as workouts_duration_s, null as workouts_distance_m, null as workouts_calories_kcal, null as workouts_sources, null as workouts_duplicates, blood_pressure_systolic_mmhg, blood_pressure_diastolic_mmhg, blood_pressure_readings, blood_pressure_source, blood_pressure_others
  from (
    select user_id, local_date, systolic_mmhg as blood_pressure_systolic_mmhg, diastolic_mmhg as blood_pressure_diastolic_mmhg, readings as blood_pressure_readings, provider || '/' || source_type as blood_pressure_source, others as blood_pressure_others
    from (
      select
        *,
        count(*) over (partition by user_id, local_date) - 1 as others,
        row_number() over (
          partition by user_id, local_date order by case when provider = 'manual' then 17 else case source_type when 'lab' then 1 when 'chest_strap' then 2 when 'cuff' then 3 when 'scale' then 4 when 'ring' then 5 when 'watch' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end, days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type
        ) as place
      from (
        select *, count(*) over (
    partition by user_id, provider, source_type order by unix_date(local_date) range between 14 preceding and 1 preceding
  ) as days_before
        from (
          select
            user_id, local_date, provider, source_type,
            avg(systolic_mmhg) as systolic_mmhg, avg(diastolic_mmhg) as diastolic_mmhg, count(*) as readings
          from (
            select
              r.user_id, r.provider, r.source_type, (case when (r.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (r.systolic_mmhg - c.minus) * c.times / c.per end) as systolic_mmhg, (case when (r.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (r.diastolic_mmhg - c.minus) * c.times / c.per end) as diastolic_mmhg,
              coalesce(r.local_date, date(r.start_at)) as local_date
            from `my-project.health.blood_pressure_local` r
            left join `my-project.health.unit_conversions` c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(r.unit, ' ')), '')
          ) readings
          where systolic_mmhg is not null or diastolic_mmhg is not null
          group by user_id, local_date, provider, source_type
        ) of_source
      ) compared
    ) ordered
    where place = 1
  ) part
  ) parts
  group by user_id, local_date
) days
left join (
  select user_id, min(coalesce(w.calendar_date, date(timestamp_add(w.time_start, interval coalesce(w.timezone_offset_s, 0) second)))) as first_date
  from `my-project.health.workouts` w
  group by user_id
) recorded on recorded.user_id = days.user_id
left join (
select
  user_id, max(case when provider is null then at_date end) as current_date_of,
  string_agg(distinct case when delayed_date >= at_date then cast(delayed_date as string) end, ', ' order by case when delayed_date >= at_date then cast(delayed_date as string) end) as delayed_dates
from (
  select *, date_add(local_date, interval ordinal day) as delayed_date
  from (
  select t.user_id, t.provider, t.at_date, t.local_date, ordinal
  from (
    select r.user_id, r.provider, r.at_date, s.local_date
    from (
select user_id, provider, source_type, start_at, coalesce(local_date, date(start_at)) as at_date
from (
select
  user_id, provider, source_type, start_at, timezone_offset_s, time_basis,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then datetime(safe.timestamp_add(start_at, interval 0 second))
      else datetime(safe.timestamp_add(start_at, interval local_offset_s second))
    end as local_at
  from (
    select
      samples.user_id, samples.provider, samples.source_type, samples.start_at, samples.timezone_offset_s, samples.time_basis,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
  select *, cast(null as int64) as timezone_offset_s, 'utc' as time_basis
  from (
    select user_id, provider, source_type, max(received_at) as start_at
    from `my-project.health.deliveries`
    where source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered
    group by user_id, provider, source_type
    union all
    select user_id, null, null, last_at
    from (select distinct user_id from `my-project.health.deliveries` where user_id is not null) users
    cross join (
      select max(received_at) as last_at
      from `my-project.health.deliveries`
      where received_at <= timestamp_add(_loaded_at, interval 86400 second)
    ) latest
  ) instants
) samples
    left join `my-project.health.user_time_zones` spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamp '9999-12-31T23:59:59Z')
    left join `my-project.health.time_zone_transitions` zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed
) located
    ) r
    left join `my-project.health.source_days` s
      on s.user_id = r.user_id and s.provider = r.provider and s.source_type = r.source_type
      and date_add(s.local_date, interval 7 day) >= r.at_date
  ) as t, unnest(generate_array(1, 7)) as ordinal
  ) expected
) dated
group by user_id
) open_dates on open_dates.user_id = days.user_id;

CREATE OR REPLACE VIEW `my-project.health.person_calendar` (
  user_id OPTIONS (description = 'User.'),
  local_date OPTIONS (description = 'Local date of the user. The first date has data of two sources, or three dates of its month have data. The last is the user’s date at the last receipt of any user.'),
  is_complete OPTIONS (description = 'Whether the day is over for each source with data in the 7 days before: the source has sent an event after the end of the day. The day must also have ended before the last receipt of any user.'),
  sources OPTIONS (description = 'Sources with data on this day, as `provider/source_type`, separated by commas; NULL if there are none.'),
  measures OPTIONS (description = 'Measures with a value in `person_days`, separated by commas: `blood_pressure`, `sleep`, and those of `metric_days`. NULL if there are none.'),
  missing OPTIONS (description = 'Measures without a value on this day that the user has had on an earlier day, separated by commas; NULL if there are none.')
)
OPTIONS (description = 'One day of a user, whether it has data or not: which measures of `person_days` it has, and which are missing.', labels = [('aorta', 'view'), ('aorta_text', 'a0ce95f0d4ff9a34')]) AS
select
  user_id, local_date, is_complete = 1 as is_complete, sources,
  nullif(substr(concat(case when has_blood_oxygen = 1 then ', blood_oxygen' else '' end, case when has_blood_pressure = 1 then ', blood_pressure' else '' end, case when has_calories_active = 1 then ', calories_active' else '' end, case when has_calories_total = 1 then ', calories_total' else '' end, case when has_distance = 1 then ', distance' else '' end, case when has_fat = 1 then ', fat' else '' end, case when has_floors_climbed = 1 then ', floors_climbed' else '' end, case when has_glucose = 1 then ', glucose' else '' end, case when has_heart_rate_resting = 1 then ', heart_rate_resting' else '' end, case when has_heartrate = 1 then ', heartrate' else '' end, case when has_hrv = 1 then ', hrv' else '' end, case when has_sleep = 1 then ', sleep' else '' end, case when has_steps = 1 then ', steps' else '' end, case when has_weight = 1 then ', weight' else '' end), 3), '') as measures,
  nullif(substr(concat(case when has_blood_oxygen = 0 and knew_blood_oxygen = 1 then ', blood_oxygen' else '' end, case when has_blood_pressure = 0 and knew_blood_pressure = 1 then ', blood_pressure' else '' end, case when has_calories_active = 0 and knew_calories_active = 1 then ', calories_active' else '' end, case when has_calories_total = 0 and knew_calories_total = 1 then ', calories_total' else '' end, case when has_distance = 0 and knew_distance = 1 then ', distance' else '' end, case when has_fat = 0 and knew_fat = 1 then ', fat' else '' end, case when has_floors_climbed = 0 and knew_floors_climbed = 1 then ', floors_climbed' else '' end, case when has_glucose = 0 and knew_glucose = 1 then ', glucose' else '' end, case when has_heart_rate_resting = 0 and knew_heart_rate_resting = 1 then ', heart_rate_resting' else '' end, case when has_heartrate = 0 and knew_heartrate = 1 then ', heartrate' else '' end, case when has_hrv = 0 and knew_hrv = 1 then ', hrv' else '' end, case when has_sleep = 0 and knew_sleep = 1 then ', sleep' else '' end, case when has_steps = 0 and knew_steps = 1 then ', steps' else '' end, case when has_weight = 0 and knew_weight = 1 then ', weight' else '' end), 3), '') as missing
from (
  select
    *, max(has_blood_oxygen) over (partition by user_id order by local_date) as knew_blood_oxygen, max(has_blood_pressure) over (partition by user_id order by local_date) as knew_blood_pressure, max(has_calories_active) over (partition by user_id order by local_date) as knew_calories_active, max(has_calories_total) over (partition by user_id order by local_date) as knew_calories_total, max(has_distance) over (partition by user_id order by local_date) as knew_distance, max(has_fat) over (partition by user_id order by local_date) as knew_fat, max(has_floors_climbed) over (partition by user_id order by local_date) as knew_floors_climbed, max(has_glucose) over (partition by user_id order by local_date) as knew_glucose, max(has_heart_rate_resting) over (partition by user_id order by local_date) as knew_heart_rate_resting, max(has_heartrate) over (partition by user_id order by local_date) as knew_heartrate, max(has_hrv) over (partition by user_id order by local_date) as knew_hrv, max(has_sleep) over (partition by user_id order by local_date) as knew_sleep, max(has_steps) over (partition by user_id order by local_date) as knew_steps, max(has_weight) over (partition by user_id order by local_date) as knew_weight
  from (
    select
      user_id, local_date, max(is_day) as is_day, max(is_complete) as is_complete, max(sources) as sources,
      max(case when measure = 'blood_oxygen' then 1 else 0 end) as has_blood_oxygen, max(case when measure = 'blood_pressure' then 1 else 0 end) as has_blood_pressure, max(case when measure = 'calories_active' then 1 else 0 end) as has_calories_active, max(case when measure = 'calories_total' then 1 else 0 end) as has_calories_total, max(case when measure = 'distance' then 1 else 0 end) as has_distance, max(case when measure = 'fat' then 1 else 0 end) as has_fat, max(case when measure = 'floors_climbed' then 1 else 0 end) as has_floors_climbed, max(case when measure = 'glucose' then 1 else 0 end) as has_glucose, max(case when measure = 'heart_rate_resting' then 1 else 0 end) as has_heart_rate_resting, max(case when measure = 'heartrate' then 1 else 0 end) as has_heartrate, max(case when measure = 'hrv' then 1 else 0 end) as has_hrv, max(case when measure = 'sleep' then 1 else 0 end) as has_sleep, max(case when measure = 'steps' then 1 else 0 end) as has_steps, max(case when measure = 'weight' then 1 else 0 end) as has_weight
    from (
      select
        user_id, local_date, 1 as is_day, case when (coalesce(local_date < days.current_date_of, false) and coalesce(strpos(days.delayed_dates, cast(local_date as string)), 0) = 0) then 1 else 0 end as is_complete,
        sources, cast(null as string) as measure
      from (
        select
          user_id, date_add(local_date, interval ordinal - 1 day) as local_date, current_date_of, delayed_dates,
          case when ordinal = 1 then sources end as sources
        from (
      select t.user_id, t.local_date, t.sources, t.current_date_of, t.delayed_dates, ordinal
  from (
        select
          b.user_id, b.local_date, b.sources, o.current_date_of, o.delayed_dates,
          unix_date(least(coalesce(b.next_date, date_add(o.current_date_of, interval 1 day)), date_add(o.current_date_of, interval 1 day))) - unix_date(b.local_date) as days
        from (
          select *, min(case when of_day >= 2 or of_month >= 3 then local_date end) over (partition by user_id) as first_date
          from (
            select
              *, lead(local_date) over (partition by user_id order by local_date) as next_date,
              count(*) over (partition by user_id, extract(year from local_date), extract(month from local_date)) as of_month
            from (
              select user_id, local_date, count(*) as of_day, string_agg(distinct source, ', ' order by source) as sources
              from `my-project.health.source_days`
              group by user_id, local_date
            ) sourced
          ) followed
        ) b
        join (
select
  user_id, max(case when provider is null then at_date end) as current_date_of,
  string_agg(distinct case when delayed_date >= at_date then cast(delayed_date as string) end, ', ' order by case when delayed_date >= at_date then cast(delayed_date as string) end) as delayed_dates
from (
  select *, date_add(local_date, interval ordinal day) as delayed_date
  from (
  select t.user_id, t.provider, t.at_date, t.local_date, ordinal
  from (
    select r.user_id, r.provider, r.at_date, s.local_date
    from (
select user_id, provider, source_type, start_at, coalesce(local_date, date(start_at)) as at_date
from (
select
  user_id, provider, source_type, start_at, timezone_offset_s, time_basis,
  cast(local_at as date) as local_date, local_date_basis, local_at, extract(hour from local_at) as local_hour, local_offset_s
from (
  select
    *,
    case
      when time_basis = 'floating' then datetime(safe.timestamp_add(start_at, interval 0 second))
      else datetime(safe.timestamp_add(start_at, interval local_offset_s second))
    end as local_at
  from (
    select
      samples.user_id, samples.provider, samples.source_type, samples.start_at, samples.timezone_offset_s, samples.time_basis,
      coalesce(samples.timezone_offset_s, zones.offset_s, spans.offset_s) as local_offset_s,
      case
        when samples.time_basis = 'floating' then 'floating'
        when samples.timezone_offset_s is not null then 'offset'
        when zones.offset_s is not null then 'zone'
        when spans.offset_s is not null then 'zone_offset'
        else 'none'
      end as local_date_basis
    from (
  select *, cast(null as int64) as timezone_offset_s, 'utc' as time_basis
  from (
    select user_id, provider, source_type, max(received_at) as start_at
    from `my-project.health.deliveries`
    where source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered
    group by user_id, provider, source_type
    union all
    select user_id, null, null, last_at
    from (select distinct user_id from `my-project.health.deliveries` where user_id is not null) users
    cross join (
      select max(received_at) as last_at
      from `my-project.health.deliveries`
      where received_at <= timestamp_add(_loaded_at, interval 86400 second)
    ) latest
  ) instants
) samples
    left join `my-project.health.user_time_zones` spans
      on spans.user_id = samples.user_id and spans.user_id = case when samples.timezone_offset_s is null then samples.user_id end
      and samples.start_at >= spans.from_at and samples.start_at < coalesce(spans.to_at, timestamp '9999-12-31T23:59:59Z')
    left join `my-project.health.time_zone_transitions` zones on zones.zone = spans.time_zone and zones.time_basis = samples.time_basis and samples.start_at >= zones.from_at and samples.start_at < zones.to_at
  ) offsets
) timed
) located
    ) r
    left join `my-project.health.source_days` s
      on s.user_id = r.user_id and s.provider = r.provider and s.source_type = r.source_type
      and date_add(s.local_date, interval 7 day) >= r.at_date
  ) as t, unnest(generate_array(1, 7)) as ordinal
  ) expected
) dated
group by user_id
        ) o on o.user_id = b.user_id
        where b.local_date >= b.first_date and b.local_date <= o.current_date_of
      ) as t, unnest(generate_array(1, days)) as ordinal
        ) numbered
      ) days
      union all
      select user_id, local_date, 0, 0, null, measure
      from (
        select user_id, local_date, measure
        from `my-project.health.metric_days`
        union all
        select user_id, night_date, 'sleep'
        from `my-project.health.sleep_nights`
        where source is not null
        union all
        select user_id, local_date, 'blood_pressure'
        from (
    select user_id, local_date, systolic_mmhg as blood_pressure_systolic_mmhg, diastolic_mmhg as blood_pressure_diastolic_mmhg, readings as blood_pressure_readings, provider || '/' || source_type as blood_pressure_source, others as blood_pressure_others
    from (
      select
        *,
        count(*) over (partition by user_id, local_date) - 1 as others,
        row_number() over (
          partition by user_id, local_date order by case when provider = 'manual' then 17 else case source_type when 'lab' then 1 when 'chest_strap' then 2 when 'cuff' then 3 when 'scale' then 4 when 'ring' then 5 when 'watch' then 6 when 'earphone' then 7 when 'exercise_machine' then 8 when 'fingerprick' then 9 when 'insulin_pump' then 10 when 'automatic' then 11 when 'multiple_sources' then 12 when 'phone' then 13 when 'app' then 14 when 'unknown' then 15 when 'manual_scan' then 16 else 15 end end, days_before desc, to_hex(md5(user_id || ' ' || provider || '/' || source_type)), provider, source_type
        ) as place
      from (
        select *, count(*) over (
    partition by user_id, provider, source_type order by unix_date(local_date) range between 14 preceding and 1 preceding
  ) as days_before
        from (
          select
            user_id, local_date, provider, source_type,
            avg(systolic_mmhg) as systolic_mmhg, avg(diastolic_mmhg) as diastolic_mmhg, count(*) as readings
          from (
            select
              r.user_id, r.provider, r.source_type, (case when (r.systolic_mmhg - c.minus) * c.times / c.per between 40 and 350 then (r.systolic_mmhg - c.minus) * c.times / c.per end) as systolic_mmhg, (case when (r.diastolic_mmhg - c.minus) * c.times / c.per between 20 and 250 then (r.diastolic_mmhg - c.minus) * c.times / c.per end) as diastolic_mmhg,
              coalesce(r.local_date, date(r.start_at)) as local_date
            from `my-project.health.blood_pressure_local` r
            left join `my-project.health.unit_conversions` c on c.measure = 'blood_pressure.systolic_mmhg' and c.unit_sent = coalesce(lower(trim(r.unit, ' ')), '')
          ) readings
          where systolic_mmhg is not null or diastolic_mmhg is not null
          group by user_id, local_date, provider, source_type
        ) of_source
      ) compared
    ) ordered
    where place = 1
        ) readings
      ) measured
    ) dated
    group by user_id, local_date
  ) by_date
) known
where is_day = 1;

CREATE OR REPLACE VIEW `my-project.health.changed_person_days` (
  user_id OPTIONS (description = 'User; NULL for all users, only on BigQuery.'),
  local_date OPTIONS (description = 'Local date of the user, or `night_date` of `sleep_nights`. NULL for all days of the user, only on BigQuery.'),
  changed_at OPTIONS (description = 'When Aorta last computed rows of this day that may differ from those before. It is the time of processing, so another load of the same events has other times.')
)
OPTIONS (description = 'One day of a user, and when its rows in the views of the group `days` may last have changed. A day that has lost its rows is here, too. On BigQuery, only changes of the last 35 days are here, and NULL stands for all days, or for all users.', labels = [('aorta', 'view'), ('aorta_text', '6986b4834bef36c8')]) AS
select user_id, local_date, changed_at
from (
  SELECT user_id, local_date, MAX(changed_at) AS changed_at
  FROM (
    SELECT user_id, local_date, changed_at
    FROM `my-project.health.aorta_changed_days`
    LEFT JOIN UNNEST(GENERATE_DATE_ARRAY(from_date, to_date)) AS local_date
    UNION ALL
    SELECT user_id, local_date, changed_at
    FROM (SELECT DISTINCT user_id FROM `my-project.health.deliveries` WHERE user_id IS NOT NULL) AS users
    CROSS JOIN (
      SELECT day, changed_at, LAG(day, 1, day) OVER (ORDER BY day) AS day_before
      FROM (
        SELECT DATE(received_at) AS day, MAX(_loaded_at) AS changed_at
        FROM `my-project.health.deliveries`
        WHERE received_at <= TIMESTAMP_ADD(_loaded_at, INTERVAL 1 DAY)
        GROUP BY day
      )
    ) AS received
    CROSS JOIN UNNEST(
      GENERATE_DATE_ARRAY(DATE_SUB(day_before, INTERVAL 1 DAY), DATE_ADD(day, INTERVAL 1 DAY))
    ) AS local_date
    WHERE changed_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 35 DAY)
    UNION ALL
    SELECT user_id, local_date, _loaded_at
    FROM (
      SELECT
        user_id, received_at, _loaded_at,
        LAG(received_at) OVER (PARTITION BY user_id, provider, source_type ORDER BY received_at) AS received_before
      FROM `my-project.health.deliveries`
      WHERE source_type is not null and stream <> 'devices' and dead_letter_reason is null and not redelivered
    ) AS returned
    CROSS JOIN UNNEST(
      GENERATE_DATE_ARRAY(DATE_SUB(DATE(received_before), INTERVAL 1 DAY), DATE_ADD(DATE(received_before), INTERVAL 9 DAY))
    ) AS local_date
    WHERE _loaded_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 35 DAY) AND received_at >= TIMESTAMP_ADD(received_before, INTERVAL 1 DAY)
  ) AS changes
  GROUP BY user_id, local_date
);

CREATE OR REPLACE VIEW `my-project.health.freshness` (
  event_type OPTIONS (description = 'Type of the event, if it could be read.'),
  provider OPTIONS (description = 'Provider, if the event names one.'),
  deliveries OPTIONS (description = 'Number of deliveries received until now. (count)'),
  users OPTIONS (description = 'Number of users with such a delivery. (count)'),
  first_received_at OPTIONS (description = 'When the first delivery was received; NULL if all times of receipt are in the future.'),
  last_received_at OPTIONS (description = 'When the last delivery was received; NULL if all times of receipt are in the future.'),
  last_loaded_at OPTIONS (description = 'When a delivery was last merged, including deliveries with a time of receipt in the future.'),
  age_s OPTIONS (description = 'Time since `last_received_at`, by the clock of the warehouse; NULL if `last_received_at` is NULL. (s)'),
  deliveries_in_future OPTIONS (description = 'Number of deliveries with a time of receipt in the future. (count)')
)
OPTIONS (description = 'When the deliveries of one event type and provider were last received and loaded. An event that two sources delivered counts once.', labels = [('aorta', 'view'), ('aorta_text', 'f1aaa677e611e7f5')]) AS
select
  event_type, provider,
  count(case when received_at <= current_timestamp then 1 end) as deliveries,
  count(distinct case when received_at <= current_timestamp then user_id end) as users,
  min(case when received_at <= current_timestamp then received_at end) as first_received_at,
  max(case when received_at <= current_timestamp then received_at end) as last_received_at,
  max(_loaded_at) as last_loaded_at,
  timestamp_diff(current_timestamp, max(case when received_at <= current_timestamp then received_at end), microsecond) / 1000000.0 as age_s,
  count(case when received_at > current_timestamp then 1 end) as deliveries_in_future
from (
select kept.*
from `my-project.health.deliveries` kept
left join (
select * from `my-project.health.delivery_copies`
) copy on copy.source = kept.source and copy.source_partition = kept.source_partition and copy.source_offset = kept.source_offset and copy.received_at = kept.received_at
where copy.source is null
) once
where not redelivered
group by event_type, provider;

CREATE OR REPLACE VIEW `my-project.health.provider_latency` (
  provider OPTIONS (description = 'Slug of the provider.'),
  measurements OPTIONS (description = 'Number of measurements after the connection. Corrections do not count, nor do measurements later than their receipt. One that is sent again as new counts with its last receipt. (count)'),
  median_min OPTIONS (description = 'Shortest time within which half of them arrive, from their end to their receipt. (min)'),
  p90_min OPTIONS (description = 'Shortest time within which 90 % of them arrive. (min)'),
  unknown_instant OPTIONS (description = 'Number of measurements that are left out because they have a local time and the user’s offset is not known. (count)')
)
OPTIONS (description = 'How long the new measurements of one provider take to arrive: samples, readings of blood pressure and workouts.', labels = [('aorta', 'view'), ('aorta_text', 'a43daf31f022b441')]) AS
with received as (
  select s.user_id, s.provider, s.event_type, case when s.time_basis = 'floating' then safe.timestamp_add(coalesce(s.end_at, s.start_at), interval -s.local_offset_s second) else coalesce(s.end_at, s.start_at) end as measured_at, s._received_at as received_at
  from `my-project.health.timeseries_local` s
  union all
  select s.user_id, s.provider, s.event_type, case when s.time_basis = 'floating' then safe.timestamp_add(s.start_at, interval -s.local_offset_s second) else s.start_at end, s._received_at
  from `my-project.health.blood_pressure_local` s
  union all
  select user_id, provider, event_type, time_end, _received_at
  from `my-project.health.workouts`
  where time_end is not null
),
-- Millions of measurements have few different latencies.
latencies as (
  select r.provider, cast(floor(timestamp_diff(received_at, measured_at, microsecond) / 1000000.0) as int64) as latency_s, count(*) as measurements
  from received r
  join `my-project.health.connections` c on c.user_id = r.user_id and c.provider = r.provider
  where r.event_type like '%.created'
    and (measured_at is null or c.connected_at is not null and measured_at >= c.connected_at and measured_at <= received_at)
  group by r.provider, cast(floor(timestamp_diff(received_at, measured_at, microsecond) / 1000000.0) as int64)
)
select
  provider, cast(coalesce(max(of_provider), 0) as int64) as measurements,
  min(case when 2 * up_to >= of_provider then latency_s end) / 60.0 as median_min, min(case when 10 * up_to >= 9 * of_provider then latency_s end) / 60.0 as p90_min,
  cast(coalesce(sum(case when latency_s is null then measurements end), 0) as int64) as unknown_instant
from (
  select
    *, sum(case when latency_s is not null then measurements end) over (partition by provider) as of_provider,
    sum(case when latency_s is not null then measurements end) over (partition by provider order by latency_s) as up_to
  from latencies
) ordered
group by provider;

CREATE OR REPLACE VIEW `my-project.health.event_volume` (
  received_date OPTIONS (description = 'Day of receipt, in UTC.'),
  event_type OPTIONS (description = 'Type of the event, if it could be read.'),
  provider OPTIONS (description = 'Provider, if the event names one.'),
  stream OPTIONS (description = 'Stream that holds the delivery.'),
  deliveries OPTIONS (description = 'Number of deliveries. (count)'),
  users OPTIONS (description = 'Number of users with a delivery. (count)'),
  samples OPTIONS (description = 'Number of samples kept from the deliveries. (count)'),
  body_bytes OPTIONS (description = 'Total length of the uncompressed bodies. (byte)'),
  redelivered OPTIONS (description = 'Number of deliveries that the redelivery window already contained. (count)'),
  dead_letters OPTIONS (description = 'Number of deliveries that became dead letters. (count)')
)
OPTIONS (description = 'The deliveries of one day of receipt, event type, provider and stream. An event that two sources delivered counts once.', labels = [('aorta', 'view'), ('aorta_text', '30a11a9a824b5981')]) AS
select
  date(received_at) as received_date,
  event_type, provider, stream,
  count(*) as deliveries,
  count(distinct user_id) as users,
  cast(coalesce(sum(samples), 0) as int64) as samples,
  cast(sum(body_bytes) as int64) as body_bytes,
  count(case when redelivered then 1 end) as redelivered,
  count(dead_letter_reason) as dead_letters
from (
select kept.*
from `my-project.health.deliveries` kept
left join (
select * from `my-project.health.delivery_copies`
) copy on copy.source = kept.source and copy.source_partition = kept.source_partition and copy.source_offset = kept.source_offset and copy.received_at = kept.received_at
where copy.source is null
) once
group by date(received_at), event_type, provider, stream;

CREATE OR REPLACE VIEW `my-project.health.completeness` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource, as in the service\'s introspection.'),
  sent OPTIONS (description = 'Number of objects that the service sent in `*.created` events. (count)'),
  received OPTIONS (description = 'Number of objects that arrived in `*.created` events; NULL if the events of this resource do not name their provider. (count)'),
  backfilled OPTIONS (description = 'Number of objects that the largest backfill fetched; 0 without a backfill. (count)'),
  gap OPTIONS (description = 'Number of objects that were sent and did not arrive in events. NULL if `sent` or `received` is NULL. (count)'),
  closed_by_backfill OPTIONS (description = 'Least number of these objects that a backfill recovered; NULL if `gap` is NULL. (count)'),
  missing OPTIONS (description = 'Number of these objects that no backfill recovered; NULL if `gap` is NULL. (count)'),
  oldest_data OPTIONS (description = 'Time of the oldest data.'),
  newest_data OPTIONS (description = 'Time of the newest data.'),
  last_attempt_at OPTIONS (description = 'When the service last asked the provider for data.'),
  last_attempt_status OPTIONS (description = '`success` or `failure`.'),
  backfilled_at OPTIONS (description = 'When the last backfill ended; NULL without a backfill.'),
  as_of OPTIONS (description = 'When the service gave its answer.')
)
OPTIONS (description = 'One resource of a user’s provider: how many objects the service has sent, and how many have arrived.', labels = [('aorta', 'view'), ('aorta_text', '30da46e18672ffd5')]) AS
with arrived as (
  select
    user_id, event_type, delivery, provider, resource, min(received_at) as received_at, max(objects) as objects,
    min(source) as source, min(body_bytes) as body_bytes, min(body_crc32) as body_crc32
  from (
    select
      user_id, provider, received_at, event_type, source, body_bytes, body_crc32,
      case when event_type like 'daily.data.%' then nullif(split(event_type, '.')[safe_ordinal(3)], '') else nullif(split(event_type, '.')[safe_ordinal(2)], '') end as resource,
      coalesce(delivery_id, source || ' ' || source_partition || ' ' || cast(source_offset as string)) as delivery,
      coalesce(samples, 1) as objects
    from `my-project.health.deliveries`
    where (event_type like 'daily.data.%.created' or event_type in ('provider.connection.created', 'provider.device.created'))
      and not redelivered and dead_letter_reason is null
  ) came
  group by user_id, event_type, delivery, provider, resource
),
came as (
  select * from arrived
),
-- In most warehouses no user has two sources, and this cheap step leaves nothing for the others.
shared_users as (
  select shared_user
  from (select coalesce(user_id, '') as shared_user, source from came) of_users
  group by shared_user
  having min(source) <> max(source)
),
shared as (
  select body_bytes as key_bytes, body_crc32 as key_crc32
  from came
  join shared_users on shared_user = coalesce(user_id, '')
  group by body_bytes, body_crc32
  having min(source) <> max(source)
),
keyed as (
  select
    came.user_id, came.event_type, came.delivery, came.source as own, came.received_at as came_at,
    key_bytes, key_crc32, coalesce(came.user_id, '') as key_user_id, coalesce(came.event_type, '') as key_event_type
  from came
  join shared on key_bytes = came.body_bytes and key_crc32 = came.body_crc32
),
numbered as (
  select *, sum(starts) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, user_id, event_type, delivery) as session
  from (
    select
      *,
      case when came_at > timestamp_add(lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type order by came_at, own, user_id, event_type, delivery), interval 172800 second) then 1 else 0 end as starts
    from keyed
  ) gaps
),
paired as (
  select one.*, least(own, other) as first_source, greatest(own, other) as second_source, case when own < other then 1 else -1 end as step
  from numbered one
  join (select distinct key_bytes, key_crc32, key_user_id, key_event_type, session, own as other from numbered) sources
    on sources.key_bytes = one.key_bytes and sources.key_crc32 = one.key_crc32 and sources.key_user_id = one.key_user_id and sources.key_event_type = one.key_event_type and sources.session = one.session and other <> own
),
balanced as (
  select *, sum(step) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source order by came_at, own, user_id, event_type, delivery) as balance
  from paired
),
levels as (
  select
    *, abs(balance) < abs(balance - step) as ends_pair,
    case when abs(balance) < abs(balance - step) then balance - step else balance end as level
  from balanced
),
created as (
  select kept.*
from arrived kept
left join (
select distinct user_id, event_type, delivery
from (
  select
    *, lag(came_at) over (partition by key_bytes, key_crc32, key_user_id, key_event_type, session, first_source, second_source, level order by came_at, own, user_id, event_type, delivery) as partner_at
  from levels
) ended
where ends_pair and came_at <= timestamp_add(partner_at, interval 172800 second)
) copy on copy.user_id = kept.user_id and copy.event_type = kept.event_type and copy.delivery = kept.delivery
where copy.user_id is null
),
received as (
  select user_id, provider, resource, cast(sum(objects) as int64) as objects
  from created
  group by user_id, provider, resource
),
backfilled as (
  select
    user_id, provider, resource, max(objects) as objects, cast(max(objects - known) as int64) as found,
    max(finished_at) as finished_at
  from (
    select
      b.user_id, b.provider, b.resource, b.from_day, b.to_day, b.objects, b.finished_at,
      coalesce(sum(case when c.received_at <= b.finished_at then c.objects end), 0) as known
    from `my-project.health.backfills` b
    left join created c on c.user_id = b.user_id and c.provider = b.provider and c.resource = b.resource
    group by b.user_id, b.provider, b.resource, b.from_day, b.to_day, b.objects, b.finished_at
  ) each_one
  group by user_id, provider, resource
)
select
  user_id, provider, resource, sent, received, backfilled, gap,
  case when gap is not null then least(gap, found) end as closed_by_backfill, gap - least(gap, found) as missing,
  oldest_data, newest_data, last_attempt_at, last_attempt_status, backfilled_at, as_of
from (
  select
    s.user_id, s.provider, s.resource, s.sent_count as sent,
    case when s.is_counted then coalesce(r.objects, 0) end as received,
    coalesce(b.objects, 0) as backfilled, greatest(coalesce(b.found, 0), 0) as found,
    case when s.is_counted and s.sent_count is not null then greatest(s.sent_count - coalesce(r.objects, 0), 0) end as gap,
    s.oldest_data, s.newest_data, s.last_attempt_at, s.last_attempt_status, b.finished_at as backfilled_at, s._received_at as as_of
  from (
    select
      *, resource not in ('appointment', 'device_legacy', 'match_review', 'order', 'result', 'result_table', 'sleep_stream') as is_counted,
      case resource when 'body_fat' then 'fat' when 'body_weight' then 'weight' else resource end as event_resource
    from `my-project.health.sent_resources`
  ) s
  left join received r on r.user_id = s.user_id and r.provider = s.provider and r.resource = s.event_resource
  left join backfilled b on b.user_id = s.user_id and b.provider = s.provider and b.resource = s.event_resource
) compared;

CREATE OR REPLACE VIEW `my-project.health.historical_pulls` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pulls.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  is_present OPTIONS (description = 'Whether the pull is the current one of its resource. The board shows only current pulls.'),
  scheduled_at OPTIONS (description = 'When the service scheduled the pull, which identifies it. Null if introspection has not reported the pull.'),
  range_start OPTIONS (description = 'Start of the pulled range.'),
  range_end OPTIONS (description = 'End of the pulled range.'),
  state OPTIONS (description = '`expected`, `scheduled`, `in_progress`, `retrying`, `success`, `failure` or `unknown`.'),
  since OPTIONS (description = 'When the pull entered the state.'),
  progressed_at OPTIONS (description = 'When the pull last made progress: it was first reported, more days had data, a part of the data arrived, or the outcome changed.'),
  retrying_since OPTIONS (description = 'When the first temporary problem was reported. Later attempts do not reset it. Null after the pull has ended.'),
  status OPTIONS (description = 'Status of the last answer that changed or confirmed the state, as the service spells it.'),
  error_details OPTIONS (description = 'Kind of the last error, as the service spells it.'),
  error_class OPTIONS (description = '`retriable` or `final`. Unknown kinds are retriable until the service reports `failure`.'),
  expected_at OPTIONS (description = 'When the user connected the provider, which makes the pull expected.'),
  started_at OPTIONS (description = 'When the service started the pull.'),
  ended_at OPTIONS (description = 'When its last attempt ended. The pull itself may continue.'),
  days_with_data OPTIONS (description = 'Number of days with data in the range. It grows until the pull has ended. (day)'),
  provisional OPTIONS (description = 'Whether its success comes from a completion event that introspection has not confirmed.'),
  perhaps_completed_at OPTIONS (description = 'When a completion event arrived that may belong to this pull or to a different one.'),
  announced_at OPTIONS (description = 'When the provider announced the end. It does so at once, before there is any data.'),
  broken_at OPTIONS (description = 'When the connection broke, if the user has not connected the provider again.'),
  not_pulled_at OPTIONS (description = 'When the service reported that the resource is not pulled, or that the connection does not provide it.'),
  contradicted_at OPTIONS (description = 'When the service reported a different outcome after the pull had ended.'),
  knows_retrying OPTIONS (description = 'False if the connection is from before 9 May 2025, so that a `failure` may be temporary. Null if unknown.'),
  reports OPTIONS (description = 'False if the service never reports on pulls of this provider and resource.'),
  service_since OPTIONS (description = 'When the pull entered the state, by the service\'s own times. Null if no answer of the service reports it.'),
  service_retrying_since OPTIONS (description = 'End of the first attempt with a temporary problem, by the service\'s own times. Null after the pull has ended.'),
  trace_id OPTIONS (description = 'Trace id for requests to the service\'s support. Null after the pull has succeeded.')
)
OPTIONS (description = 'One historical pull, with the state derived from all the evidence. `is_present` marks the latest pull of a user, provider and resource.', labels = [('aorta', 'view'), ('aorta_text', '17e8b82138e6f4d1')]) AS
select * from `my-project.health.historical_pull_tracks_pulls`;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_changes` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pulls.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  scheduled_at OPTIONS (description = 'When the pull was scheduled, which identifies it.'),
  range_start OPTIONS (description = 'Start of the range of the pull.'),
  range_end OPTIONS (description = 'End of the range of the pull.'),
  changed_at OPTIONS (description = 'Time of the evidence for the change.'),
  from_state OPTIONS (description = 'State before the change. Null for the first change of a pull.'),
  to_state OPTIONS (description = 'State after the change.'),
  event OPTIONS (description = 'Event that caused the change.'),
  status OPTIONS (description = 'Status as the service spells it.'),
  error_details OPTIONS (description = 'Kind of the error, as the service spells it.')
)
OPTIONS (description = 'One change of a historical pull to another state or another kind of problem.', labels = [('aorta', 'view'), ('aorta_text', '0e304b1b9c0cd97d')]) AS
select * from `my-project.health.historical_pull_tracks_changes`;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_evidence` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pulls.'),
  ordinal OPTIONS (description = 'Position in the list, from 1.'),
  evidence_at OPTIONS (description = 'Evidence time: when the event was received, or when the service answered.'),
  kind OPTIONS (description = '`connected`, `connection_error`, `expected`, `unavailable`, `not_pulled`, `completed`, `completed_partly` or `told`.'),
  scheduled_at OPTIONS (description = 'When the reported pull was scheduled.'),
  range_start OPTIONS (description = 'Start of the range.'),
  range_end OPTIONS (description = 'End of the range.'),
  status OPTIONS (description = 'Status as the service spells it.'),
  started_at OPTIONS (description = 'When the service started the pull.'),
  ended_at OPTIONS (description = 'When the last attempt of the pull ended.'),
  days_with_data OPTIONS (description = 'Number of days with data in the range. (day)'),
  error_details OPTIONS (description = 'Kind of the error.')
)
OPTIONS (description = 'One fact about the historical pulls of a user, provider and resource. The facts may come from several pulls.', labels = [('aorta', 'view'), ('aorta_text', '85af8bcd13231d24')]) AS
select * from `my-project.health.historical_pull_tracks_evidence`;

CREATE OR REPLACE VIEW `my-project.health.historical_pull_board` (
  user_id OPTIONS (description = 'The service\'s id of the user.'),
  provider OPTIONS (description = 'Slug of the provider.'),
  resource OPTIONS (description = 'Resource of the pulls.'),
  standing OPTIONS (description = '`complete`, `in_motion`, `retrying`, `stalled`, `failed`, `unknown`, `announced`, `not_pulled`, `not_reported` or `gone`.'),
  since OPTIONS (description = 'When the pull entered its state, or had its first temporary problem. For a stalled pull: when it last made progress. If there is no pull: when the service reported that.'),
  reason OPTIONS (description = 'Why the pull has this standing, in words.'),
  what_to_do OPTIONS (description = 'Next step of the operator, in words; NULL if there is none.'),
  state OPTIONS (description = '`expected`, `scheduled`, `in_progress`, `retrying`, `success`, `failure` or `unknown`.'),
  status OPTIONS (description = 'Status of the last answer that changed or confirmed the state, as the service spells it.'),
  error_details OPTIONS (description = 'Kind of the last error, as the service spells it.'),
  error_class OPTIONS (description = '`retriable` or `final`. Unknown kinds are retriable until the service reports `failure`.'),
  scheduled_at OPTIONS (description = 'When the service scheduled the pull, which identifies it. Null if introspection has not reported the pull.'),
  range_start OPTIONS (description = 'Start of the pulled range.'),
  range_end OPTIONS (description = 'End of the pulled range.'),
  days_with_data OPTIONS (description = 'Number of days with data in the range. It grows until the pull has ended. (day)'),
  provisional OPTIONS (description = 'Whether its success comes from a completion event that introspection has not confirmed.'),
  knows_retrying OPTIONS (description = 'False if the connection is from before 9 May 2025, so that a `failure` may be temporary. Null if unknown.'),
  broken_at OPTIONS (description = 'When the connection broke, if the user has not connected the provider again.'),
  contradicted_at OPTIONS (description = 'When the service reported a different outcome after the pull had ended.'),
  as_of OPTIONS (description = 'When the service last answered about the user; NULL if it has not answered.'),
  stale OPTIONS (description = 'Whether the last answer is too old, or there is none. False if the service no longer has the user.'),
  trace_id OPTIONS (description = 'Trace id for requests to the service\'s support. Null after the pull has succeeded.'),
  _loaded_at OPTIONS (description = 'When the row was last merged.'),
  answer_loaded_at OPTIONS (description = 'When the last answer was loaded; NULL if there is none.')
)
OPTIONS (description = 'The current state of the latest historical pull of one user, provider and resource, and what to do about it.', labels = [('aorta', 'view'), ('aorta_text', 'ffb0616f70bfbd38')]) AS
select
  user_id, provider, resource, standing,
  case standing
    when 'retrying' then coalesce(service_retrying_since, retrying_since)
    when 'gone' then since
    when 'stalled' then case
      when broken_at is null and progressed_at > since then progressed_at
      when broken_at is null then least(progressed_at, coalesce(service_since, since))
      else coalesce(service_since, since)
    end
    else coalesce(service_since, since)
  end as since,
  case
    when standing = 'gone' then 'the service no longer has this user'
    when standing = 'complete' and provisional then 'the service announced the end; its introspection does not report it yet'
    when standing = 'complete' and days_with_data = 0 then 'done, and no day of the range had data'
    when standing = 'complete' then 'done'
    when standing = 'failed' and knows_retrying = false
      then coalesce(error_details, 'no reason given') || '; perhaps temporary: the service does not say so for connections made before 9 May 2025'
    when standing = 'failed' then coalesce(error_details, 'no reason given')
    when standing = 'retrying' then coalesce(error_details, 'no reason given')
    when standing = 'stalled' and broken_at is not null then 'the connection broke'
    when standing = 'stalled' and state = 'expected' and as_of is null then 'connected, but no event or answer mentions a pull'
    when standing = 'stalled' and state = 'expected' then 'connected, but the service has planned no pull'
    when standing = 'stalled' and state = 'retrying'
      then 'no progress, although the service tries again: ' || coalesce(error_details, 'no reason given')
    when standing = 'stalled' then 'no progress: no further day has data'
    when standing = 'unknown' then 'unknown status from the service: ' || coalesce(nullif(status, ''), 'none')
    when standing = 'not_pulled' then 'the service does not pull this resource of the connection'
    when standing = 'announced' then 'this provider announces the end before any data arrives'
    when standing = 'not_reported' then 'the service never reports on this resource of this provider'
    when perhaps_completed_at is not null then 'one of several pulls has ended; the service does not say yet which one'
    when retrying_since is not null then 'trying again'
    when state = 'expected' then 'connected'
    else state
  end as reason,
  case
    when standing = 'failed' and error_class = 'retriable' then 'trigger the pull again'
    when standing = 'failed' then 'ask the user to connect again, or the service for the reason, by its trace id'
    when standing = 'retrying' and error_class = 'final' then 'wait: the service tries again, although the error says that it does not'
    when standing = 'retrying' then 'wait: the service tries again by itself'
    when standing = 'stalled' and broken_at is not null then 'ask the user to connect again'
    when standing = 'stalled' then 'trigger the pull again, or ask the service'
    when standing = 'not_pulled' then 'ask the user for the permissions that the resource needs'
    when standing = 'announced' then 'expect the data as daily events'
    when standing = 'not_reported' then 'judge by the data that has arrived'
    when standing = 'unknown' then 'look up the status; a newer version of Aorta may know it'
    when standing = 'gone' then 'nothing, or erase the user: aorta status says what is due'
  end as what_to_do,
  state, status, error_details, error_class, scheduled_at, range_start, range_end, days_with_data, provisional,
  knows_retrying, broken_at, contradicted_at, as_of, case when gone then false else coalesce(stale_at < current_timestamp, true) end as stale,
  trace_id, _loaded_at, answer_loaded_at
from (
  select
    t.b.scheduled_at, t.b.range_start, t.b.range_end, t.b.state, t.b.since, t.b.retrying_since, t.b.status, t.b.error_details, t.b.error_class, t.b.days_with_data, t.b.provisional, t.b.perhaps_completed_at, t.b.broken_at, t.b.contradicted_at, t.b.knows_retrying, t.b.service_since, t.b.service_retrying_since, t.b.trace_id, coalesce(t.b.progressed_at, t.b.since) as progressed_at,
    t.user_id, t.provider, t.resource, t._loaded_at, p._loaded_at as answer_loaded_at, p._received_at as as_of, p.stale_at, p.gone,
    case
      when t.b.state = 'success' then 'complete'
      when p.gone then 'gone'
      when t.b.state = 'failure' then 'failed'
      when t.b.state = 'unknown' then 'unknown'
      when t.b.state = 'expected' and t.b.announced_at is not null then 'announced'
      when t.b.state = 'expected' and t.b.not_pulled_at is not null then 'not_pulled'
      when t.b.state = 'expected' and not t.b.reports then 'not_reported'
      when t.b.broken_at is not null then 'stalled'
      when timestamp_diff(coalesce(p._received_at, current_timestamp), coalesce(t.b.progressed_at, t.b.since), microsecond) / 1000000.0 > coalesce(p.stalled_after_s, t.stalled_after_s, 86400) then 'stalled'
      when t.b.state = 'retrying' then 'retrying'
      else 'in_motion'
    end as standing
  from (
    select user_id, provider, resource, stalled_after_s, _loaded_at, pulls[safe_ordinal(array_length(pulls))] as b
    from `my-project.health.historical_pull_tracks`
  ) t
  left join `my-project.health.introspection_polls` p on p.user_id = t.user_id
) standings
union all
-- The service pulls no such resource, and nothing else was ever heard of one.
select
  user_id, provider, resource, 'not_pulled', told_at, 'the service does not pull this resource of the connection', 'ask the user for the permissions that the resource needs',
  'expected', null, null, null, null, null, null, null, false,
  null, null, null, told_at, coalesce(stale_at < current_timestamp, true),
  null, null, answer_loaded_at
from (
  select distinct n.user_id, n.provider, n.resource, p._received_at as told_at, p.stale_at, p._loaded_at as answer_loaded_at
  from `my-project.health.introspection_polls_not_pulled` n
  join `my-project.health.introspection_polls` p on p.user_id = n.user_id
  left join `my-project.health.historical_pull_tracks` t
    on t.user_id = n.user_id and t.provider = n.provider and t.resource = n.resource
  where t.user_id is null
) never_pulled;

CREATE OR REPLACE VIEW `my-project.health.people` (
  user_id OPTIONS (description = 'The service’s id of the user.'),
  client_user_id OPTIONS (description = 'The customer’s id of the user, from `users`, otherwise from the newest event that names it; NULL if none does.'),
  time_zone OPTIONS (description = 'Current IANA time zone; NULL if it is unknown.'),
  timezone_offset_s OPTIONS (description = 'Current offset of local time from UTC, positive to the east; NULL if the time zone is known, or neither is. (s)'),
  sources OPTIONS (description = 'Sources with data, as `provider/source_type`, separated by commas; NULL if there are none.'),
  first_date OPTIONS (description = 'First local date with data; NULL without data.'),
  last_date OPTIONS (description = 'Last local date with data, as in `person_sources`; NULL without data.'),
  last_received_at OPTIONS (description = 'When the last delivery was received, also an answer to a poll by Aorta; NULL if there is none. `person_sources` has the last receipt of each source.'),
  devices OPTIONS (description = 'Number of devices. (count)'),
  open_pulls OPTIONS (description = 'Number of historical pulls that are `in_motion`, `retrying` or `stalled` in `historical_pull_board`. (count)')
)
OPTIONS (description = 'One person: both ids, the time zone, the sources and what there is of them.', labels = [('aorta', 'view'), ('aorta_text', '218faa6ddba7294a')]) AS
select
  known.user_id, known.client_user_id, zone.time_zone, zone.offset_s as timezone_offset_s, data.sources, data.first_date, data.last_date,
  known.last_received_at, coalesce(of_devices.devices, 0) as devices, coalesce(of_open_pulls.open_pulls, 0) as open_pulls
from (
  select
    user_id, coalesce(max(listed_id), any_value(sent_id having max if(sent_id is not null, unix_micros(received_at) + 62200000000000000, 0))) as client_user_id, max(received_at) as last_received_at
  from (
    select user_id, cast(null as string) as listed_id, client_user_id as sent_id, received_at
    from `my-project.health.deliveries`
    where user_id is not null
    union all
    select user_id, client_user_id, null, null
    from `my-project.health.users`
  ) named
  group by user_id
) known
left join `my-project.health.user_time_zones` zone on zone.user_id = known.user_id and zone.to_at is null
left join (
  select user_id, string_agg(distinct source, ', ' order by source) as sources, min(first_date) as first_date, max(last_date) as last_date
  from `my-project.health.person_sources`
  group by user_id
) data on data.user_id = known.user_id
left join (
  select user_id, count(*) as devices
  from `my-project.health.devices`
  group by user_id
) of_devices on of_devices.user_id = known.user_id
left join (
  select user_id, count(*) as open_pulls
  from `my-project.health.historical_pull_board`
  where standing in ('in_motion', 'retrying', 'stalled')
  group by user_id
) of_open_pulls on of_open_pulls.user_id = known.user_id;
