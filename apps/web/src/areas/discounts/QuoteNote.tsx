import { Text, VisuallyHidden } from '@mantine/core'
import { Discount } from '@ordinator/model/areas/discounts/discount'
import type { Quote } from '@ordinator/model/areas/discounts/estimate'
import { formatMoney } from '@ordinator/model/format'
import { IconDiscount } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { DiscountReasons } from './DiscountReasons.tsx'

interface Props {
  /** Path of the record and its lines, whose changes change the estimate. */
  live: readonly string[]
  id: number
  read: (signal: AbortSignal) => Promise<Quote>
  /** Writes the expected discounts, in rubles off each line; absent: read-only. */
  onSet?: ((discounts: readonly { id: number; discount: number }[]) => Promise<unknown>) | undefined
}

/**
 * What lines with prices of their own would cost today by the clinic's discounts, before and after, with the reasons;
 * nothing when no discount applies.
 */
export function QuoteNote({ live, id, read, onSet }: Props) {
  const { data } = useQuery({
    queryKey: ['records', live[0], 'quote', id],
    queryFn: ({ signal }) => read(signal),
    retry: false,
    meta: { live: [...live, Discount.path] },
  })
  if (!data || data.final >= data.base) return null
  // A larger discount given by an employee stays.
  const better = data.lines
    .filter((line) => line.final < line.now)
    .map((line) => ({ id: line.id, discount: Math.round((line.base - line.final) * 100) / 100 }))
  return (
    <HStack wrap gap="4px 16px" align="start" role="note" aria-label="Со скидками пациента">
      <div>
        <Text span inherit>
          {better.length > 0 ? 'Со скидками пациента ' : 'Скидки пациента учтены: '}
          <b className="tabular">{formatMoney(data.final)}</b>{' '}
          <Text span inherit td="line-through" c="dimmed" className="tabular">
            <VisuallyHidden>Без скидок: </VisuallyHidden>
            {formatMoney(data.base)}
          </Text>
        </Text>
        <DiscountReasons lines={data.lines} />
      </div>
      {onSet && better.length > 0 && (
        <ActionButton
          label="Поставить скидки"
          size="compact-md"
          variant="default"
          icon={IconDiscount}
          onClick={() => void onSet(better)}
        />
      )}
    </HStack>
  )
}
