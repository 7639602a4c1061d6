import { LeadCommentFile, SalesFile } from '@ordinator/model/areas/sales/file'
import { Lead, LeadComment } from '@ordinator/model/areas/sales/lead'
import { useMemo } from 'react'
import { useMentionable } from '#areas/staff/index.ts'
import { useCan } from '#records/Can.tsx'
import type { Discussion } from '#records/comments/discussion.ts'

/** Comments of a deal. */
export function useLeadDiscussion({ id, idFunnel }: { id: number; idFunnel: number | null }): Discussion {
  const people = useMentionable()
  const mayRemove = useCan('update', Lead)
  return useMemo(
    () => ({
      entity: LeadComment,
      subject: { idLead: id },
      key: `lead:${id}`,
      people,
      replies: true,
      files: { links: LeadCommentFile, stored: SalesFile },
      address: (idComment) => `/deals?${idFunnel ? `funnel=${idFunnel}&` : ''}lead=${id}&comment=${idComment}`,
      mayRemove,
    }),
    [id, idFunnel, people, mayRemove],
  )
}
