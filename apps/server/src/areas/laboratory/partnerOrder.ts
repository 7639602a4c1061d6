/** An order at a partner laboratory, and the adapter of its exchange. */
import { join } from 'node:path'
import type { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { AppContext } from '#records/context.ts'
import type { PartnerAdapter } from './partnerAdapter.ts'
import { folderPartner } from './partnerFolders.ts'
import { simulatedPartner } from './partnerSimulator.ts'

export type Exchange = Pick<Row<typeof Laboratory>, 'id' | 'adapter' | 'address' | 'clientCode'>

export function adapterOf(app: AppContext, { id, adapter, address, clientCode }: Exchange): PartnerAdapter | undefined {
  if (adapter === 'simulator') return simulatedPartner(id, app.db)
  if (adapter !== 'folders' || !address) return undefined
  return folderPartner({ folder: join(app.config.partnerFolders, address), clientCode: clientCode ?? '' })
}

/** An order at a partner; a retake creates another one. */
export interface PartnerRow {
  key: string
  idOrder: number
  idLaboratory: number
  externalNumber: string | null
  exchange: Exchange
}

/** SQL: of the order `p` and its laboratory `b`. */
export const rowSql = sql`p."key", p."idOrder"::int as "idOrder", p."idLaboratory"::int as "idLaboratory", p."externalNumber",
  jsonb_build_object('id', b."id", 'adapter', b."adapter", 'address', b."address", 'clientCode', b."clientCode") as exchange`
