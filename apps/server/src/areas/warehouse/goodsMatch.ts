/** Matches a supplier's line to a good: by GTIN, by earlier choices, by article and by name. */
import { GoodsName } from '@ordinator/model/areas/warehouse/inventory'
import sql from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { records } from '#records/define.ts'
import type { Records } from '#records/records.ts'

export const goodsNames = records(GoodsName)

export interface Sought {
  gtin?: string | null
  article?: string | null
  name?: string | null
}

/** Ids of goods in the order of the input; null: no match, or several equal ones. */
export async function matchGoods(
  db: Queryable,
  sought: readonly Sought[],
  idSupplier: number | null,
): Promise<(number | null)[]> {
  if (sought.length === 0) return []
  const rows = await db.query<{ no: number; id: number | null }>(sql`
    with s as (select * from unnest(${sought.map((one) => one.gtin ?? null)}::text[], ${sought.map((one) => one.article ?? null)}::text[],
      ${sought.map((one) => one.name ?? null)}::text[]) with ordinality as s("gtin", "article", "name", "no"))
    select s."no"::int as no, coalesce(
      (select min(p."id") from services p where p."gtin" = s."gtin" and p."serviceCategory" = 1 and not p."deleted" having count(*) = 1),
      (select n."idProduct" from warehouse_names n join services p on p."id" = n."idProduct" and not p."deleted"
        where lower(n."name") = lower(s."name") and (n."idSupplier" = ${idSupplier} or n."idSupplier" is null)
        order by n."idSupplier" nulls last, (n."article" is not distinct from s."article") desc limit 1),
      (select min(p."id") from services p where lower(p."article") = lower(s."article") and p."serviceCategory" = 1 and not p."deleted" having count(*) = 1),
      (select min(p."id") from services p where lower(p."nameService") = lower(s."name") and p."serviceCategory" = 1 and not p."deleted" having count(*) = 1)
    ) as id from s order by s."no"`)
  return rows.map(({ id }) => id)
}

/** Remembers the good chosen for a supplier's name. */
export async function learnName(
  records: Records,
  tx: Tx,
  line: {
    id: number
    idDocument: number
    idProduct: number | null
    sourceName: string | null
    sourceArticle: string | null
  },
): Promise<void> {
  const { idDocument, idProduct, sourceName, sourceArticle } = line
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`goods name ${sourceName?.toLowerCase()}`}, 0))`)
  const supplier = await tx.one<{ id: number | null }>(
    sql`select "idSupplier" as id from warehouse_documents where "id" = ${idDocument}`,
  )
  const known = await tx.one<{ id: number }>(sql`select "id" from warehouse_names
    where "idSupplier" is not distinct from ${supplier?.id ?? null}::bigint and lower("name") = lower(${sourceName})
      and lower("article") is not distinct from lower(${sourceArticle})`)
  if (known) await records.asSystem.update(GoodsName, known.id, { idProduct: idProduct as number })
  else
    await records.asSystem.create(GoodsName, {
      idSupplier: supplier?.id ?? null,
      name: sourceName as string,
      article: sourceArticle,
      idProduct: idProduct as number,
    })
}
