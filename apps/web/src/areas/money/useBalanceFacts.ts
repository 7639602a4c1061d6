import { formatMoney } from '@ordinator/model/format'
import type { Fact } from '#kit/TooltipFacts.tsx'
import { useBalance } from './reads.ts'

/** Debt and advance of a patient, for the tooltip. */
export function useBalanceFacts(idCustomer: number): Fact[] {
  const { debt = 0, advance = 0 } = useBalance(idCustomer).data ?? {}
  return [
    ['Долг', debt > 0 && formatMoney(debt)],
    ['Аванс', advance > 0 && formatMoney(advance)],
  ]
}
