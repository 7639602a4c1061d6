/** Values that formulas give for an order, beside the current ones. */
import { derive } from '@ordinator/model/areas/laboratory/derived'
import type { LabResult } from '@ordinator/model/areas/laboratory/result'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'

export interface Derived {
  at: { idItem: number; idAnalyte: number }
  /** The current value, if any. */
  main: Row<typeof LabResult> | undefined
  /** Undefined while a source is missing, or is no plain number. */
  value: string | undefined
  /** A source is preliminary. */
  preliminary: boolean
}

/** @param idItems lines; all derived values of their orders are computed */
export async function derivedOf(db: Queryable, idItems: readonly number[]): Promise<Derived[]> {
  const wanted = await db.query<{
    idOrder: number
    idItem: number
    idAnalyte: number
    formula: string
    decimals: number | null
    main: Row<typeof LabResult> | null
  }>(sql`select i."idOrder", i."id" as "idItem", a."id" as "idAnalyte", a."formula", a."decimals", to_jsonb(r) as main
    from laboratory_order_items i join laboratory_components k on k."idTest" = i."idTest" and not k."deleted"
      join laboratory_analytes a on a."id" = k."idAnalyte" and a."formula" is not null
      left join laboratory_results r on r."idItem" = i."id" and r."idAnalyte" = a."id" and r."isMain" and r."status" <> 'dropped'
    where i."idOrder" in (select "idOrder" from laboratory_order_items where "id" = any (${idItems}::bigint[]))
      and not i."deleted" and (r."id" is not null or i."status" not in ('cancelled', 'done', 'rejected', 'planned'))
    order by i."id", a."id"`)
  if (wanted.length === 0) return []
  const orders = [...new Set(wanted.map(({ idOrder }) => idOrder))]
  const sources = await db.query<{ idOrder: number; code: string; value: string; preliminary: boolean }>(sql`
    select i."idOrder", lower(a."code") as code, r."value", r."preliminary" from laboratory_results r
      join laboratory_order_items i on i."id" = r."idItem" join laboratory_analytes a on a."id" = r."idAnalyte"
    where i."idOrder" = any (${orders}::bigint[]) and r."isMain" and r."status" <> 'dropped' and r."kind" = 'number'
      and a."formula" is null order by r."status" in ('medical', 'corrected'), r."id"`)
  const byOrder = Map.groupBy(sources, ({ idOrder }) => idOrder)
  return wanted.map(({ idOrder, idItem, idAnalyte, formula, decimals, main }) => {
    const known = new Map((byOrder.get(idOrder) ?? []).map((one) => [one.code, one]))
    const used: boolean[] = []
    const value = derive(formula, decimals ?? 2, (code) => {
      const found = known.get(code)
      if (found) used.push(found.preliminary)
      return found?.value
    })
    return { at: { idItem, idAnalyte }, main: main ?? undefined, value, preliminary: used.includes(true) }
  })
}
