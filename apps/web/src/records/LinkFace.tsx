import type { TablerIcon } from '@tabler/icons-react'
import classes from './LinkedRecords.module.css'

/** Texts of a linked record. */
export interface LinkWords {
  name: string
  state: string
  /** A second line. */
  meta?: string
  /** Where it differs from the kind's icon. */
  icon?: TablerIcon
}

/** Content of a row for a linked record. */
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
