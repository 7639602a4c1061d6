/** Contents of an order by the chosen tests: sold lines, tests to do, tubes. */
import { MAX_TESTS } from '@ordinator/model/areas/laboratory/calls'
import { tubesOf } from '@ordinator/model/areas/laboratory/preanalytics'
import type { Biomaterial, TempMode } from '@ordinator/model/areas/laboratory/words'
import sql, { raw } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'

/** A test of an order; for a panel its tests, each with the panel. */
export interface Wanted {
  id: number
  name: string
  idPanel: number | null
  idLaboratory: number
  laboratory: string
  isPartner: boolean
  cutoff: string | null
  biomaterial: Biomaterial
  idContainer: number | null
  container: string | null
  cap: string | null
  additive: string | null
  drawOrder: number | null
  usable: number | null
  volume: number
  tempMode: TempMode
  termDays: number
  cost: number | null
}

/** A sold item: a panel or a single test. */
export interface Sold {
  id: number
  name: string
  isPanel: boolean
  idService: number | null
  price: number | null
  preparation: string | null
  cost: number | null
}

export interface Plan {
  sold: Sold[]
  wanted: Wanted[]
  /** Names of lines that measure all analytes of another line, by its id. */
  covered: Map<number, string>
  /** Single tests contained in a panel of the same order, by id. */
  within: Map<number, string>
}

/** @throws ValidationError if a test is missing, inactive, or empty */
export async function planOf(db: Queryable, ids: readonly number[], idFilial: number): Promise<Plan> {
  const found = await db.query<Sold & { active: boolean }>(sql`
    select t."id", t."name", t."isPanel", t."active", t."idService", t."preparation", t."cost"::float8 as cost,
      (select (${priceSql(raw('v'), raw('v."id"'), { idFilial: sql`${idFilial}::bigint` })})::float8 from services v
        where v."id" = t."idService" and not v."deleted") as price
    from laboratory_catalog t where t."id" = any (${ids}::bigint[]) and not t."deleted"`)
  const byId = new Map(found.map((one) => [one.id, one]))
  const asked = [...new Set(ids)].map((id) => byId.get(id))
  const wrong = (message: string) => new ValidationError([{ field: 'tests', message }])
  if (asked.some((one) => one === undefined)) throw wrong('Исследования больше нет в каталоге')
  const tests = asked as (Sold & { active: boolean })[]
  const closed = tests.find(({ active }) => !active)
  if (closed) throw wrong(`Исследование больше не выполняется: ${closed.name}`)
  const wanted = await db.query<Wanted>(sql`
    with chosen as (select t."id", t."isPanel", a.at from unnest(${ids}::bigint[]) with ordinality a(id, at)
      join laboratory_catalog t on t."id" = a.id)
    select t."id", t."name", w."idPanel", t."idLaboratory", b."name" as laboratory, b."kind" = 'partner' as "isPartner",
      coalesce(t."cutoff", b."cutoff") as cutoff, t."biomaterial", t."idContainer", k."name" as container, k."cap", k."additive",
      k."drawOrder", k."usableVolume"::float8 as usable, coalesce(t."minVolume", 0.5)::float8 as volume, t."tempMode",
      coalesce(t."termDays", 1) as "termDays", t."cost"::float8 as cost
    from (select c."id", null::bigint as "idPanel", c.at, 0 as part from chosen c where not c."isPanel"
        union all select p."idPart", c."id", c.at, p."order"::int from chosen c join laboratory_components p on p."idTest" = c."id"
          and p."idPart" is not null and not p."deleted" where c."isPanel") w
      join laboratory_catalog t on t."id" = w."id" and not t."deleted"
      join laboratory_list b on b."id" = t."idLaboratory"
      left join laboratory_containers k on k."id" = t."idContainer"
    order by w."idPanel" is null, w.at, w.part, t."id"`)
  // A test is done once: through the panel if one contains it.
  const kept = new Map<number, Wanted>()
  const within = new Map<number, string>()
  for (const one of wanted) {
    const other = kept.get(one.id)
    if (!other) kept.set(one.id, one)
    else if (one.idPanel === null) within.set(one.id, byId.get(other.idPanel ?? 0)?.name ?? '')
  }
  const empty = tests.find(({ isPanel, id }) => isPanel && !wanted.some(({ idPanel }) => idPanel === id))
  if (empty) throw wrong(`В панели нет исследований: ${empty.name}`)
  if (kept.size > MAX_TESTS) throw wrong(`В заказе не больше ${MAX_TESTS} исследований`)
  const sold = tests.filter(({ id }) => !within.has(id))
  return { sold, wanted: [...kept.values()], within, covered: await coveredBy(db, sold, [...kept.values()]) }
}

/** If two lines measure the same, the earlier covers the later. */
async function coveredBy(
  db: Queryable,
  sold: readonly Sold[],
  wanted: readonly Wanted[],
): Promise<Map<number, string>> {
  if (sold.length < 2) return new Map()
  const parts = await db.query<{ idTest: number; idAnalyte: number }>(sql`select "idTest", "idAnalyte"
    from laboratory_components where "idTest" = any (${wanted.map(({ id }) => id)}::bigint[]) and "idAnalyte" is not null and not "deleted"`)
  const measures = sold.map((one) => {
    const tests = new Set(
      wanted.filter(({ id, idPanel }) => (one.isPanel ? idPanel === one.id : id === one.id)).map(({ id }) => id),
    )
    return { one, analytes: new Set(parts.filter(({ idTest }) => tests.has(idTest)).map(({ idAnalyte }) => idAnalyte)) }
  })
  return new Map(
    measures.flatMap(({ one, analytes }, at) => {
      const by = measures.find(
        (other, n) =>
          n !== at &&
          analytes.size > 0 &&
          [...analytes].every((id) => other.analytes.has(id)) &&
          (analytes.size < other.analytes.size || n < at),
      )
      return by ? [[one.id, by.one.name] as const] : []
    }),
  )
}

/** The tubes of these tests, in the order of draw. */
export const tubes = (wanted: readonly Wanted[]) =>
  tubesOf(
    wanted.map(({ id, idLaboratory, biomaterial, idContainer, tempMode, volume }) => ({
      ...{ id, idLaboratory, biomaterial, idContainer, tempMode, volume },
    })),
    new Map(
      wanted.flatMap(({ idContainer, usable, drawOrder }) =>
        idContainer === null ? [] : [[idContainer, { usable: usable ?? 0, order: drawOrder }] as const],
      ),
    ),
  )
