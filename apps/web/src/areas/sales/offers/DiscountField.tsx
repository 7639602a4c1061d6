import { TextInput } from '@mantine/core'
import { discountPercent, readDiscount } from '@ordinator/model/areas/sales/offer'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { useState } from 'react'

interface Props {
  /** Accessible label. */
  label: string
  line: { quantity: number; price: number | null; discount: number }
  error?: string
  /** Rubles. */
  onSet: (discount: number) => void
}

/** Discount of a line, typed in percent or rubles, shown in both. */
export function DiscountField({ label, line, error, onSet }: Props) {
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const percent = line.discount > 0 ? discountPercent(line) : null
  const leave = () => {
    if (typed === undefined) return
    const discount = typed.trim() === '' ? 0 : readDiscount(typed, line)
    if (discount === undefined) return setFault('Скидка в процентах или рублях: «10%» или «500»')
    setTyped(undefined)
    if (discount !== line.discount) onSet(discount)
  }
  return (
    <TextInput
      aria-label={label}
      value={typed ?? formatMoney(line.discount)}
      placeholder="10% или 500"
      description={percent === null ? undefined : `${formatNumber(percent)} %`}
      error={fault ?? error}
      autoComplete="off"
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        setFault(undefined)
        setTyped(event.currentTarget.value)
      }}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}
