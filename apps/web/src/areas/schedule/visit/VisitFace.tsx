import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { IconAlertTriangle, IconCoin, IconCoinOff, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { clockOf } from '#kit/dayGrid/scale.ts'
import { type GroupItem, paidWord, placesText, type SheetItem, type VisitItem } from '../grid/sheet.ts'
import { statusLooks } from '../statuses.ts'
import classes from './VisitFace.module.css'

/** An item of the grid. */
export const SheetFace = ({ item, lines }: { item: SheetItem; lines: number }) =>
  'group' in item ? <GroupFace item={item} lines={lines} /> : <VisitFace item={item} lines={lines} />

/** A group visit: participants and capacity. */
function GroupFace({ item: { group, members, from }, lines }: { item: GroupItem; lines: number }) {
  const bad = members.some(({ needsRebook }) => needsRebook)
  return (
    <span className={classes.face} data-group data-full={group.taken >= group.capacity || undefined}>
      <span className={classes.line}>
        <IconUsersGroup size={14} className={classes.icon} aria-hidden />
        <span className="tabular">{clockOf(from)}</span>
        <span className={classes.patient}>{group.service}</span>
        {bad && <IconAlertTriangle size={14} className={classes.warning} aria-hidden />}
        {lines === 1 && <span className="tabular">{placesText(group)}</span>}
      </span>
      {lines > 1 && <span className={`${classes.more} tabular`}>{bad ? 'Требует переноса' : placesText(group)}</span>}
      {lines > 2 && (
        <span className={classes.more}>{members.map(({ patient }) => patient ?? 'Пациент').join(', ')}</span>
      )}
    </span>
  )
}

/** A visit in the grid: status by colour, icon and, if there is room, text. Plain elements: there are hundreds. */
function VisitFace({ item: { visit, from, late }, lines }: { item: VisitItem; lines: number }) {
  const { icon: Icon, color } = statusLooks[visit.visitStatus]
  const isOff = visit.visitStatus === 'cancelled' || visit.visitStatus === 'moved'
  const money = paidWord(visit)
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
        {visit.kind === 'primary' && <IconUserPlus size={14} className={classes.first} aria-hidden />}
        {money === 'оплачено' && <IconCoin size={14} className={classes.paid} aria-hidden />}
        {money === 'не оплачено' && <IconCoinOff size={14} className={classes.unpaid} aria-hidden />}
        {visit.needsRebook && <IconAlertTriangle size={14} className={classes.warning} aria-hidden />}
      </span>
      {lines > 1 && <span className={classes.more}>{visit.needsRebook ? 'Требует переноса' : visit.services}</span>}
      {lines > 2 && <span className={classes.word}>{word}</span>}
    </span>
  )
}
