/** Documents of МДЛП: incoming ones to accept or refuse, outgoing ones of stock documents, and their codes. */

import { MdlpCode, MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { mdlpCalls } from '@ordinator/model/areas/warehouse/mdlpCalls'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { placeSql } from '#records/places.ts'
import type { Records } from '#records/records.ts'
import { isMine, visibleTo } from '../scope.ts'

export type MdlpRow = Row<typeof MdlpDocument>

export const mdlpDocuments = records(MdlpDocument, {
  computed: {
    codesCount: ({ row }) => sql`(select count(*)::int from mdlp_document_codes c where c."idDocument" = ${row}."id")`,
  },
})

export const mdlpCodes = records(MdlpCode, {
  scope: {
    unless: 'viewAllWarehouses',
    view: ({ row, me }) => sql`(${row}."idWarehouse" is null or ${isMine(sql`${row}."idWarehouse"`, me)})`,
  },
})

/** The document, locked. */
export async function held(records: Records, tx: Tx, id: number): Promise<MdlpRow> {
  await tx.query(sql`select 1 from mdlp_documents where "id" = ${id} for no key update`)
  return records.row(MdlpDocument, id)
}

export const differences = operation(mdlpCalls.differences, async ({ app, actor }) => {
  return {
    items: await app.db.reads.query<never>(sql`
      select k."id", k."sgtin", p."nameService" as product, k."status" as ours, k."theirStatus" as theirs, ${placeSql(app.registry, Warehouse.path, raw('w'))} as warehouse
      from mdlp_codes k left join services p on p."id" = k."idProduct" left join warehouses w on w."id" = k."idWarehouse"
      where k."theirStatus" is not null and k."theirStatus" <> k."status" and k."status" <> 'awaiting'
        and (k."idWarehouse" is null or ${visibleTo(actor, sql`k."idWarehouse"`)}) order by k."id" desc limit 500`),
  }
})

export const state = operation(mdlpCalls.state, async ({ app }) => {
  const { mdlpMode, mdlpVersion, mdlpPassword, signaturePlugin } = await readCommonSettings(app.db)
  const set = await app.db.one<{ count: number }>(
    sql`select (select count(*)::int from jsonb_object_keys("files")) as count from mdlp_schema_sets where "version" = ${mdlpVersion}`,
  )
  const places = await app.db.query<{ idWarehouse: number; name: string; place: string | null }>(sql`
    select w."id" as "idWarehouse", w."name" || ', ' || f."nameFilial" as name, coalesce(w."mdlpPlace", f."mdlpPlace") as place
    from warehouses w join filials f on f."id" = w."idFilial" where not w."deleted" and w."active" order by 2 limit 200`)
  const session = await app.db.one<{ until: string | null }>(
    sql`select to_json(max("dateUntil")) #>> '{}' as until from mdlp_sessions where "dateUntil" > now()`,
  )
  return {
    mode: mdlpMode,
    version: mdlpVersion || null,
    schemas: set?.count ?? 0,
    places,
    until: session?.until ?? null,
    needsPerson: !mdlpPassword && signaturePlugin !== 'simulator',
  }
})
