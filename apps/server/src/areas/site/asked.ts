/** Request and response of a visitor. */
import type { Queryable } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import type { Sheet } from './layout.ts'
import type { Making } from './parts.ts'

export interface Asked extends Making {
  db: Queryable
  /** System records, used for discounts in prices. */
  records: Records
  /** Path within the site, without a trailing slash: '/' is the home page. */
  path: string
  /** From 1. */
  page: number
  words: string
  /** Booking choice: doctor, branch, first day. */
  choice: Choice
}

export interface Choice {
  doctor?: number
  filial?: number
  from?: string
}
/** A page, a redirect, or undefined if there is none. */
export type Screen = Sheet | { to: string } | undefined
