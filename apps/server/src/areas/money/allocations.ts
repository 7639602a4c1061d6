/** Allocations: the parts of credits that pay lines. All changes are made under the customer lock, in whole kopecks. */
import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { accountOf } from './ledger.ts'

/** Opens the ledger's row of a line, once. */
export async function openLine(
  records: Records,
  tx: Tx,
  idLine: number,
  owner: { kind: 'patient'; idCustomer: number; idOrganization: number },
): Promise<void> {
  await tx.query(sql`insert into ledger_lines ("idLine", "idAccount")
    values (${idLine}, ${await accountOf(records, tx, owner)}) on conflict do nothing`)
}

/** SQL of a patient's accounts with an organization: merged cards keep the accounts of both. */
export const accountsSql = (idCustomer: number, idOrganization: number): Sql => sql`(select "id" from ledger_accounts
  where "kind" = 'patient' and "idCustomer" = ${idCustomer} and "idOrganization" = ${idOrganization})`

export interface Credit {
  idTx: number
  free: number
}
export const freeCredits = (tx: Tx, idCustomer: number, idOrganization: number) =>
  tx.query<Credit>(sql`select "idTx", "free"::float8 as free from ledger_credits
    where "free" > 0 and "idAccount" in ${accountsSql(idCustomer, idOrganization)} order by "idTx"`)

/** Allocates a sum of the credits, in order, to a line. */
export async function pay(tx: Tx, credits: Credit[], idLine: number, amount: number): Promise<void> {
  let left = amount
  for (const credit of credits) {
    const part = Math.min(credit.free, left)
    if (part <= 0) continue
    credit.free -= part
    left -= part
    await tx.query(sql`with given as (
        insert into ledger_allocations ("idTx", "idLine", "sum") values (${credit.idTx}, ${idLine}, ${part})
        on conflict ("idTx", "idLine") do update set "sum" = ledger_allocations."sum" + excluded."sum"
      ), taken as (update ledger_credits set "free" = "free" - ${part} where "idTx" = ${credit.idTx})
      update ledger_lines set "allocated" = "allocated" + ${part}, "moved" = true, "receipted" = false
      where "idLine" = ${idLine}`)
  }
}

export interface Freed {
  idLine: number
  sum: number
}

/**
 * Frees a sum of the allocations, newest first.
 * @param which a condition over the allocation `a`
 */
export async function release(tx: Tx, which: Sql, amount: number): Promise<Freed[]> {
  let left = amount
  const freed: Freed[] = []
  const rows = await tx.query<{ idTx: number; idLine: number; sum: number }>(sql`
    select a."idTx", a."idLine", a."sum"::float8 as sum from ledger_allocations a
    where a."sum" > 0 and ${which} order by a."idTx" desc, a."idLine" desc`)
  for (const { idTx, idLine, sum } of rows) {
    const part = Math.min(sum, left)
    if (part <= 0) break
    left -= part
    freed.push({ idLine, sum: part })
    await tx.query(
      part === sum
        ? sql`with settled as (update ledger_allocations set "sum" = 0 where "idTx" = ${idTx} and "idLine" = ${idLine} and "told" > 0)
            delete from ledger_allocations where "idTx" = ${idTx} and "idLine" = ${idLine} and "told" = 0`
        : sql`update ledger_allocations set "sum" = "sum" - ${part} where "idTx" = ${idTx} and "idLine" = ${idLine}`,
    )
    await tx.query(sql`with freed as (update ledger_credits set "free" = "free" + ${part} where "idTx" = ${idTx})
      update ledger_lines set "allocated" = "allocated" - ${part}, "moved" = true where "idLine" = ${idLine}`)
  }
  return freed
}
