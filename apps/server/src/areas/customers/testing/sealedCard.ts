/**
 * A patient with a record of every entity that names one, each word of which can be recognised: for tests of restricted
 * cards.
 */

import { LabResult } from '@ordinator/model/areas/laboratory/result'
import { isRef } from '@ordinator/model/fields/ref'
import type { Definition } from '#records/define.ts'
import { goesWith, sealedReferences } from '#records/sealed.ts'
import { bodiesIn } from '#testing/bodies.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { markTexts } from '#testing/questions.ts'

/** Stands in every text of the card and of the records that name it. */
export const MARK = 'Тайна77'
export const PHONE = '79160000777'
const BIRTHDAY = '1977-07-17'
export const TABOO = [MARK, PHONE, BIRTHDAY, '17.07.1977']
/** Its name, shown by the list of cards, references to it and the search only. */
const NAME = 'Тайновед'
export const NAMED = [...TABOO, NAME]
/** Stands in the laboratory values of the card. */
export const VALUE = `${MARK}-показание`

export interface SealedCard {
  id: number
  /** Ids of the card, and of the records that name it or go with one that does, by path. */
  named: ReadonlyMap<string, readonly number[]>
  /** Records that hold some of these among others, or that only show a name of one. */
  around: ReadonlyMap<string, readonly number[]>
  /** A value that waits for a call and for a decision. */
  critical: { id: number; idOrder: number; idAnalyte: number } | undefined
  /** The last visit. */
  visit: { idFilial: number; day: string } | undefined
}

/** @param clinic of the demo @param admin holds every right @returns the card, not restricted yet */
export async function makeSealedCard(clinic: Clinic, admin: Caller): Promise<SealedCard> {
  const { db } = clinic
  const { registry } = clinic.context
  const { definitions } = registry
  const named = new Map<string, number[]>()
  const around = new Map<string, number[]>()
  const one = <T extends object>(text: string) => db.one<T>({ text })
  const idsIn = async (table: string, where: string): Promise<number[]> =>
    (
      await db.query<{ id: number }>({
        text: `select "id"::int as id from "${table}" where ${where} order by "id" limit 20`,
      })
    ).map(({ id }) => id)

  const made = (path: string, given: Record<string, unknown>) =>
    bodiesIn(clinic, admin)
      .made(path, given)
      .catch(() => undefined)

  /** Finds or makes records that name one of these by a reference, and writes the mark into their texts. */
  async function name({ entity }: Definition, by: string, ...above: number[]): Promise<void> {
    const where = `"${by}" in (${above.join()})`
    let ids = await idsIn(entity.table, where)
    if (ids.length === 0) {
      await made(entity.path, { [by]: above[0] })
      ids = await idsIn(entity.table, where)
    }
    named.set(entity.path, ids)
    await markTexts(clinic, entity, where, `'${MARK}'`)
    if (entity.path === LabResult.path)
      await db.query({ text: `update laboratory_results set "value" = '${VALUE}' where ${where}` })
  }

  /** Fills `around`: records that hold parts of the patient's among others', and that only show a name of one. */
  async function lookAround(): Promise<void> {
    for (const { entity } of definitions) {
      const ids = named.get(entity.path)
      const parent = entity.within && entity.fields[entity.within]
      if (ids?.length && parent && isRef(parent) && !named.has(parent.to)) {
        const above = await db.query<{ id: number }>({
          text: `select distinct "${entity.within}"::int as id from "${entity.table}" where "id" in (${ids.join()}) limit 1`,
        })
        around.set(
          parent.to,
          above.map(({ id }) => id),
        )
      }
      for (const by of entity.nameOnly ?? []) {
        const f = entity.fields[by]
        const to = f && isRef(f) ? named.get(f.to) : undefined
        if (ids || !to?.length) continue
        const where = `"${by}" in (${to.join()})`
        if ((await idsIn(entity.table, where)).length === 0) await made(entity.path, { [by]: to[0] })
        around.set(entity.path, (await idsIn(entity.table, where)).slice(0, 1))
      }
    }
  }

  const rich = await one<{ id: number }>(`select o."idCustomer"::int as id from laboratory_orders o
    join laboratory_results r on r."idCustomer" = o."idCustomer" where r."status" in ('medical', 'corrected')
      and exists (select from payments p where p."idCustomer" = o."idCustomer") group by 1 order by count(*) desc limit 1`)
  const vip = rich?.id as number
  for (const d of definitions.filter((one) => sealedReferences(registry, one).length > 0)) {
    const [{ by } = { by: 'idCustomer' }] = sealedReferences(registry, d)
    await name(d, by, vip)
  }
  // Records that go with them.
  for (let grew = true; grew; ) {
    grew = false
    for (const d of definitions) {
      const [by] = goesWith(registry, d)
      const f = by === undefined ? undefined : d.entity.fields[by]
      const above = f && isRef(f) ? named.get(f.to) : undefined
      if (by === undefined || named.has(d.entity.path) || !above?.length) continue
      await name(d, by, ...above)
      grew = true
    }
  }
  await db.query({
    text: `update customers set "surname" = '${NAME}ов', "name" = '${NAME}ослав', "middleName" = '${NAME}ович', "phone" = '+${PHONE}', "email" = '${MARK}@example.ru',
      "birthday" = '${BIRTHDAY}', "allergies" = '${MARK}' where "id" = $1`,
    values: [vip],
  })
  named.set('customers', [vip])
  // A critical value without a call, a question about it, a tube to be taken.
  const critical = await one<{
    id: number
    idOrder: number
    idAnalyte: number
  }>(`select r."id"::int as id, i."idOrder"::int as "idOrder", r."idAnalyte"::int as "idAnalyte"
    from laboratory_results r join laboratory_order_items i on i."id" = r."idItem"
    where r."idCustomer" = ${vip} and r."isMain" and r."status" = 'medical' order by r."id" desc limit 1`)
  await db.query({
    text: `update laboratory_results set "callDue" = true, "flag" = 'HH', "calledAt" = null,
      "review" = '{"why":"card","normText":null,"flag":null}' where "id" = ${critical?.id}`,
  })
  const tube = `select s."id" from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder"
    where o."idCustomer" = ${vip} and o."id" <> ${critical?.idOrder} limit 1`
  await db.query({
    text: `with planned as (update laboratory_samples set "status" = 'planned' where "id" = (${tube}) returning "idOrder")
      update laboratory_orders set "status" = 'placed' where "id" in (select "idOrder" from planned)`,
  })
  await lookAround()
  const visit = await one<{
    idFilial: number
    day: string
  }>(`select a."idFilial"::int as "idFilial", c."localDate"::text as day from coupons c
    join appointments a on a."id" = c."idAppointment" where a."idCustomer" = ${vip} and not c."deleted" order by c."id" desc limit 1`)
  return { id: vip, named, around, critical, visit }
}
