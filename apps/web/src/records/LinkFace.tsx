import type { TablerIcon } from '@tabler/icons-react'
import classes from './LinkedRecords.module.css'

/** How one linked record is told. */
export interface LinkWords {
  name: string
  state: string
  /** A second line. */
  meta?: string
  /** Where it differs from that of the kind. */
  icon?: TablerIcon
}

/** The inside of a line that stands for a record. */
export function LinkFace({ words: { name, state, meta, icon }, kindIcon }: { words: LinkWords; kindIcon: TablerIcon }) {
  const Icon = icon ?? kindIcon
  return (
    <>
      <Icon size={16} aria-hidden />
      <span className={classes.text}>
        <span className={classes.name} title={name}>
          {name}
        </span>
        {meta && <span className={`${classes.meta} tabular`}>{meta}</span>}
      </span>
      {state && <span className={`${classes.state} tabular`}>{state}</span>}
    </>
  )
}
