import { CloseButton, Text } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { pagePath } from '@ordinator/model/pages'
import { IconUser } from '@tabler/icons-react'
import { UserLink } from '#kit/UserLink.tsx'
import classes from './CustomerChip.module.css'

interface Named {
  id: number
  fio?: string | null
  shortFio?: string | null
}

interface Props {
  customer: Named
  onRemove?: () => void
}

/** A customer's name in text: link to the card, with details in a tooltip. */
export const CustomerLink = ({ customer, className, tab }: { customer: Named; className?: string; tab?: string }) => (
  <UserLink
    user={customer}
    of={Customer.path}
    to={tab && `${pagePath('customer')}?id=${customer.id}&tab=${tab}`}
    className={className}
  />
)

/** A customer's short name, with details in a tooltip. */
export const CustomerChip = ({ customer, onRemove }: Props) => (
  <span className={classes.chip}>
    <UserLink user={customer} of={Customer.path} className={classes.name}>
      <IconUser size={14} aria-hidden />
      <Text span inherit truncate>
        {customer.shortFio}
      </Text>
    </UserLink>
    {onRemove && <CloseButton size="xs" aria-label={`Убрать: ${customer.fio}`} onClick={onRemove} />}
  </span>
)
