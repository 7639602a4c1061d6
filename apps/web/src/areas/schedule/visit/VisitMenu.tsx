import { Menu } from '@mantine/core'
import { phoneText } from '@ordinator/model/phone'
import { IconArrowsMove, IconCash, IconDiscount, IconExternalLink, IconPhone, IconUser } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { Spot } from '#kit/Anchored.tsx'
import { useCallProps } from '#kit/PhoneLink.tsx'
import type { DayVisit } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import { actWords, statusLooks } from '../statuses.ts'
import type { VisitActs } from './acts/useVisitActs.ts'

export interface MenuAt {
  visit: DayVisit
  rect: DOMRect
}

interface Props {
  at: MenuAt | undefined
  today: string
  acts: VisitActs
  onOpen: (visit: DayVisit) => void
  onMove: (visit: DayVisit) => void
  onClose: () => void
}

/** Menu of a visit: next statuses first. */
export function VisitMenu({ at, today, acts, onOpen, onMove, onClose }: Props) {
  const visit = at?.visit
  const close = () => {
    onClose()
    if (visit) document.querySelector<HTMLElement>(`[data-item="${visit.id}"]`)?.focus({ preventScroll: true })
  }
  return (
    <Menu opened={at !== undefined} onClose={close} position="bottom-start" width={260} returnFocus={false} trapFocus>
      <Menu.Target>
        <Spot rect={at?.rect} label={visit?.patient ? `Действия с записью: ${visit.patient}` : 'Действия с записью'} />
      </Menu.Target>
      <Menu.Dropdown>
        {visit && (
          <VisitItems
            visit={visit}
            today={today}
            acts={acts}
            onOpen={() => onOpen(visit)}
            onMove={() => onMove(visit)}
          />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface ItemsProps extends Pick<Props, 'today' | 'acts'> {
  visit: DayVisit
  onOpen: () => void
  /** Absent: no moving here. */
  onMove?: () => void
  onPay?: (() => void) | undefined
  onDiscount?: (() => void) | undefined
}

/** The same items for any menu. */
export function VisitItems({ visit, today, acts, onOpen, onMove, onPay, onDiscount }: ItemsProps) {
  const go = useGo()
  const rights = useScheduleRights()
  return (
    <>
      {rights.ways(visit, today).map((status) => (
        <MenuItem
          key={status}
          label={actWords(visit.visitStatus, status)}
          icon={statusLooks[status].icon}
          danger={status === 'cancelled'}
          onClick={() => void acts.go(visit, status)}
        />
      ))}
      <Menu.Divider />
      {onPay && visit.idCustomer !== null && <MenuItem label="Принять оплату" icon={IconCash} onClick={onPay} />}
      {onDiscount && <MenuItem label="Скидка…" icon={IconDiscount} onClick={onDiscount} />}
      <MenuItem label="Открыть запись" icon={IconExternalLink} onClick={onOpen} />
      {rights.moves(visit) && onMove && <MenuItem label="Перенести…" icon={IconArrowsMove} onClick={onMove} />}
      {visit.idCustomer !== null && (
        <MenuItem
          label="Карта клиента"
          icon={IconUser}
          onClick={() => void go({ page: 'customer', search: { id: visit.idCustomer ?? undefined } })}
        />
      )}
      {visit.phone && <CallItem phone={visit.phone} />}
    </>
  )
}

const CallItem = ({ phone }: { phone: string }) => (
  <MenuItem label={phoneText(phone)} icon={IconPhone} component="a" {...useCallProps(phone)} />
)
