import type { Stage } from '@ordinator/model/areas/sales/funnel'
import type { Lead } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'

export type StageRow = Pick<Row<typeof Stage>, 'id' | 'name' | 'idType'>
export type LeadRow = Row<typeof Lead>

/** Open services of the offers of a deal. */
export interface Offered {
  ids: readonly number[]
  /** Rubles. */
  sum: number
}

/** Further fields of a move: the reason of a loss, required fields of the stage. */
export type WithMove = Partial<
  Pick<LeadRow, 'idLossReason' | 'lossNote' | 'description' | 'price' | 'idSource' | 'idCompany' | 'utm'>
> &
  Record<string, unknown>
