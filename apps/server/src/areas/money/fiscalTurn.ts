/** The turn of one process at the queue of a register: claimed for a time, extended, left. */

import type { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { type Claims, type ClaimToken, claimNew, extendClaim } from '#platform/claim.ts'
import type { AppContext } from '#records/context.ts'

export type Task = Row<typeof FiscalTask>

/**
 * Seconds for which a silent process keeps the queue: more than the register's own time. A killed one keeps it shorter.
 */
const CLAIM_SECONDS = 60

const CLAIMS: Claims = { table: 'fiscal_printers', key: ['idDesk'] }

/** The claim of a queue: a printer that has lost it prints nothing more. */
export interface Turn {
  readonly idDesk: number
  token: ClaimToken
}

/** @returns false if the queue is lost */
export async function extend({ db }: AppContext, turn: Turn): Promise<boolean> {
  const token = await extendClaim(db, CLAIMS, [turn.idDesk], turn.token, CLAIM_SECONDS)
  if (token) turn.token = token
  return token !== undefined
}

/** Claims the queue, or requests one more pass from its worker. Retries if that worker left in between. */
export async function claimOrAsk({ db, life }: AppContext, idDesk: number): Promise<Turn | undefined> {
  for (;;) {
    const token = await claimNew(db, CLAIMS, [idDesk], life, CLAIM_SECONDS)
    if (token) return { idDesk, token }
    const asked = await db.one(
      sql`update fiscal_printers set "isAsked" = true where "idDesk" = ${idDesk} and "claimedUntil" > now() returning 1`,
    )
    if (asked) return undefined
  }
}

/** @returns false if one more pass was requested meanwhile: the worker continues */
export async function leave({ db }: AppContext, { idDesk, token }: Turn): Promise<boolean> {
  const own = sql`"idDesk" = ${idDesk} and "claimedUntil" = ${token}::timestamptz`
  await db.query(sql`delete from fiscal_printers where ${own} and not "isAsked"`)
  const asked = await db.one(sql`update fiscal_printers set "isAsked" = false where ${own} returning 1`)
  return asked === undefined
}
