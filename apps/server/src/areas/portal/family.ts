/** Family account in the patient's room: what the payer and the members see of it. */
import { FamilyMember } from '@ordinator/model/areas/money/family'
import { DONE } from '@ordinator/model/areas/money/payment'
import { billCalls, type PortalFamilyMove, type PortalPaidFor } from '@ordinator/model/areas/portal/billCalls'
import sql, { raw } from 'sql-template-tag'
import { familySpentSql } from '#areas/money/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import { mustBeProven } from './data.ts'
import { familyOf } from './people.ts'
import { patientCall } from './sessions.ts'

/** Moves of a member that are shown. */
const MOST = 30

const spent = familySpentSql(raw('f."idHead"'), raw('m."idCustomer"'), clinicToday)

/** Those for whom the patient pays. */
const paidBy = (db: Queryable, idHead: number) =>
  db.query<
    Omit<PortalPaidFor, 'moves' | 'seesServices'> & { idCustomer: number; isOpen: boolean; isBlocked: boolean }
  >(sql`
    select m."id"::int as id, m."idCustomer"::int as "idCustomer", concat_ws(' ', c."name", left(c."surname", 1) || '.') as name,
      m."limitMonth"::float8 as "limit", ${spent}::float8 as spent, m."showsServices" as "isOpen", f."state" = 'blocked' as "isBlocked"
    from families f join families_members m on m."idFamily" = f."id" and not m."deleted"
      join customers c on c."id" = m."idCustomer" and not c."deleted"
    where f."idHead" = ${idHead} and not f."deleted" order by m."id"`)

/** What was paid for a member: sums, and services only where the payer may see them. */
const movesOf = (
  db: Queryable,
  { idHead, idCustomer, withServices }: { idHead: number; idCustomer: number; withServices: boolean },
): Promise<PortalFamilyMove[]> =>
  db.query(sql`
    select p."id"::int as id, p."localDate"::text as "localDate", (case p."kind" when 'payment' then t."sum" else -t."sum" end)::float8 as sum,
      case when ${withServices} then (select string_agg(distinct s."nameService", ', ') from ledger_txs x
        join ledger_allocations g on g."idTx" = x."id" join coupon_services l on l."id" = g."idLine" join services s on s."id" = l."idService"
        where x."idPayment" = coalesce(p."idRefundOf", p."id")) end as services
    from payments p join payments_parts t on t."idPayment" = p."id" and t."method" = 'advance'
    where p."idPayer" = ${idHead} and p."idCustomer" = ${idCustomer} and p."idStatus" = ${DONE}
    order by p."id" desc limit ${MOST}`)

const family = patientCall(billCalls.family, async ({ app, patient, recordView }) => {
  mustBeProven(patient)
  const { idCustomer } = patient
  const db = app.db
  const people = await paidBy(db, idCustomer)
  const represented = new Set((await familyOf(db, idCustomer)).map(({ id }) => id))
  const members = await Promise.all(
    people.map(async ({ idCustomer: id, isOpen, isBlocked: _, ...person }) => {
      const seesServices = isOpen || represented.has(id)
      const moves = await movesOf(db, { idHead: idCustomer, idCustomer: id, withServices: seesServices })
      if (seesServices && moves.length) await recordView(id, 'payments', 'семейный счёт: услуги')
      return { ...person, seesServices, moves }
    }),
  )
  const payers = await db.query<{
    id: number
    name: string
    limit: number | null
    spent: number
    isOpen: boolean
    isBlocked: boolean
  }>(sql`
    select m."id"::int as id, concat_ws(' ', c."name", left(c."surname", 1) || '.') as name, m."limitMonth"::float8 as "limit",
      ${spent}::float8 as spent, m."showsServices" as "isOpen", f."state" = 'blocked' as "isBlocked"
    from families_members m join families f on f."id" = m."idFamily" and not f."deleted" join customers c on c."id" = f."idHead"
    where m."idCustomer" = ${idCustomer} and not m."deleted" order by m."id"`)
  return { isBlocked: people.some(({ isBlocked }) => isBlocked), members, payers }
})

/** An adult decides whether the payer sees the services. */
const openFamily = patientCall(
  billCalls.openFamily,
  async ({ app, patient, params: { id }, body: { isOpen }, wrote }) => {
    mustBeProven(patient)
    const { idCustomer } = patient
    await app.engine.for(systemActor).tx(async ({ asSystem }, tx) => {
      const own = await tx.one(sql`select 1 from families_members
      where "id" = ${id} and "idCustomer" = ${idCustomer} and not "deleted" for update`)
      if (!own) throw notFound('Семейного счёта нет')
      await asSystem.update(FamilyMember, id, { showsServices: isOpen })
    })
    await wrote({
      ...{ action: 'update', entity: FamilyMember, id, idCustomer },
      what: isOpen ? 'показывать услуги плательщику' : 'не показывать услуги плательщику',
    })
    return { isOpen }
  },
)

export const familyOperations = [family, openFamily]
