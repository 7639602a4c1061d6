import { type VisitStatus, visitStatuses } from '@ordinator/model/areas/visits/rules'
import type { CSSProperties } from 'react'
import { statusLooks } from '../statuses.ts'
import classes from './StatusChip.module.css'

/** Status by colour, icon and text. @param late overdue for a change */
export function StatusChip({ status, late }: { status: VisitStatus; late?: boolean }) {
  const { icon: Icon, color } = statusLooks[status]
  return (
    <span className={classes.chip} style={{ '--tone': color } as CSSProperties} data-late={late || undefined}>
      <Icon size={16} aria-hidden />
      {late ? 'Опаздывает' : visitStatuses[status]}
    </span>
  )
}
