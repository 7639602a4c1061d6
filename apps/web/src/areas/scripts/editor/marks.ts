import type { StepMark } from '@ordinator/model/areas/scripts/graph'

/** Labels of a step's marks. */
export const markWords: Record<StepMark, string> = {
  unreachable: 'недостижим',
  noExit: 'нет выхода',
  end: 'конец',
}
