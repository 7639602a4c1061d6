/** Duties of a leaving employee, and their transfer: each part to a chosen colleague, from one dialog. */
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { centreCalls, type DutyPart, MAX_DUTIES } from '@ordinator/model/areas/centre/calls'
import { LeadResponsible } from '@ordinator/model/areas/sales/lead'
import { Executor } from '@ordinator/model/areas/tasks/task'
import { formatDay } from '@ordinator/model/format'
import sql, { type Sql } from 'sql-template-tag'
import { couponCountsSql, visitIsOpenSql } from '#areas/counted/index.ts'
import { moveVisit } from '#areas/visits/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { giveChat, giveDialog } from './handover.ts'

/** SQL of an id for each record of a part. */
const held: Record<DutyPart, (idUser: number) => Sql> = {
  visits: (idUser) => sql`select c."id"::int as id from coupons c join appointments a on a."id" = c."idAppointment"
    where c."idUser" = ${idUser} and c."dateTo" > now() and ${couponCountsSql()} and ${visitIsOpenSql()}`,
  chats: (idUser) => sql`select c."id"::int as id from live_assist c
    where c."idUser" = ${idUser} and c."status" = 'active' and not c."deleted"`,
  online: (idUser) => sql`select d."id"::int as id from service_online d
    where d."idUser" = ${idUser} and d."status" <> 'closed' and not d."deleted"`,
  appeals: (idUser) => sql`select a."id"::int as id from appeals a
    where a."idOwner" = ${idUser} and a."outcome" is null and a."status" <> 'closed' and not a."deleted"`,
  tasks: (idUser) => sql`select t."id"::int as id from tasks_management_tasks t
    join tasks_management_executors e on e."idTask" = t."id"
    join tasks_management_members m on m."id" = e."idMember" and m."idUser" = ${idUser} and not m."deleted"
    where not t."deleted" and not t."isCompleted" and not t."isArchive" and not t."isTemplate" group by t."id"`,
  deals: (idUser) => sql`select l."id"::int as id from sales_management_leads l
    join sales_management_responsible r on r."idLead" = l."id" and r."idUser" = ${idUser}
    where not l."deleted" and l."dateClosed" is null group by l."id"`,
}
const parts = Object.keys(held) as DutyPart[]

const idsOf = async (db: Queryable, part: DutyPart, idUser: number): Promise<number[]> =>
  (await db.query<{ id: number }>(sql`${held[part](idUser)} order by 1 limit ${MAX_DUTIES}`)).map(({ id }) => id)

async function countsOf(db: Queryable, idUser: number): Promise<Record<DutyPart, number>> {
  const counts = {} as Record<DutyPart, number>
  for (const part of parts)
    counts[part] =
      (await db.one<{ count: number }>(sql`select count(*)::int as count from (${held[part](idUser)}) x`))?.count ?? 0
  return counts
}

const duties = operation(centreCalls.duties, async ({ app, params }) => ({
  counts: await countsOf(app.db.reads, params.id),
}))

interface Stayed {
  part: DutyPart
  name: string
  why: string
}

/** Each record is moved separately, so that a failing one does not block the others. */
const giveDuties = operation(centreCalls.giveDuties, async ({ app, records, actor, params, body }) => {
  const from = params.id
  const counts = Object.fromEntries(parts.map((part) => [part, 0])) as Record<DutyPart, number>
  const stayed: Stayed[] = []
  for (const part of parts) {
    const to = body.to[part]
    if (to === undefined) continue
    await mustWork(app.db, part, from, to)
    for (const id of await idsOf(app.db, part, from)) {
      try {
        await records.tx(async (inner, tx) => {
          const why = await give[part]({ inner, tx, actor }, id, from, to)
          if (why) throw new HttpError(409, why)
        })
        counts[part] += 1
      } catch (error) {
        if (!(error instanceof HttpError || error instanceof ValidationError)) throw error
        stayed.push({ part, name: await nameOf(app.db, part, id), why: error.message })
      }
    }
  }
  return { counts, stayed }
})

/** @throws ValidationError that names the part */
async function mustWork(db: Queryable, part: DutyPart, from: number, to: number): Promise<void> {
  const wrong = (message: string) => new ValidationError([{ field: `to.${part}`, message }])
  if (from === to) throw wrong('Выберите другого сотрудника')
  if (!(await db.one(sql`select 1 from users where "id" = ${to} and not "deleted" and not "isBlocked"`)))
    throw wrong('Этот сотрудник не работает')
}

interface Giving {
  inner: Records
  tx: Tx
  actor: Parameters<typeof moveVisit>[0]['actor']
}

/** Moves one record. @returns the reason if it stays */
const give: Record<DutyPart, (giving: Giving, id: number, from: number, to: number) => Promise<string | undefined>> = {
  async visits({ inner, tx, actor }, id, _from, to) {
    const coupon = await tx.one<{ idAppointment: number; localDate: string; localStart: string }>(
      sql`select "idAppointment"::int as "idAppointment", "localDate"::text as "localDate", "localStart" from coupons where "id" = ${id}`,
    )
    if (!coupon) return 'Визита уже нет'
    const { idAppointment, localDate, localStart } = coupon
    const place = { localDate, localStart: localStart.slice(0, 5), idCoupon: id, idUser: to }
    await moveVisit({ records: inner, tx, actor }, idAppointment, { ...place, overbook: false, outside: false })
    return undefined
  },
  chats: async ({ inner, tx }, id, from, to) =>
    (await giveChat(inner, tx, { id, talk: true, step: true }, from, to)) ? undefined : 'Чат уже ведёт другой',
  online: async ({ inner, tx }, id, from, to) =>
    (await giveDialog(inner, tx, id, from, to)) ? undefined : 'Диалог уже ведёт другой',
  async appeals({ inner }, id, _from, to) {
    await inner.asSystem.update(Appeal, id, { idOwner: to })
    return undefined
  },
  async tasks({ inner, tx }, id, from, to) {
    const seats = await tx.query<{ idExecutor: number; theirs: number | null; isThere: boolean }>(sql`
      select e."id"::int as "idExecutor", theirs."id"::int as theirs,
        exists (select 1 from tasks_management_executors x where x."idTask" = ${id} and x."idMember" = theirs."id") as "isThere"
      from tasks_management_executors e
      join tasks_management_members m on m."id" = e."idMember" and m."idUser" = ${from}
      left join tasks_management_members theirs on theirs."idBoard" = m."idBoard" and theirs."idUser" = ${to} and not theirs."deleted"
      where e."idTask" = ${id}`)
    for (const { idExecutor, theirs, isThere } of seats) {
      if (theirs === null) return 'Сотрудника нет в рабочем пространстве этой задачи'
      if (!isThere) await inner.asSystem.create(Executor, { idTask: id, idMember: theirs })
      await inner.asSystem.remove(Executor, idExecutor)
    }
    return undefined
  },
  async deals({ inner, tx }, id, from, to) {
    const rows = await tx.query<{ id: number; idUser: number }>(
      sql`select "id"::int as id, "idUser"::int as "idUser" from sales_management_responsible where "idLead" = ${id}`,
    )
    if (!rows.some(({ idUser }) => idUser === to))
      await inner.asSystem.create(LeadResponsible, { idLead: id, idUser: to })
    for (const row of rows) if (row.idUser === from) await inner.asSystem.remove(LeadResponsible, row.id)
    return undefined
  },
}

/** Display name of a kept record, without the text of a chat. */
async function nameOf(db: Queryable, part: DutyPart, id: number): Promise<string> {
  if (part === 'visits') {
    const one = await db.one<{ day: string; start: string; surname: string }>(sql`
      select c."localDate"::text as day, left(c."localStart"::text, 5) as start, k."surname" from coupons c
      join appointments a on a."id" = c."idAppointment" join customers k on k."id" = a."idCustomer" where c."id" = ${id}`)
    return one ? `${formatDay(one.day)} ${one.start}, ${one.surname}` : `№ ${id}`
  }
  const title = {
    tasks: sql`select "name" from tasks_management_tasks where "id" = ${id}`,
    deals: sql`select "title" as name from sales_management_leads where "id" = ${id}`,
  }
  const found = part === 'tasks' || part === 'deals' ? await db.one<{ name: string }>(title[part]) : undefined
  return found?.name ?? `№ ${id}`
}

export const dutyCalls = [duties, giveDuties]
