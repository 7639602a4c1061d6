import type { StepMark } from '@ordinator/model/areas/scripts/graph'
import classes from './Marks.module.css'
import { markWords } from './marks.ts'

/** What is to be said of a step, in coloured words. */
export function Marks({ marks }: { marks: readonly StepMark[] }) {
  return marks.map((mark) => (
    <span key={mark} className={classes.mark} data-mark={mark}>
      {markWords[mark]}
    </span>
  ))
}
