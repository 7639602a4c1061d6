/** Changes of a value, as `settleValue` writes them. */
import type { LabResult, Review } from '@ordinator/model/areas/laboratory/result'
import type { DropReason, ValueSource } from '@ordinator/model/areas/laboratory/states'
import type { Row } from '@ordinator/model/entity'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import type { Standing } from './judging.ts'

export type ResultRow = Row<typeof LabResult>

/** A transaction with the engine bound to it; the caller has locked the orders. */
export interface Work {
  records: Records
  tx: Tx
}

export interface Place {
  idItem: number
  idAnalyte: number
}

/** Where a value comes from. */
export interface Origin {
  source: ValueSource
  preliminary?: boolean
  said?: string | null
  reason?: string | null
  comment?: string | null | undefined
  idDevice?: number | null
  idMessage?: number | null
  deviceFlags?: string | null
  measuredText?: string | null
}

export type Change =
  /** A new value; `beside` waits for a choice, `struck` never had a place, otherwise it takes that of `former`. */
  | {
      how: 'put'
      at: Place
      reading: Standing
      origin: Origin
      as?: 'main' | 'beside' | { struck: DropReason }
      former?: ResultRow | undefined
      replaced?: DropReason
    }
  | { how: 'drop'; row: ResultRow; why: DropReason; reason?: string | null }
  | { how: 'choose'; row: ResultRow }
  | { how: 'comment'; row: ResultRow; comment: string | null }
  | { how: 'final'; row: ResultRow; preliminary: boolean }
  | { how: 'check' | 'publish' | 'back'; rows: readonly ResultRow[] }
  | {
      how: 'correct'
      row: ResultRow
      reading: Standing
      reason: string
      source?: ValueSource
      idDevice?: number | null
    }
  | { how: 'review'; row: ResultRow; review: Review | null }
  | { how: 'judge'; row: ResultRow; why: 'card' | 'norm' }
  | { how: 'call'; row: ResultRow; to: string; at: string }
