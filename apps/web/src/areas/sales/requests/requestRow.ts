import type { Intake, LeadRequest } from '@ordinator/model/areas/sales/intake'
import type { Lead, SalesSource } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import type { PersonLike } from '#kit/UserAvatar.tsx'

export type RequestRow = Row<typeof LeadRequest> & {
  source: Row<typeof SalesSource> | null
  intake: Row<typeof Intake> | null
  lead: Row<typeof Lead> | null
  user: PersonLike | null
}
