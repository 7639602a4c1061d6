import type { Company, Contact } from '@ordinator/model/areas/sales/contact'
import type { Stage } from '@ordinator/model/areas/sales/funnel'
import type { Lead, LeadResponsible, LeadTag, LossReason, SalesSource } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import type { CustomerRow } from '#areas/customers/index.ts'
import type { PersonLike } from '#kit/UserAvatar.tsx'

export type LeadRow = Row<typeof Lead>
export type ContactRow = Row<typeof Contact> & { customer?: CustomerRow | null }

/** A deal with the relations for its card. */
export type FullLead = LeadRow & {
  stage: Row<typeof Stage> | null
  source: Row<typeof SalesSource> | null
  company: Row<typeof Company> | null
  lossReason: Row<typeof LossReason> | null
  user: PersonLike | null
  responsible: (Row<typeof LeadResponsible> & { user: (PersonLike & { id: number }) | null })[]
  tags: Row<typeof LeadTag>[]
}

export const leadExpand = ['stage', 'source', 'company', 'lossReason', 'user', 'responsible.user', 'tags'] as const
