/** What a visitor asks for, and what is answered. */
import type { Queryable } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import type { Sheet } from './layout.ts'
import type { Making } from './parts.ts'

export interface Asked extends Making {
  db: Queryable
  /** The house's own, for what discounts make of prices. */
  records: Records
  /** Within the site, without a slash at the end: '/' is the home page. */
  path: string
  /** From 1. */
  page: number
  words: string
  /** Of a booking: with whom, where, from which day on. */
  choice: Choice
}

export interface Choice {
  doctor?: number
  filial?: number
  from?: string
}
/** A page, another address, or undefined: there is nothing. */
export type Screen = Sheet | { to: string } | undefined
