import { Badge } from '@mantine/core'
import { formatMoney } from '@ordinator/model/format'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { useBalance } from '../reads.ts'

/** A customer's debt or advance beside the name; nothing if zero. */
export function DebtMark({ idCustomer }: { idCustomer: number }) {
  const balance = useBalance(idCustomer)
  const { debt = 0, advance = 0 } = balance.data ?? {}
  useRevealDelay(balance.isLoading)
  return (
    <>
      {debt > 0 && (
        <Badge color="red" variant="light" size="lg" className="tabular">
          Долг {formatMoney(debt)}
        </Badge>
      )}
      {advance > 0 && (
        <Badge color="teal" variant="light" size="lg" className="tabular">
          Аванс {formatMoney(advance)}
        </Badge>
      )}
    </>
  )
}
