/** Shared marks and badges of the laboratory. A flag has a sign, a text and a colour, never only a colour. */
import { Badge, Tooltip } from '@mantine/core'
import {
  type OrderStatus,
  orderStatuses,
  type SampleStatus,
  sampleStatuses,
} from '@ordinator/model/areas/laboratory/states'
import { type Flag, flags } from '@ordinator/model/areas/laboratory/values'
import { type Cap, capColors, caps } from '@ordinator/model/areas/laboratory/words'
import {
  IconAlertOctagon,
  IconArrowBigDownLines,
  IconArrowBigUpLines,
  IconArrowDown,
  IconArrowUp,
  IconExclamationCircle,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './words.module.css'

const orderColors: Record<OrderStatus, string> = {
  draft: 'gray',
  placed: 'blue',
  taken: 'cyan',
  sent: 'indigo',
  inWork: 'violet',
  partial: 'grape',
  done: 'teal',
  issued: 'green',
  cancelled: 'gray',
  rejected: 'red',
}

export const OrderBadge = ({ status, size }: { status: OrderStatus; size?: 'lg' }) => (
  <Badge color={orderColors[status]} variant={status === 'done' ? 'filled' : 'light'} size={size}>
    {orderStatuses[status]}
  </Badge>
)

const sampleColors: Record<SampleStatus, string> = {
  planned: 'gray',
  taken: 'cyan',
  packed: 'blue',
  shipped: 'indigo',
  received: 'teal',
  inWork: 'violet',
  archived: 'gray',
  disposed: 'gray',
  rejected: 'red',
}

export const SampleBadge = ({ status }: { status: SampleStatus }) => (
  <Badge color={sampleColors[status]} variant="light" size="sm">
    {sampleStatuses[status]}
  </Badge>
)

const signs: Record<Flag, { icon: TablerIcon | null; short: string }> = {
  N: { icon: null, short: '' },
  L: { icon: IconArrowDown, short: 'ниже' },
  H: { icon: IconArrowUp, short: 'выше' },
  LL: { icon: IconArrowBigDownLines, short: 'крит.' },
  HH: { icon: IconArrowBigUpLines, short: 'крит.' },
  A: { icon: IconExclamationCircle, short: 'откл.' },
}

/** Flag of a value; nothing for a normal one. */
export function FlagMark({ flag, words = true }: { flag: Flag | null; words?: boolean }) {
  if (!flag || flag === 'N') return null
  const { icon: Icon, short } = signs[flag]
  return (
    <Tooltip label={flags[flag]} openDelay={300}>
      <span className={classes.flag} data-flag={flag}>
        {Icon && <Icon size={14} aria-hidden />}
        {words ? short : <span className={classes.spoken}>{flags[flag]}</span>}
      </span>
    </Tooltip>
  )
}

/** A scrollable table that is reachable by keyboard. @param high also scrolls vertically */
export const TableFrame = ({ label, high, children }: { label: string; high?: boolean; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls has to be reached by keys
  <section className={classes.scroll} data-high={high} tabIndex={0} aria-label={label}>
    {children}
  </section>
)

/** Cap of a tube: colour and name. */
export const TubeCap = ({ cap, name }: { cap: string | null; name: string | null }) => (
  <span className={classes.tube}>
    <span
      className={classes.cap}
      style={{ background: capColors[(cap ?? 'none') as Cap] ?? capColors.none }}
      aria-hidden
    />
    <span className={classes.short}>{name ?? caps[(cap ?? 'none') as Cap] ?? caps.none}</span>
  </span>
)

export const CriticalMark = () => (
  <span className={classes.flag} data-flag="HH">
    <IconAlertOctagon size={16} aria-hidden />
    критическое
  </span>
)
