import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { IconAlertTriangle } from '@tabler/icons-react'
import { clockOf } from '../../../kit/dayGrid/scale.ts'
import type { VisitItem } from '../grid/sheet.ts'
import { statusLooks } from '../statuses.ts'
import classes from './VisitFace.module.css'

/** A visit in the grid: its state by colour, picture and, where there is room, word. Plain elements: there are hundreds. */
export function VisitFace({ item: { visit, from, late }, lines }: { item: VisitItem; lines: number }) {
  const { icon: Icon, color } = statusLooks[visit.visitStatus]
  const isOff = visit.visitStatus === 'cancelled' || visit.visitStatus === 'moved'
  const word = late ? 'Опаздывает' : visitStatuses[visit.visitStatus]
  return (
    <span
      className={classes.face}
      style={{ '--tone': color } as React.CSSProperties}
      data-late={late || undefined}
      data-status={visit.visitStatus}
    >
      <span className={classes.line}>
        <Icon size={14} className={classes.icon} aria-hidden />
        <span className="tabular">{clockOf(from)}</span>
        <span className={`${classes.patient} ${isOff ? classes.off : ''}`}>{visit.patient ?? 'Пациент'}</span>
        {visit.needsRebook && <IconAlertTriangle size={14} className={classes.warning} aria-hidden />}
      </span>
      {lines > 1 && <span className={classes.more}>{visit.needsRebook ? 'Требует переноса' : visit.services}</span>}
      {lines > 2 && <span className={classes.word}>{word}</span>}
    </span>
  )
}
