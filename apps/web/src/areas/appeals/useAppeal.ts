import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Expanded } from '@ordinator/model/client'
import { ApiError } from '../../base/apiError.ts'
import { useCan } from '../../records/Can.tsx'
import { useRecord } from '../../records/reads.ts'

export type OpenAppeal = Expanded<typeof Appeal, 'customer' | 'owner' | 'cause' | 'user' | 'links' | 'tags'>

/** An appeal with all that its card shows; the customer is there for those who may see customers. */
export function useAppeal(id: number | undefined) {
  const sees = useCan('view', Customer)
  const expand = ['owner', 'cause', 'user', 'links', 'tags', ...(sees ? (['customer'] as const) : [])] as const
  const answer = useRecord(Appeal, id, { expand }, { forbidden: 'silent' })
  const isMissing = answer.error instanceof ApiError && answer.error.status === 404
  return { ...answer, data: answer.data as OpenAppeal | undefined, isMissing }
}
