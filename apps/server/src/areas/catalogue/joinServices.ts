/** Services that were made twice under spellings of one name: found, joined, and parted again. */
import { catalogueCalls } from '@ordinator/model/areas/catalogue/calls'
import { SERVICE, Service } from '@ordinator/model/areas/catalogue/service'
import { serviceKey } from '@ordinator/model/areas/catalogue/serviceKey'
import { pointingAt } from '@ordinator/model/deletion'
import type { Row } from '@ordinator/model/entity'
import { isStored, isWritable } from '@ordinator/model/fields/field'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { bringBack, type TurnedLinks, turnBack, turnLinks } from '#records/merge.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

/** Groups of doubles in one answer. */
const MAX_GROUPS = 200

interface Double {
  id: number
  name: string
  code: string | null
  price: number | null
  performers: number
  visits: number
}

export const doubles = operation(catalogueCalls.doubles, async ({ app }) => {
  const all = await app.db.query<{ id: number; name: string; code: string | null }>(sql`
    select "id"::int as id, "nameService" as name, "code" from services
    where not "deleted" and "serviceCategory" = ${SERVICE} order by "id"`)
  const groups = [...Map.groupBy(all, ({ name }) => serviceKey(name)).values()].filter((some) => isDouble(some))
  const shown = groups.slice(0, MAX_GROUPS)
  const facts = await app.db.query<Double>(sql`
    select s."id"::int as id, s."nameService" as name, s."code", coalesce(s."priceService", (select p."price" from service_prices p
        where p."idService" = s."id" and not p."deleted" order by p."dateFrom" desc limit 1))::float8 as price,
      (select count(*) from service_doctors d where d."idService" = s."id")::int as performers,
      (select count(distinct l."idCoupon") from coupon_services l where l."idService" = s."id" and not l."deleted")::int as visits
    from services s where s."id" = any (${shown.flat().map(({ id }) => id)}::bigint[])`)
  const byId = new Map(facts.map((one) => [one.id, one]))
  const joined = await app.db.query<{ id: number; kept: string; merged: string; at: string }>(sql`
    select j."id"::int as id, k."nameService" as kept, m."nameService" as merged, j."dateCreate" as at from service_joins j
      join services k on k."id" = j."idKept" join services m on m."id" = j."idMerged"
    where j."dateUndone" is null order by j."id" desc limit 20`)
  return {
    groups: shown.map((some) => ({
      // The one with visits and performers is proposed to stay.
      services: some
        .flatMap(({ id }) => byId.get(id) ?? [])
        .toSorted((a, b) => b.visits - a.visits || b.performers - a.performers || a.id - b.id),
    })),
    joined,
  }
})

/** Of one name, unless each has a code of its own. */
const isDouble = (some: readonly { code: string | null }[]): boolean => {
  const codes = some.flatMap(({ code }) => code ?? [])
  return some.length > 1 && !(codes.length === some.length && new Set(codes).size === codes.length)
}

/** Fields that the service that stays takes over where it has none. */
const own = Object.entries(Service.fields)
  .filter(([, f]) => isStored(f) && isWritable(f))
  .map(([field]) => field as keyof Row<typeof Service> & string)

export const join = operation(catalogueCalls.join, ({ app, records, actor, params: { id }, body: { idMerged } }) =>
  records.tx(async (inner, tx) => {
    if (id === idMerged)
      throw new ValidationError([{ field: 'idMerged', message: 'Услугу нельзя объединить с ней самой' }])
    // Locked in the order of ids, so that two concurrent joins cannot deadlock.
    await tx.query(sql`select 1 from services where "id" in (${id}, ${idMerged}) order by "id" for update`)
    const [kept, merged] = [await inner.row(Service, id), await inner.row(Service, idMerged)]
    if (kept.serviceCategory !== merged.serviceCategory)
      throw new ValidationError([{ field: 'idMerged', message: 'Услугу с товаром не объединяют' }])
    const missing = own.filter((field) => (kept[field] ?? '') === '' && (merged[field] ?? '') !== '')
    const taken = Object.fromEntries(missing.map((field) => [field, merged[field]]))
    const turned = await turnLinks(inner.asSystem, app.registry, Service, idMerged, id)
    const lists = await turnLists(app, inner, tx, idMerged, id)
    await inner.asSystem.remove(Service, idMerged, { sure: true })
    if (missing.length > 0) await inner.update(Service, id, taken)
    const made = await tx.one<{ id: number }>(sql`
      insert into service_joins ("idKept", "idMerged", "turned", "lists", "taken", "idUser")
      values (${id}, ${idMerged}, ${JSON.stringify(turned)}::jsonb, ${JSON.stringify(lists)}::jsonb,
        ${JSON.stringify(taken)}::jsonb, ${actor.id}) returning "id"::int as id`)
    return { id: made?.id as number }
  }),
)

interface TurnedList {
  path: string
  field: string
  id: number
}

/** Replaces the id in fields that hold several: discounts, programmes, message templates. */
async function turnLists(app: AppContext, records: Records, tx: Tx, from: number, to: number): Promise<TurnedList[]> {
  const turned: TurnedList[] = []
  for (const { entity, field, several } of pointingAt(
    Service,
    app.registry.definitions.map((one) => one.entity),
  )) {
    if (!several) continue
    const rows = await tx.query<{ id: number; ids: number[] }>(sql`select "id"::int as id, ${raw(`"${field}"`)} as ids
      from ${raw(`"${entity.table}"`)} where ${from} = any (${raw(`"${field}"`)}) ${raw(entity.soft ? 'and not "deleted"' : '')}`)
    for (const { id, ids } of rows) {
      const now = [...new Set(ids.map((one) => (one === from ? to : one)))]
      await records.asSystem.updateWhere(
        entity,
        ({ row }) => sql`${row}."id" = ${id}`,
        { [field]: now },
        {
          pastHooks: 'One service stands for the other',
        },
      )
      turned.push({ path: entity.path, field, id })
    }
  }
  return turned
}

export const part = operation(catalogueCalls.part, ({ app, records, params: { id } }) =>
  records.tx(async (inner, tx) => {
    const one = await tx.one<{
      idKept: number
      idMerged: number
      turned: TurnedLinks[]
      lists: TurnedList[]
      taken: Record<string, unknown>
      dateUndone: string | null
    }>(sql`select "idKept"::int as "idKept", "idMerged"::int as "idMerged", "turned", "lists", "taken", "dateUndone"
      from service_joins where "id" = ${id} for update`)
    if (!one) throw new HttpError(404, 'Объединение не найдено')
    if (one.dateUndone) throw new HttpError(409, 'Эти услуги уже разъединены', { code: 'state' })
    const kept = await inner.row(Service, one.idKept)
    // What is unique goes back first: a code cannot be at both.
    const back = Object.entries(one.taken).filter(
      ([field, value]) => JSON.stringify(kept[field as keyof typeof kept]) === JSON.stringify(value),
    )
    if (back.length > 0)
      await inner.update(Service, one.idKept, Object.fromEntries(back.map(([field]): [string, any] => [field, null])))
    const restored = await inner.asSystem.restore(Service, one.idMerged)
    await turnBack(inner.asSystem, app.registry, one.turned, one.idKept, one.idMerged)
    await bringBack(inner.asSystem, app.registry, one.turned, tx)
    for (const { path, field, id: idRow } of one.lists) {
      const { entity } = app.registry.at(path)
      const row = await tx.one<{ ids: number[] }>(
        sql`select ${raw(`"${field}"`)} as ids from ${raw(`"${entity.table}"`)} where "id" = ${idRow}`,
      )
      if (!row || row.ids.includes(one.idMerged)) continue
      await inner.asSystem.updateWhere(
        entity,
        ({ row: line }) => sql`${line}."id" = ${idRow}`,
        { [field]: [...row.ids, one.idMerged] },
        { pastHooks: 'The services are two again' },
      )
    }
    await tx.query(sql`update service_joins set "dateUndone" = now() where "id" = ${id}`)
    return restored
  }),
)
