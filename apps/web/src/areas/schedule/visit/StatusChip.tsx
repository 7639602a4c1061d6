import { type VisitStatus, visitStatuses } from '@ordinator/model/areas/visits/rules'
import type { CSSProperties } from 'react'
import { statusLooks } from '../statuses.ts'
import classes from './StatusChip.module.css'

/** A status by colour, picture and word. @param late it should have changed by now */
export function StatusChip({ status, late }: { status: VisitStatus; late?: boolean }) {
  const { icon: Icon, color } = statusLooks[status]
  return (
    <span className={classes.chip} style={{ '--tone': color } as CSSProperties} data-late={late || undefined}>
      <Icon size={16} aria-hidden />
      {late ? 'Опаздывает' : visitStatuses[status]}
    </span>
  )
}
