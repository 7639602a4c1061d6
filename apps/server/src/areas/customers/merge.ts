import { customerCalls } from '@ordinator/model/areas/customers/calls'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerMerge, UNDO_DAYS } from '@ordinator/model/areas/customers/merge'
import type { Row } from '@ordinator/model/entity'
import { isStored, isWritable } from '@ordinator/model/fields/field'
import sql from 'sql-template-tag'
import { badRequest, HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Thread } from '#records/define.ts'
import { journalActor } from '#records/journal.ts'
import { bringBack, countLinks, type TurnedLinks, turnBack, turnLinks } from '#records/merge.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

const DAY_MS = 86_400_000

/** The editable fields of a card. */
const own = Object.entries(Customer.fields)
  .filter(([, f]) => isStored(f) && isWritable(f))
  .map(([field]) => field as keyof Row<typeof Customer> & string)

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

export const mergePreview = operation(customerCalls.mergePreview, async ({ app, records, params, query }) => {
  const [kept, merged] = await cardsOf(records, params.id, query.idMerged)
  await journalCards(app, records, kept.id, merged.id)
  return {
    fields: own
      .filter((field) => !isSame(kept[field], merged[field]))
      .map((field) => ({ field, kept: kept[field] ?? null, merged: merged[field] ?? null })),
    links: (await countLinks(app.db, app.registry, Customer, merged.id)).map(({ path, count }) => ({
      path,
      label: app.registry.at(path).entity.label[0],
      count,
    })),
  }
})

export const merge = operation(customerCalls.merge, async ({ app, records, params, body }) => {
  const unknown = body.take.find((field) => !own.some((one) => one === field))
  if (unknown) throw badRequest(`Такого поля у карты нет: ${unknown}`)
  const made = await records.tx(async (inner, tx) => {
    // Locked in the order of ids, so that two concurrent merges cannot deadlock.
    await tx.query(sql`select 1 from customers where "id" in (${params.id}, ${body.idMerged}) order by "id" for update`)
    const [kept, merged] = await cardsOf(inner, params.id, body.idMerged)
    // A restricted card stays restricted after a merge.
    const limits = kept.secretLevel === 'none' ? [...body.take, 'secretLevel'] : body.take
    const take = own.filter((field) => limits.includes(field) && !isSame(kept[field], merged[field]))
    const values = Object.fromEntries(take.map((field) => [field, merged[field]]))
    // The phone that is no longer the main one is kept.
    const other = take.includes('phone') ? kept.phone : merged.phone
    const first = take.includes('phone') ? merged.phone : kept.phone
    const hasRoom = !kept.phoneExtended && !take.includes('phoneExtended')
    if (other && first && other !== first && hasRoom) values.phoneExtended = other
    const written = Object.keys(values) as (keyof Row<typeof Customer> & string)[]
    const before = Object.fromEntries(written.map((field) => [field, kept[field]]))
    const turned = await turnLinks(inner.asSystem, app.registry, Customer, merged.id, kept.id)
    await inner.remove(Customer, merged.id)
    if (written.length) await inner.update(Customer, kept.id, values)
    // The user who merged them may not see the whole result.
    const after = await inner.asSystem.row(Customer, kept.id)
    return inner.asSystem.create(CustomerMerge, {
      idKept: kept.id,
      idMerged: merged.id,
      fioMerged: merged.fio,
      turned,
      changed: Object.fromEntries(written.map((field) => [field, [before[field], after[field]]])),
    })
  })
  await journalCards(app, records, params.id, body.idMerged, 'update')
  return made
})

export const unmerge = operation(customerCalls.unmerge, async ({ app, records, params }) => {
  const card = await records.tx(async (inner, tx) => {
    const found = await tx.one<{ id: number }>(
      sql`select "id" from customers_merges where "id" = ${params.id} for update`,
    )
    if (!found) throw new HttpError(404, 'Объединение не найдено')
    const one = await inner.asSystem.row(CustomerMerge, params.id)
    if (one.dateUndone) throw new HttpError(409, 'Эти карты уже разъединены')
    if (Date.now() - Date.parse(one.dateCreate) > UNDO_DAYS * DAY_MS)
      throw new HttpError(409, `Разъединить карты можно в течение ${UNDO_DAYS} дней`)
    await tx.query(sql`select 1 from customers where "id" in (${one.idKept}, ${one.idMerged}) order by "id" for update`)
    const kept = (await inner.rows(Customer, { 'filter[id]': one.idKept, limit: 1 }))[0]
    if (!kept) throw new HttpError(409, 'Сначала верните карту, к которой присоединили эту: её удалили или объединили')
    await inner.mustOpen(Customer, kept.id)
    const restored = await inner.restore(Customer, one.idMerged)
    await turnBack(inner.asSystem, app.registry, one.turned as TurnedLinks[], one.idKept, one.idMerged)
    await bringBack(inner.asSystem, app.registry, one.turned as TurnedLinks[], tx)
    // Values changed since the merge stay.
    const back = Object.entries(one.changed).filter(([field, [, after]]) => isSame(kept[field as 'name'], after))
    if (back.length)
      await inner.update(Customer, kept.id, Object.fromEntries(back.map(([field, [before]]) => [field, before])))
    await inner.asSystem.update(CustomerMerge, one.id, { dateUndone: new Date().toISOString() })
    return { restored, idKept: kept.id }
  })
  await journalCards(app, records, card.idKept, card.restored.id, 'update')
  return card.restored
})

async function cardsOf(records: Records, idKept: number, idMerged: number) {
  if (idKept === idMerged)
    throw new ValidationError([{ field: 'idMerged', message: 'Карту нельзя объединить с ней самой' }])
  return [await records.row(Customer, idKept), await records.row(Customer, idMerged)] as const
}

/** Merged cards and authors, in the thread and the history of the remaining card. */
export const mergeThread: Thread = {
  of: Customer.path,
  kind: 'merges',
  name: 'Объединения карт',
  rare: true,
  when: 'dateCreate',
  belongs: ({ row }, id) => sql`${row}."idKept" = ${id}`,
  title: ({ row }) => sql`'Присоединена карта: ' || ${row}."fioMerged"`,
  hint: ({ row }) => sql`case when ${row}."dateUndone" is not null then 'Карты снова разъединены' end`,
  author: ({ row }) => sql`${row}."idUser"`,
}

const journalCards = (
  app: AppContext,
  records: Records,
  idKept: number,
  idMerged: number,
  action: 'view' | 'update' = 'view',
) =>
  app.journal(
    ...[idKept, idMerged].map((idEntity) => ({
      ...journalActor(records.actor),
      action,
      entityType: Customer.path,
      idEntity,
      idCustomer: idEntity,
      basis: action === 'view' ? 'Сверка двух карт' : 'Объединение карт',
    })),
  )
