/**
 * Returns the age in years on a date. Both dates are YYYY-MM-DD. A person born on 29 February turns a year older on 1 March
 * if the year has no 29 February.
 */
export function ageOn(date: string, birthDate: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
