import { CustomerFacts } from '#areas/customers/CustomerFacts.tsx'
import { useBalanceFacts } from '#areas/money/useBalanceFacts.ts'

/** Tooltip of a patient, with the debt. */
export default function CustomerTip({ id }: { id: number }) {
  return <CustomerFacts id={id} more={useBalanceFacts(id)} />
}
