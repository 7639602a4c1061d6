/**
 * Westgard rules over the runs of one control (analyte, level, lot): Westgard J. O. et al., Clin Chem 1981;27:493. A
 * warning lets results pass, a rejection holds the results it covers. Pure.
 */

export const westgardRules = {
  '1-2s': 'Одно значение за ±2s',
  '1-3s': 'Одно значение за ±3s',
  '2-2s': 'Два подряд за одним и тем же 2s',
  'R-4s': 'Два подряд разошлись больше чем на 4s',
  '4-1s': 'Четыре подряд за одним и тем же 1s',
  '10x': 'Десять подряд с одной стороны от среднего',
  qualitative: 'Качественный контроль не совпал с ожидаемым',
} as const
export type WestgardRule = keyof typeof westgardRules

/** All other rules reject the run. */
export const isWarning = (rule: WestgardRule): boolean => rule === '1-2s'

/** Distance from the mean in standard deviations; null if the deviation is 0. */
export const zOf = (value: number, mean: number, sd: number): number | null => (sd > 0 ? (value - mean) / sd : null)

/**
 * Rules broken by the last run.
 * @param series z of the runs in order, the newest last; rejected runs included
 */
export function brokenRules(series: readonly number[]): WestgardRule[] {
  const now = series.at(-1)
  if (now === undefined) return []
  const broken: WestgardRule[] = []
  if (Math.abs(now) > 3) broken.push('1-3s')
  const before = series.at(-2)
  if (before !== undefined) {
    if (allBeyond(series.slice(-2), 2)) broken.push('2-2s')
    if (Math.abs(now - before) > 4 && now * before < 0) broken.push('R-4s')
  }
  if (series.length >= 4 && allBeyond(series.slice(-4), 1)) broken.push('4-1s')
  if (series.length >= 10 && allBeyond(series.slice(-10), 0)) broken.push('10x')
  if (broken.length === 0 && Math.abs(now) > 2) broken.push('1-2s')
  return broken
}

const allBeyond = (values: readonly number[], limit: number): boolean =>
  values.every((value) => value > limit) || values.every((value) => value < -limit)

/** Sigma of a method: (TEa − |bias|) / CV, all in percent of the mean; null if undefined. */
export function sigmaOf({
  tea,
  mean,
  sd,
  observed,
}: {
  tea: number | null
  mean: number
  sd: number
  observed: number
}) {
  if (tea === null || mean === 0 || sd <= 0) return null
  const bias = (Math.abs(observed - mean) / Math.abs(mean)) * 100
  const cv = (sd / Math.abs(mean)) * 100
  return Math.round(((tea - bias) / cv) * 10) / 10
}
