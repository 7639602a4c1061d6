/** The price list of a partner laboratory, compared with ours and taken over by line. */
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { type Biomaterial, biomaterials } from '@ordinator/model/areas/laboratory/words'
import sql from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { PriceLine } from './partnerAdapter.ts'
import { adapterOf, type Exchange } from './partnerOrder.ts'

interface Compared extends PriceLine {
  idTest: number | null
  ownCost: number | null
  price: number | null
  advised: number | null
  margin: number | null
  state: 'new' | 'same' | 'changed' | 'gone'
}

async function compared(
  app: AppContext,
  db: Queryable,
  laboratory: Exchange & { priceRule: number | null },
): Promise<Compared[]> {
  const price = adapterOf(app, laboratory)?.price
  if (!price)
    throw new HttpError(409, 'Эта лаборатория не присылает прайс: загрузите его файлом в каталоге', { code: 'adapter' })
  const theirs = await price.getCatalog()
  const ours = await db.query<{
    id: number
    name: string
    labCode: string
    cost: number | null
    termDays: number
    price: number | null
  }>(sql`
    select t."id", t."name", t."labCode", t."cost"::float8 as cost, coalesce(t."termDays", 0) as "termDays",
      coalesce((select (${priceSql(sql`v`, sql`v."id"`, {})})::float8 from services v where v."id" = t."idService"),
        (select (${priceSql(sql`v`, sql`v."id"`, {})})::float8 from services v where v."labCode" = t."labCode" and not v."deleted" limit 1)) as price
    from laboratory_catalog t where t."idLaboratory" = ${laboratory.id} and t."labCode" is not null and not t."deleted"`)
  const byCode = new Map(ours.map((one) => [one.labCode, one]))
  const lines = theirs.map((line): Compared => {
    const own = byCode.get(line.code)
    byCode.delete(line.code)
    const price = own?.price ?? null
    const advised =
      laboratory.priceRule === null ? null : Math.ceil((line.cost * (1 + laboratory.priceRule / 100)) / 10) * 10
    return {
      ...line,
      idTest: own?.id ?? null,
      ownCost: own?.cost ?? null,
      price,
      advised,
      margin: price === null ? null : Math.round((price - line.cost) * 100) / 100,
      state: !own ? 'new' : own.cost === line.cost && own.termDays === line.termDays ? 'same' : 'changed',
    }
  })
  const gone = [...byCode.values()].map(
    ({ id, name, labCode, cost, termDays, price }): Compared => ({
      ...{ code: labCode, name, cost: cost ?? 0, termDays, idTest: id, ownCost: cost, price },
      ...{ advised: null, margin: null, state: 'gone' as const },
    }),
  )
  return [...lines, ...gone]
}

export const partnerPrice = operation(laboratoryCalls.partnerPrice, async ({ app, records, params }) => ({
  items: await compared(app, app.db, await records.row(Laboratory, params.id)),
}))

export const takePrice = operation(laboratoryCalls.takePrice, ({ app, records, params, body }) =>
  records.tx(async (inner, tx) => {
    const laboratory = await inner.row(Laboratory, params.id)
    const wanted = new Set(body.codes)
    const lines = (await compared(app, tx, laboratory)).filter(
      ({ code, state }) => wanted.has(code) && state !== 'gone',
    )
    if (lines.length === 0) throw new ValidationError([{ field: 'codes', message: 'Таких исследований в прайсе нет' }])
    const fresh = lines.filter(({ idTest }) => idTest === null).map(({ code }) => code)
    const materials = new Map(
      fresh.length
        ? (await adapterOf(app, laboratory)?.price?.preanalytics(fresh))?.map((one) => [one.code, one.biomaterial])
        : [],
    )
    let changed = 0
    let created = 0
    for (const { code, name, cost, termDays, idTest, state } of lines) {
      if (idTest === null) {
        const service = await tx.one<{ id: number }>(
          sql`select "id" from services where "labCode" = ${code} and not "deleted" order by "id" limit 1`,
        )
        await inner.create(LabTest, {
          name,
          labCode: code,
          idLaboratory: laboratory.id,
          cost,
          termDays,
          idService: service?.id ?? null,
          ...(Object.hasOwn(biomaterials, materials.get(code) ?? '') && {
            biomaterial: materials.get(code) as Biomaterial,
          }),
        })
        created++
      } else if (state === 'changed') {
        await inner.update(LabTest, idTest, { cost, termDays })
        changed++
      }
    }
    await inner.asSystem.update(Laboratory, laboratory.id, { catalogUpdatedAt: new Date().toISOString() })
    return { changed, created }
  }),
)
