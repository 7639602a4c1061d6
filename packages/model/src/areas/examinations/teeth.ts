export const toothStates = {
  healthy: 'Здоров',
  caries: 'Кариес',
  pulpitis: 'Пульпит',
  periodontitis: 'Периодонтит',
  filling: 'Пломба',
  crown: 'Коронка',
  root: 'Корень',
  implant: 'Имплантат',
  missing: 'Отсутствует',
} as const
export type ToothState = keyof typeof toothStates
/** Dentists' symbols for the chart. */
export const toothSigns: Record<ToothState, string> = {
  healthy: '',
  caries: 'C',
  pulpitis: 'P',
  periodontitis: 'Pt',
  filling: 'П',
  crown: 'К',
  root: 'R',
  implant: 'И',
  missing: 'О',
}
const row = (count: number, ...quarters: readonly [number, boolean][]) =>
  quarters.flatMap(([quarter, back]) => {
    const teeth = Array.from({ length: count }, (_, at) => `${quarter}${at + 1}`)
    return back ? teeth.reverse() : teeth
  })
/** Two-digit numbers (FDI, ISO 3950), upper and lower jaw, as seen by the dentist. */
export const jaws: readonly (readonly string[])[] = [row(8, [1, true], [2, false]), row(8, [4, true], [3, false])]
/** Milk teeth, in the same order. */
export const milkJaws: readonly (readonly string[])[] = [row(5, [5, true], [6, false]), row(5, [8, true], [7, false])]
export const toothNumbers: readonly string[] = [...jaws, ...milkJaws].flat()
