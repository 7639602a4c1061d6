import { CloseButton, Text, Tooltip } from '@mantine/core'
import { ageText } from '@ordinator/model/areas/customers/age'
import { oldCrmAddress } from '@ordinator/model/oldCrm'
import { phoneText } from '@ordinator/model/phone'
import { IconUser } from '@tabler/icons-react'
import { useAccount } from '../../base/session.ts'
import { today } from '../../kit/clock.ts'
import { type Fact, TooltipFacts } from '../../kit/TooltipFacts.tsx'
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

/** Full name, phone, e-mail, birthday (spec §2). */
function CustomerTooltip({ customer }: { customer: CustomerRow }) {
  const { fio, phone, phoneMother, phoneFather, email, birthday } = customer
  const age = ageText(birthday, today())
  const facts: Fact[] = [
    ['Телефон', phone && phoneText(phone)],
    ['Мать', !phone && phoneMother && phoneText(phoneMother)],
    ['Отец', !phone && phoneFather && phoneText(phoneFather)],
    ['Почта', email],
    ['Дата рождения', birthday && (age ? `${birthday}, ${age}` : birthday)],
  ]
  return <TooltipFacts title={fio} facts={facts} />
}
