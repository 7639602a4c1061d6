import { User } from '@ordinator/model/areas/staff/user'
import type { Mentionable } from '#records/fields/mentionable.ts'
import { useList } from '#records/reads.ts'

const FRESH_MS = 300_000

/** Users who can be mentioned, with a flag for operators. */
export function useMentionable(): (Mentionable & { isLiveAssist: boolean })[] {
  const people = useList(
    User,
    {
      fields: ['surname', 'name', 'fio', 'shortFio', 'avatar', 'post', 'isLiveAssist'],
      sort: ['surname', 'name', 'id'],
      limit: 500,
    },
    { staleTime: FRESH_MS, forbidden: 'silent' },
  )
  return people.data?.items ?? []
}
