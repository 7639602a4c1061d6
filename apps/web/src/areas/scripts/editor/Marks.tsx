import type { StepMark } from '@ordinator/model/areas/scripts/graph'
import classes from './Marks.module.css'
import { markWords } from './marks.ts'

/** Marks of a step as coloured labels. */
export function Marks({ marks }: { marks: readonly StepMark[] }) {
  return marks.map((mark) => (
    <span key={mark} className={classes.mark} data-mark={mark}>
      {markWords[mark]}
    </span>
  ))
}
