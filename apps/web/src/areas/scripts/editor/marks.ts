import type { StepMark } from '@ordinator/model/areas/scripts/graph'

/** A mark on a step, in a word. */
export const markWords: Record<StepMark, string> = {
  unreachable: 'недостижим',
  noExit: 'нет выхода',
  end: 'конец',
}
