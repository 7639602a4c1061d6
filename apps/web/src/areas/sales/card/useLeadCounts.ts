import { Contact } from '@ordinator/model/areas/sales/contact'
import { LeadFile } from '@ordinator/model/areas/sales/file'
import { Lead, LeadComment, LeadLink, LeadResponsible, LeadTag, LeadTask } from '@ordinator/model/areas/sales/lead'
import { Offer } from '@ordinator/model/areas/sales/offer'
import { useQuery } from '@tanstack/react-query'
import { recordsWith } from '#base/client.ts'

/** Parts of a deal; a write to any of them changes counters and log. */
export const leadParts = [
  Lead,
  Contact,
  LeadComment,
  LeadFile,
  LeadLink,
  LeadResponsible,
  LeadTag,
  LeadTask,
  Offer,
].map(({ path }) => path)

const fields = [
  'commentsTotalCount',
  'offersTotalCount',
  'historyTotalCount',
  'tasksTotalCount',
  'chatsTotalCount',
  'callsTotalCount',
] as const

export type LeadCounts = Record<(typeof fields)[number], number>

/** Counters of an open deal, kept fresh. */
export function useLeadCounts(idLead: number): LeadCounts | undefined {
  const found = useQuery({
    queryKey: ['leadCounts', idLead],
    queryFn: ({ signal }) =>
      recordsWith({ forbidden: 'silent' }).view(Lead, idLead, { fields: [...fields] }, { signal }),
    meta: { live: leadParts },
  })
  return found.data as LeadCounts | undefined
}
