import type { Estimate } from '@ordinator/model/areas/discounts/estimate'
import { formatMoney } from '@ordinator/model/format'
import { Fine } from '#kit/Words.tsx'

interface Props {
  lines: readonly Pick<Estimate['lines'][number], 'applied'>[]
}

/** The discounts of an estimate with their sums and reasons, one line each. */
export function DiscountReasons({ lines }: Props) {
  const applied = lines.flatMap((line) => line.applied)
  const byName = Map.groupBy(applied, ({ name, why }) => `${name}\n${why}`)
  return [...byName].map(([key, of]) => {
    const [{ name, why } = { name: '', why: '' }] = of
    const kopecks = of.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    return (
      <Fine component="div" key={key}>
        {name}: −{formatMoney(kopecks / 100)}
        {why && ` (${why})`}
      </Fine>
    )
  })
}
