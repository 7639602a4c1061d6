import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import type { Expanded } from '@ordinator/model/client'
import { ApiError } from '#base/apiError.ts'
import { useRecord } from '#records/reads.ts'

const expand = ['owner', 'cause', 'user', 'links', 'tags', 'customer'] as const
export type OpenAppeal = Expanded<typeof Appeal, (typeof expand)[number]>

/** Loads an appeal with everything on its card. */
export function useAppeal(id: number | undefined) {
  const answer = useRecord(Appeal, id, { expand }, { forbidden: 'silent' })
  const isMissing = answer.error instanceof ApiError && answer.error.status === 404
  return { ...answer, isMissing }
}
