/** The work list of the laboratory: orders in rows, analytes in columns, the main result of each in its cell. */
import {
  laboratoryCalls,
  MAX_ROWS,
  type MatrixAnalyte,
  type MatrixCell,
  type MatrixRow,
} from '@ordinator/model/areas/laboratory/calls'
import { LabResult } from '@ordinator/model/areas/laboratory/result'
import type { Choice } from '@ordinator/model/areas/laboratory/values'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { ofOpenCard } from '#areas/customers/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch } from '#records/branches.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { heldByControlSql } from './quality.ts'
import { needsCallSql } from './records.ts'
import { iso, patientSql } from './shown.ts'

/** Struck values shown beside the current one. */
const MAX_STRUCK = 5
const MAX_ANALYTES = 120

interface Found {
  idOrder: number
  number: string | null
  idCustomer: number
  patient: string
  birthday: string | null
  sex: string | null
  urgency: 'routine' | 'cito'
  takenAt: string | null
  dueAt: string | null
  barcodes: string
}

/**
 * SQL of the main result `r` of the line `i` and the analyte `a`. Looked up by its index for each shown line: with a
 * plain join PostgreSQL scans the whole table of results while it is of medium size.
 */
const mainResult = sql`left join lateral (select * from laboratory_results m where m."idItem" = i."id" and m."idAnalyte" = a."id"
    and m."isMain" and m."status" <> 'dropped' limit 1) r on true`

type Asked = z.output<typeof laboratoryCalls.matrix.query>
type CellRow = MatrixCell & { idOrder: number; idItem: number; idAnalyte: number; formerAt: string | null }

/** SQL of the lines `i` of the orders `o` with their analytes `a`, tubes `s`, patients `c` and main results `r`. */
const cellsFrom = sql`laboratory_orders o join laboratory_order_items i on i."idOrder" = o."id"
  join laboratory_list b on b."id" = i."idLaboratory"
  join laboratory_components k on k."idTest" = i."idTest" and not k."deleted"
  join laboratory_analytes a on a."id" = k."idAnalyte" and not a."deleted"
  join customers c on c."id" = o."idCustomer" left join laboratory_samples s on s."id" = i."idSample"
  ${mainResult}`

export const matrix = operation(laboratoryCalls.matrix, async ({ app, actor, query }) => {
  const db = app.db.reads
  const { idOrder } = query
  const rows = await ordersOf(db, query, actor)
  const shown = rows.slice(0, MAX_ROWS)
  await app.journal({
    ...journalActor(actor),
    action: 'view',
    entityType: LabResult.path,
    basis: `Рабочий список: заказов ${shown.length}`,
    ...(idOrder && shown[0] && { idEntity: shown[0].idOrder, idCustomer: shown[0].idCustomer }),
  })
  const which = inOrders(
    query,
    shown.map((one) => one.idOrder),
  )
  const analytes = await analytesOf(db, which)
  const byOrder = Map.groupBy(await cellsOf(db, which), (one) => one.idOrder)
  return {
    analytes: analytes.map((one) => ({ ...one, choices: one.choices ?? [] })),
    rows: shown.map((row) => rowOf(row, byOrder.get(row.idOrder) ?? [])),
    isMore: rows.length > MAX_ROWS,
  }
})

/** SQL conditions: the analyte `a` is of the section and the device. */
const ofBench = ({ section, idDevice }: Asked): Sql[] => [
  ...(section ? [sql`a."section" = ${section}`] : []),
  ...(idDevice
    ? [
        sql`exists (select 1 from laboratory_device_codes dc where dc."idDevice" = ${idDevice} and dc."idAnalyte" = a."id" and not dc."deleted")`,
      ]
    : []),
]

/** Orders with work of the asked stage, urgent ones first; one more than is shown. */
function ordersOf(db: Queryable, asked: Asked, actor: ServerActor): Promise<Found[]> {
  const { urgency, stage, search, idOrder } = asked
  const me = sql`${actor.id}::bigint`
  const conditions = [
    sql`not o."deleted" and o."status" in ('taken', 'sent', 'inWork', 'partial', 'rejected'${idOrder ? raw(`, 'done', 'issued'`) : empty})`,
    sql`i."status" in ('taken', 'inWork'${idOrder ? raw(`, 'done', 'sent', 'rejected'`) : empty}) and not i."deleted"`,
    ofOpenCard({ row: raw('o'), me }),
    inOwnBranch(actor, sql`o."idFilial"`),
    ...ofBench(asked),
    ...(urgency ? [sql`o."urgency" = ${urgency}`] : []),
    ...(idOrder ? [sql`o."id" = ${idOrder}`] : []),
    ...(search
      ? [
          sql`(s."barcode" = ${search} or o."number" ilike ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}
          or c."surname" ilike ${`${search.replace(/[\\%_]/g, '\\$&')}%`})`,
        ]
      : []),
    ...(stage === 'enter' ? [sql`r."id" is null`] : []),
    ...(stage === 'technical' ? [sql`r."status" = 'raw'`] : []),
    ...(stage === 'medical' ? [sql`r."status" = 'technical'`] : []),
  ]
  const which = conditions.reduce((all, one) => sql`${all} and ${one}`)
  return db.query<Found>(sql`
    select o."id" as "idOrder", o."number", o."idCustomer", ${patientSql} as patient, to_char(c."birthday", 'DD.MM.YYYY') as birthday,
      c."gender" as sex, o."urgency", min(coalesce(s."takenAt", o."takenAt")) as "takenAt", min(i."dueAt") as "dueAt",
      string_agg(distinct s."barcode", ', ') as barcodes
    from ${cellsFrom} where ${which} group by o."id", c."id" order by o."urgency" = 'cito' desc, min(i."dueAt"), o."id" limit ${MAX_ROWS + 1}`)
}

/** SQL condition: the line is in work or done in one of the orders. */
const inOrders = (asked: Asked, ids: readonly number[]): Sql =>
  [
    sql`o."id" = any (${ids as number[]}::bigint[])`,
    sql`i."status" in ('taken', 'inWork', 'done') and not i."deleted"`,
    ...ofBench(asked),
  ].reduce((all, one) => sql`${all} and ${one}`)

const analytesOf = (
  db: Queryable,
  which: Sql,
): Promise<(Omit<MatrixAnalyte, 'choices'> & { choices: Choice[] | null })[]> =>
  db.query(sql`
    select a."id", a."name", a."shortName", a."code", a."unit", a."type", coalesce(a."decimals", 2) as decimals, a."choices",
      a."formula" is not null as derived
    from ${cellsFrom} where ${which} group by a."id" order by min(a."section"), min(k."idTest"), min(k."order"), a."id" limit ${MAX_ANALYTES}`)

const cellsOf = (db: Queryable, which: Sql): Promise<CellRow[]> =>
  db.query(sql`
    select o."id" as "idOrder", i."id" as "idItem", a."id" as "idAnalyte", r."id" as "idResult", r."value", coalesce(r."unit", a."unit") as unit,
      r."normText", r."flag", case when abs(r."delta") >= coalesce(a."deltaLimit", 0) then r."delta"::float8 end as delta, r."status", f."value" as former, f."takenAt" as "formerAt", r."comment",
      d."name" as device, r."deviceFlags",
      coalesce((select jsonb_agg(jsonb_build_object('id', x."id", 'value', x."value", 'device', xd."name",
        'preliminary', x."preliminary", 'flag', x."flag") order by x."id")
        from laboratory_results x left join laboratory_devices xd on xd."id" = x."idDevice"
        where x."idItem" = i."id" and x."idAnalyte" = a."id" and not x."isMain" and x."status" = 'raw'), '[]') as others,
      (select coalesce(jsonb_agg(jsonb_build_object('value', y."value", 'why', y."dropWhy", 'by', y.by,
          'at', to_char(y."droppedAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by y."id"), '[]')
        from (select z."id", z."value", z."dropWhy", z."droppedAt", nullif(concat_ws(' ', zu."surname", left(zu."name", 1) || '.'), '') as by
          from laboratory_results z left join users zu on zu."id" = z."idDropper" where z."idItem" = i."id" and z."idAnalyte" = a."id"
            and z."dropWhy" is not null and a."formula" is null order by z."id" desc limit ${MAX_STRUCK}) y) as struck,
      r."kind", coalesce(r."preliminary", false) as preliminary, r."reason", r."review"->>'why' as review,
      w."idCall", w."idCall" is not null as "needsCall",
      coalesce(r."idDevice" is not null and r."status" in ('raw', 'technical') and ${heldByControlSql(raw('r'))}, false) as held,
      a."formula" is not null as derived
    from ${cellsFrom} left join laboratory_devices d on d."id" = r."idDevice"
      left join lateral (select min(x."id") as "idCall" from laboratory_results x where x."idItem" = i."id" and x."idAnalyte" = a."id"
        and ${needsCallSql(raw('x'))}) w on true
      left join lateral (select p."value", p."takenAt" from laboratory_results p where p."idCustomer" = o."idCustomer"
        and p."idAnalyte" = a."id" and p."isMain" and p."status" in ('medical', 'corrected') and p."idItem" <> i."id"
        order by p."takenAt" desc limit 1) f on true
    where ${which}`)

const rowOf = (row: Found, cells: readonly CellRow[]): MatrixRow => ({
  ...row,
  takenAt: iso(row.takenAt),
  dueAt: iso(row.dueAt),
  barcodes: row.barcodes ?? '',
  cells: Object.fromEntries(
    cells.map(({ idOrder: _, idAnalyte, ...one }) => [String(idAnalyte), { ...one, formerAt: iso(one.formerAt) }]),
  ),
})
