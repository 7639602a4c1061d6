import { CloseButton, Text, Tooltip } from '@mantine/core'
import { ageText } from '@ordinator/model/areas/customers/age'
import { formatMoney } from '@ordinator/model/format'
import { oldCrmAddress } from '@ordinator/model/oldCrm'
import { phoneText } from '@ordinator/model/phone'
import { IconUser } from '@tabler/icons-react'
import { useAccount } from '../../base/session.ts'
import { today } from '../../kit/clock.ts'
import { type Fact, TooltipFacts } from '../../kit/TooltipFacts.tsx'
import { useBalance } from '../money/index.ts'
import classes from './CustomerChip.module.css'
import type { CustomerRow } from './searchCustomers.ts'

/** Of spec §9: pixels, milliseconds. */
const MAX_WIDTH = 468
const DELAY_MS = 100

interface Props {
  customer: CustomerRow
  onRemove?: () => void
}

/** A customer: the short name, with whom it is behind it. */
export function CustomerChip({ customer, onRemove }: Props) {
  const old = oldCrmAddress(useAccount().common.settings.oldCrmUrl, 'customers/:id', { id: customer.id })
  const name = (
    <>
      <IconUser size={14} aria-hidden />
      <Text span inherit truncate>
        {customer.shortFio}
      </Text>
    </>
  )
  return (
    <span className={classes.chip}>
      <Tooltip
        multiline
        maw={MAX_WIDTH}
        openDelay={DELAY_MS}
        events={{ hover: true, focus: true, touch: true }}
        label={<CustomerTooltip customer={customer} />}
      >
        {old ? (
          <a href={old} target="_blank" rel="noopener" className={classes.name}>
            {name}
          </a>
        ) : (
          <button type="button" className={classes.name}>
            {name}
          </button>
        )}
      </Tooltip>
      {onRemove && <CloseButton size="xs" aria-label={`Убрать: ${customer.fio}`} onClick={onRemove} />}
    </span>
  )
}

/** Full name, phone, e-mail, birthday (spec §2), and what is owed. */
function CustomerTooltip({ customer }: { customer: CustomerRow }) {
  const { id, fio, phone, phoneMother, phoneFather, email, birthday } = customer
  const age = ageText(birthday, today())
  const { debt = 0, advance = 0 } = useBalance(id).data ?? {}
  const facts: Fact[] = [
    ['Телефон', phone && phoneText(phone)],
    ['Мать', !phone && phoneMother && phoneText(phoneMother)],
    ['Отец', !phone && phoneFather && phoneText(phoneFather)],
    ['Почта', email],
    ['Долг', debt > 0 && formatMoney(debt)],
    ['Аванс', advance > 0 && formatMoney(advance)],
    ['Дата рождения', birthday && (age ? `${birthday}, ${age}` : birthday)],
  ]
  return <TooltipFacts title={fio} facts={facts} />
}
