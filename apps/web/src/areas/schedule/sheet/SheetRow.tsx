import type { VisitStatus } from '@ordinator/model/areas/visits/rules'
import { formatMoney } from '@ordinator/model/format'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu } from '#kit/ActionMenu.tsx'
import { spanText } from '#kit/dayGrid/scale.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { UserLinks } from '#kit/UserLink.tsx'
import { startOf } from '../day.ts'
import { actWords, nextStatus, statusLooks } from '../statuses.ts'
import type { VisitActs } from '../visit/acts/useVisitActs.ts'
import { StatusChip } from '../visit/StatusChip.tsx'
import { VisitItems } from '../visit/VisitMenu.tsx'
import classes from './DaySheet.module.css'
import { LONG_WAIT, type SheetLine } from './lines.ts'

const servicesText = (coupons: SheetLine['coupons']): string =>
  [...new Set(coupons.map(({ services }) => services))].join('; ')

/** What is left to pay: a debt after the visit. */
const owedText = ({ visit, owed = 0, paid = 0 }: SheetLine) => {
  if (owed > 0) return visit.visitStatus === 'completed' ? `долг ${formatMoney(owed)}` : formatMoney(owed)
  return paid > 0 && 'оплачено'
}

interface Props {
  line: SheetLine
  today: string
  /** By id; absent: the column is not shown. */
  doctors: ReadonlyMap<number, { id: number; shortFio: string }> | undefined
  rooms: ReadonlyMap<number, string>
  /** Payments are shown. */
  moneyed: boolean
  /** States that the visit may get from this user. */
  ways: readonly VisitStatus[]
  acts: VisitActs
  onOpen: () => void
  onPay: (() => void) | undefined
  onDiscount: (() => void) | undefined
}

/** A visit of the day. */
export function SheetRow({ line, today, doctors, rooms, moneyed, ways, acts, onOpen, onPay, onDiscount }: Props) {
  const { visit, coupons, late, wait, owed, paid } = line
  const next = nextStatus(visit.visitStatus)
  const long = wait !== undefined && wait >= LONG_WAIT
  return (
    <tr
      tabIndex={0}
      data-row={visit.idAppointment}
      data-late={late || undefined}
      aria-label={`${visit.localStart}, ${visit.patient ?? 'пациент'}`}
      onClick={({ target }) => !(target as HTMLElement).closest('button, a, [role="menu"]') && onOpen()}
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && onOpen()}
    >
      <td className={`${classes.time} tabular nowrap`}>
        {spanText({ from: startOf(visit), to: startOf(visit) + visit.minutes })}
      </td>
      <th scope="row">
        <button type="button" className={classes.patient} onClick={onOpen}>
          {visit.patient ?? 'Пациент'}
        </button>
        {visit.phone && (
          <span className={classes.phone}>
            <PhoneLink phone={visit.phone} bare />
          </span>
        )}
      </th>
      {doctors && (
        <td className={classes.doctor}>
          <UserLinks users={[...new Set(coupons.map(({ idUser }) => idUser))].flatMap((id) => doctors.get(id) ?? [])} />
          {visit.idRoom !== null && rooms.has(visit.idRoom) && (
            <span className={classes.phone}>{rooms.get(visit.idRoom)}</span>
          )}
        </td>
      )}
      <td className={classes.services} title={servicesText(coupons)}>
        {servicesText(coupons)}
      </td>
      <td className={classes.state}>
        <StatusChip status={visit.visitStatus} late={late} />
      </td>
      <td className="tabular nowrap" data-long={long || undefined}>
        {wait !== undefined && `${wait} мин`}
      </td>
      {moneyed && (
        <td className={`${classes.paid} tabular nowrap`}>{paid !== undefined && paid > 0 && formatMoney(paid)}</td>
      )}
      {moneyed && (
        <td className="tabular nowrap" data-long={(owed && visit.visitStatus === 'completed') || undefined}>
          {owedText(line)}
        </td>
      )}
      <td className={classes.actions}>
        <HStack gap={4} justify="end">
          {next && ways.includes(next) && (
            <ActionButton
              label={actWords(visit.visitStatus, next)}
              icon={statusLooks[next].icon}
              size="compact-sm"
              variant="light"
              onClick={() => void acts.go(visit, next)}
            />
          )}
          <ActionMenu label={`Действия: ${visit.patient ?? 'запись'}`} size={28} width={260}>
            <VisitItems visit={visit} today={today} acts={acts} onOpen={onOpen} onPay={onPay} onDiscount={onDiscount} />
          </ActionMenu>
        </HStack>
      </td>
    </tr>
  )
}
