import { Badge } from '@mantine/core'
import type { Discount, DiscountState } from '@ordinator/model/areas/discounts/discount'
import { discountStates, discountStatuses } from '@ordinator/model/areas/discounts/discount'
import type { Row } from '@ordinator/model/entity'

const colors: Record<DiscountState, string> = {
  active: 'teal',
  planned: 'blue',
  expired: 'gray',
  exhausted: 'gray',
  off: 'gray',
}

/** State of a discount, with the reason if it is not active. */
export function StateBadge({
  discount,
  size,
}: {
  discount: Pick<Row<typeof Discount>, 'state' | 'status'>
  size?: 'lg'
}) {
  const { state, status } = discount
  const isOther = state === 'off' && status !== 'paused'
  return (
    <Badge color={colors[state]} variant="light" size={size}>
      {isOther ? discountStatuses[status] : discountStates[state]}
    </Badge>
  )
}
