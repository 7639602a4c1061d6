/**
 * The stock ledger: the only file that writes its tables. Moves are append-only; derived tables hold the quantities
 * (`warehouse_stock`), the values (`warehouse_values`) and the month closes.
 */
import type { DocumentKind } from '@ordinator/model/areas/warehouse/document'
import { thousandths } from '@ordinator/model/areas/warehouse/rules'
import { formatDay, formatNumber } from '@ordinator/model/format'
import sql, { type Sql } from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import type { Db, Queryable, Tx } from '#platform/db.ts'
import { type FieldError, HttpError, ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import { turnOf } from './balances.ts'
import { type Books, enter, kopecks, noBooks, pricesInTurn, rubles, type Value } from './costing.ts'
import { type Correction, type Pair, reachedBy, readBooks, repriced, type Start } from './repricing.ts'

export type { Pair } from './repricing.ts'

export interface Move extends Pair {
  idBatch: number
  /** Positive for incoming, negative for outgoing; zero if only the value changes. */
  qty: number
  /** Rubles of the whole move, as a decimal; absent: by the clinic's costing method. */
  cost?: string
  /** Priced by its batch (true) or by the mean of the good (false); null: its cost came with it. */
  byBatch?: boolean | null
  idLine: number | null
}

export interface Posting {
  idDocument: number
  kind: DocumentKind
  localDate: string
  moves: readonly Move[]
}

/** Writers take it shared, closing a month takes it exclusive: no close misses a move in progress. */
const CLOSES = sql`hashtextextended('warehouse closes', 0)`

const keyOf = (...ids: number[]): string => ids.join(':')
/**
 * Locks the values of goods in warehouses, and with them all batches, until the transaction ends: in the order of ids
 * and in one statement, so that concurrent posts wait without a deadlock.
 */
export async function lockGoods(tx: Tx, pairs: readonly Pair[]): Promise<Map<string, Value>> {
  const distinct = [...new Map(pairs.map((pair) => [keyOf(pair.idWarehouse, pair.idProduct), pair])).values()]
  const asked = sql`unnest(${distinct.map((one) => one.idWarehouse)}::bigint[], ${distinct.map((one) => one.idProduct)}::bigint[])
    as asked("idWarehouse", "idProduct")`
  await tx.query(sql`select pg_advisory_xact_lock_shared(${CLOSES})`)
  await tx.query(sql`insert into warehouse_values ("idWarehouse", "idProduct")
    select * from ${asked} order by 1, 2 on conflict do nothing`)
  const rows = await tx.query<Pair & { qty: string; cost: string }>(sql`
    select v."idWarehouse", v."idProduct", v."qty"::text, v."cost"::text
    from warehouse_values v join ${asked} using ("idWarehouse", "idProduct")
    order by v."idWarehouse", v."idProduct" for no key update of v`)
  return new Map(
    rows.map((row) => [
      keyOf(row.idWarehouse, row.idProduct),
      { qty: BigInt(Math.round(Number(row.qty) * 1000)), cost: kopecks(row.cost) },
    ]),
  )
}

/** @throws HttpError 409 if the day is in a closed period */
export async function assertOpen(db: Queryable, localDate: string): Promise<void> {
  const { closedUntil } = await readCommonSettings(db)
  if (closedUntil && localDate <= closedUntil)
    throw new HttpError(409, `Период закрыт по ${formatDay(closedUntil)}: документ этим числом не проводится`, {
      code: 'closed',
    })
}

/**
 * Writes the moves of a document. A move without a cost gets it by the clinic's method: the mean of the good in the
 * warehouse, or its share of the batch; the last pieces take the whole rest.
 * @returns the moves with their costs, in order
 * @throws ValidationError at `lines` naming each good that is short, now or at a later date
 */
export async function postMoves(
  { actor }: Pick<Records, 'actor'>,
  tx: Tx,
  { idDocument, kind, localDate, moves }: Posting,
): Promise<(Move & { cost: string })[]> {
  if (moves.length === 0) return []
  await assertOpen(tx, localDate)
  const values = await lockGoods(tx, moves)
  const { costMethod } = await readCommonSettings(tx)
  const costed = await priced(tx, moves, values, costMethod === 'fifo')
  await assertEnough(tx, moves)
  await tx.query(sql`
    insert into warehouse_moves ("localDate", "kind", "idWarehouse", "idProduct", "idBatch", "qty", "cost", "byBatch",
      "idDocument", "idLine", "idUser", "dateCreate")
    select ${localDate}::date, ${kind}, m."idWarehouse", m."idProduct", m."idBatch", m."qty", m."cost", m."byBatch",
      ${idDocument}, m."idLine", ${actor.id || null}, clock_timestamp() from ${asRows(costed)} order by m."no"`)
  await apply(tx, costed, localDate)
  await assertLater(tx, costed, localDate)
  return costed
}

/** Moves with their costs, each on the books that the one before leaves. */
async function priced(
  tx: Tx,
  moves: readonly Move[],
  values: Map<string, Value>,
  isByBatch: boolean,
): Promise<Costed[]> {
  const open = moves.filter(({ cost }) => cost === undefined)
  const needsBatches = open.some(({ qty }) => isByBatch || qty > 0)
  const known = needsBatches ? await readBooks(tx, open, [...new Set(open.map(({ idBatch }) => idBatch))]) : undefined
  const books = new Map<string, Books>()
  const booksOf = (key: string): Books => {
    const of = books.get(key) ?? known?.get(key) ?? { ...noBooks(), ...values.get(key) }
    books.set(key, of)
    return of
  }
  const priceOf = pricesInTurn()
  return moves.map((move): Costed => {
    const { idWarehouse, idProduct, idBatch, idLine } = move
    const of = booksOf(keyOf(idWarehouse, idProduct))
    const qty = BigInt(thousandths(move.qty))
    const line = idLine === null ? undefined : keyOf(idWarehouse, idProduct, idLine)
    const cost = move.cost === undefined ? priceOf(of, { idBatch, qty, byBatch: isByBatch, line }) : kopecks(move.cost)
    enter(of, move.idBatch, qty, cost)
    const byBatch = move.cost === undefined ? isByBatch : (move.byBatch ?? null)
    return { ...move, cost: move.cost ?? rubles(cost), byBatch }
  })
}

/**
 * Reverses the moves of a document that are not reversed yet, and prices again what its arrivals had priced.
 * @param day of the reversal; absent: each move on its own day
 * @returns the corrections of other documents
 */
export async function reverseMoves(
  { actor }: Pick<Records, 'actor'>,
  tx: Tx,
  idDocument: number,
  localDate: string,
  day?: string,
): Promise<Correction[]> {
  await assertOpen(tx, day ?? localDate)
  const back = await tx.query<Costed & { id: number; idCorrects: number | null }>(sql`
    select m."id", m."idWarehouse", m."idProduct", m."idBatch", (-m."qty")::float8 as "qty", (-m."cost")::text as "cost", m."idLine",
      m."idCorrects" from warehouse_moves m where m."idDocument" = ${idDocument} and m."idReverses" is null
      and not exists (select 1 from warehouse_moves r where r."idReverses" = m."id") order by m."id"`)
  if (back.length === 0) return []
  const starts = back
    .filter(({ qty, cost, idCorrects }) => qty < 0 || (qty === 0 && idCorrects === null && Number(cost) !== 0))
    .map(({ id, idWarehouse, idProduct }): Start => ({ idWarehouse, idProduct, from: id }))
  const reached = await reachedBy(tx, starts)
  await lockGoods(tx, [...back, ...reached])
  await assertEnough(tx, back, idDocument)
  await tx.query(sql`
    insert into warehouse_moves ("localDate", "kind", "idWarehouse", "idProduct", "idBatch", "qty", "cost", "byBatch",
      "idDocument", "idLine", "idReverses", "idCorrects", "idUser", "dateCreate")
    select ${day === undefined ? sql`"localDate"` : sql`${day}::date`}, "kind", "idWarehouse", "idProduct", "idBatch", -"qty", -"cost", "byBatch",
      "idDocument", "idLine", "id", "idCorrects", ${actor.id || null}, clock_timestamp()
    from warehouse_moves where "id" = any (${back.map(({ id }) => id)}::bigint[]) order by "id"`)
  await apply(tx, back, day ?? localDate)
  await assertLater(tx, back, day ?? localDate, idDocument)
  const again = await reachedBy(tx, starts)
  const locked = new Set(reached.map(({ idWarehouse, idProduct }) => keyOf(idWarehouse, idProduct)))
  if (again.some(({ idWarehouse, idProduct }) => !locked.has(keyOf(idWarehouse, idProduct))))
    throw new HttpError(409, 'Товар как раз перемещают: повторите через минуту', { code: 'busy' })
  const corrections = await repriced(tx, again, idDocument)
  await correct({ actor }, tx, corrections)
  return corrections
}

async function correct({ actor }: Pick<Records, 'actor'>, tx: Tx, corrections: readonly Correction[]): Promise<void> {
  if (corrections.length === 0) return
  await tx.query(sql`
    insert into warehouse_moves ("localDate", "kind", "idWarehouse", "idProduct", "idBatch", "qty", "cost", "idDocument",
      "idLine", "idCorrects", "idUser", "dateCreate")
    select c."localDate", m."kind", m."idWarehouse", m."idProduct", m."idBatch", 0, c."cost", m."idDocument", m."idLine",
      m."id", ${actor.id || null}, clock_timestamp()
    from unnest(${corrections.map((one) => one.idCorrects)}::bigint[], ${corrections.map((one) => one.localDate)}::date[],
      ${corrections.map((one) => one.cost)}::numeric[]) with ordinality as c("id", "localDate", "cost", "no")
    join warehouse_moves m on m."id" = c."id" order by c."no"`)
  const first = corrections.reduce((day, one) => (one.localDate < day ? one.localDate : day), '9999-12-31')
  await apply(
    tx,
    corrections.map((one) => ({ ...one, qty: 0, idLine: null })),
    first,
  )
}

/** A move with its cost. */
type Costed = Move & { cost: string }

/** Moves as rows of SQL, `m`. */
const asRows = (moves: readonly Costed[]): Sql => sql`unnest(
  ${moves.map((one) => one.idWarehouse)}::bigint[], ${moves.map((one) => one.idProduct)}::bigint[],
  ${moves.map((one) => one.idBatch)}::bigint[], ${moves.map((one) => one.qty)}::numeric[],
  ${moves.map((one) => one.cost)}::numeric[], ${moves.map((one) => one.idLine)}::bigint[],
  ${moves.map((one) => one.byBatch ?? null)}::boolean[]
) with ordinality as m("idWarehouse", "idProduct", "idBatch", "qty", "cost", "idLine", "byBatch", "no")`

/** Updates the derived rows by the moves, and deletes outdated closes. */
async function apply(tx: Tx, moves: readonly Costed[], localDate: string): Promise<void> {
  await tx.query(sql`
    insert into warehouse_stock ("idWarehouse", "idProduct", "idBatch", "qty", "reserved", "cost")
    select distinct m."idWarehouse", m."idProduct", m."idBatch", 0, 0, 0 from ${asRows(moves)} on conflict do nothing`)
  await tx.query(sql`
    update warehouse_stock s set "qty" = s."qty" + m."qty", "cost" = s."cost" + m."cost", "_version" = s."_version" + 1
    from (select m."idWarehouse", m."idBatch", sum(m."qty") as "qty", sum(m."cost") as "cost" from ${asRows(moves)} group by 1, 2) m
    where s."idWarehouse" = m."idWarehouse" and s."idBatch" = m."idBatch" and (m."qty" <> 0 or m."cost" <> 0)`)
  await tx.query(sql`
    update warehouse_values v set "qty" = v."qty" + m."qty", "cost" = v."cost" + m."cost"
    from (select m."idWarehouse", m."idProduct", sum(m."qty") as "qty", sum(m."cost") as "cost" from ${asRows(moves)} group by 1, 2) m
    where v."idWarehouse" = m."idWarehouse" and v."idProduct" = m."idProduct"`)
  await tx.query(sql`delete from warehouse_closes where "day" >= ${localDate}::date`)
}

interface Short {
  idBatch: number
  idWarehouse: number
  left: number
}

/** By batch, all lines of the document together. */
async function assertEnough(tx: Tx, moves: readonly Move[], idUndone?: number): Promise<void> {
  const taken = new Map<string, { idWarehouse: number; idBatch: number; qty: number; idLine: number | null }>()
  for (const { idWarehouse, idBatch, qty, idLine } of moves) {
    const known = taken.get(keyOf(idWarehouse, idBatch))
    if (known) known.qty += thousandths(qty)
    else taken.set(keyOf(idWarehouse, idBatch), { idWarehouse, idBatch, qty: thousandths(qty), idLine })
  }
  const out = [...taken.values()].filter(({ qty }) => qty < 0)
  if (out.length === 0) return
  const short = await tx.query<Short>(sql`
    select a."idWarehouse", a."idBatch", (coalesce(s."qty" - s."reserved", 0) + a."qty" / 1000.0)::float8 as left
    from unnest(${out.map((one) => one.idWarehouse)}::bigint[], ${out.map((one) => one.idBatch)}::bigint[],
      ${out.map((one) => one.qty)}::bigint[]) as a("idWarehouse", "idBatch", "qty")
    left join warehouse_stock s on s."idWarehouse" = a."idWarehouse" and s."idBatch" = a."idBatch"
    where coalesce(s."qty" - s."reserved", 0) + a."qty" / 1000.0 < 0 order by 1, 2 limit 20`)
  if (short.length > 0) throw await lacking(tx, short, out, idUndone)
}

/** Checks that a batch does not become negative on any later day. */
async function assertLater(tx: Tx, moves: readonly Move[], localDate: string, idUndone?: number): Promise<void> {
  const out = moves.filter(({ qty }) => qty < 0)
  if (out.length === 0) return
  const short = await tx.query<Short & { localDate: string }>(sql`
    with pairs as (select distinct * from unnest(${out.map((one) => one.idWarehouse)}::bigint[],
        ${out.map((one) => one.idBatch)}::bigint[]) as p("idWarehouse", "idBatch")
      where exists (select 1 from warehouse_moves l where l."idBatch" = p."idBatch" and l."idWarehouse" = p."idWarehouse"
        and l."localDate" > ${localDate}::date))
    select "idWarehouse", "idBatch", min("left")::float8 as left, min("localDate")::text as "localDate" from (
      select m."idWarehouse", m."idBatch", m."localDate",
        sum(sum(m."qty")) over (partition by m."idWarehouse", m."idBatch" order by m."localDate") as "left"
      from pairs join warehouse_moves m using ("idWarehouse", "idBatch") group by 1, 2, 3
    ) t where "left" < 0 and "localDate" >= ${localDate}::date group by 1, 2 order by 1, 2 limit 20`)
  if (short.length > 0) throw await lacking(tx, short, out, idUndone, short[0]?.localDate)
}

async function lacking(
  tx: Tx,
  short: readonly Short[],
  taken: readonly { idWarehouse: number; idBatch: number; qty: number; idLine: number | null }[],
  idUndone?: number,
  on?: string,
): Promise<HttpError> {
  const names = await tx.query<{ id: number; name: string; series: string | null; unit: string | null }>(sql`
    select b."id", p."nameService" as name, b."series", p."unit" from warehouse_batches b join services p on p."id" = b."idProduct"
    where b."id" = any (${short.map(({ idBatch }) => idBatch)}::bigint[])`)
  const nameOf = (idBatch: number) => {
    const found = names.find(({ id }) => id === idBatch)
    return `«${found?.name}»${found?.series ? `, серия ${found.series}` : ''}`
  }
  const day = on ? ` на ${formatDay(on)}` : ''
  if (idUndone !== undefined) {
    const [first] = short as [Short]
    const later = await tx.one<{ number: string | null; localDate: string }>(sql`
      select d."number", m."localDate"::text from warehouse_moves m join warehouse_documents d on d."id" = m."idDocument"
      where m."idWarehouse" = ${first.idWarehouse} and m."idBatch" = ${first.idBatch} and m."qty" < 0 and m."idReverses" is null
        and m."idDocument" <> ${idUndone} and not exists (select 1 from warehouse_moves r where r."idReverses" = m."id")
      order by m."localDate" desc, m."id" desc limit 1`)
    const why = later
      ? `израсходована документом № ${later.number ?? 'без номера'} от ${formatDay(later.localDate)}`
      : 'отложена под записи пациентов'
    return new HttpError(409, `Отменить нельзя: ${nameOf(first.idBatch)} уже ${why}. Сначала отмените его`, {
      code: 'needed',
    })
  }
  const items: FieldError[] = short.map(({ idBatch, idWarehouse, left }) => {
    const of = taken.find((one) => one.idBatch === idBatch && one.idWarehouse === idWarehouse)
    const unit = names.find(({ id }) => id === idBatch)?.unit ?? ''
    return {
      field: of?.idLine ? `lines.${of.idLine}` : 'lines',
      message: `Не хватает${day}: ${nameOf(idBatch)} — ${formatNumber(-left)} ${unit}`.trim(),
    }
  })
  return new ValidationError(items)
}

/**
 * Blocks posting until the transaction ends, for a consistent read. @returns the moment from which moves count as later
 */
export async function pauseLedger(tx: Tx): Promise<string> {
  await tx.query(sql`select pg_advisory_xact_lock(${CLOSES})`)
  const row = await tx.one<{ at: string }>(sql`select to_json(clock_timestamp()) #>> '{}' as at`)
  return row?.at ?? ''
}

/** Number of moves after which a month gets intermediate closes: no balance sums many more. */
const MOST_OPEN = 10_000

/**
 * Creates the closes of past month ends, and intermediate ones in busy months; each from the one before.
 * @returns the number created
 */
export async function closeDays(db: Db, most = MOST_OPEN): Promise<number> {
  for (let made = 0; ; made++) {
    const isMade = await db.tx(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${CLOSES})`)
      // The day before the first move counts as an empty close.
      const next = await tx.one<{ last: string; day: string; endsMonth: boolean }>(sql`
        with last as (select coalesce((select max("day") from warehouse_closes), (select min("localDate") - 1 from warehouse_moves)) as "day"),
          ends as (select "day" as "last", least(
            (date_trunc('month', "day" + 1) + interval '1 month' - interval '1 day')::date,
            (select m."localDate" from warehouse_moves m where m."localDate" > last."day" order by m."localDate" offset ${most - 1} limit 1)) as "day" from last)
        insert into warehouse_closes ("day", "endsMonth")
        select "day", "day" = (date_trunc('month', "day") + interval '1 month' - interval '1 day')::date from ends
        where "day" < ${clinicToday}
        returning (select "last"::text from ends) as "last", "day"::text as "day", "endsMonth"`)
      if (!next) return false
      await tx.query(sql`
        insert into warehouse_turns ("day", "idWarehouse", "idProduct", "qty", "cost", "came", "went", "wentCost", "used")
        select ${next.day}::date, "idWarehouse", "idProduct", sum("qty"), sum("cost"), sum("came"), sum("went"), sum("wentCost"), sum("used") from (
          select "idWarehouse", "idProduct", "qty", "cost", "came", "went", "wentCost", "used" from warehouse_turns where "day" = ${next.last}::date
          union all
          select "idWarehouse", "idProduct", ${turnOf} from warehouse_moves where "localDate" > ${next.last}::date and "localDate" <= ${next.day}::date
        ) parts group by 2, 3`)
      if (!next.endsMonth) return true
      await tx.query(sql`
        insert into warehouse_months ("month", "idWarehouse", "idBatch", "idProduct", "qty", "cost")
        select date_trunc('month', ${next.day}::date), "idWarehouse", "idBatch", "idProduct", sum("qty"), sum("cost") from (
          select "idWarehouse", "idBatch", "idProduct", "qty", "cost" from warehouse_months
          where "month" = date_trunc('month', ${next.day}::date) - interval '1 month'
          union all
          select "idWarehouse", "idBatch", "idProduct", "qty", "cost" from warehouse_moves
          where "localDate" >= date_trunc('month', ${next.day}::date) and "localDate" <= ${next.day}::date
        ) parts group by 2, 3, 4 having sum("qty") <> 0 or sum("cost") <> 0`)
      return true
    })
    if (!isMade) return made
  }
}

/** Reserves free stock for an upcoming visit, and releases the previous reservation. */
export async function setReserves(
  tx: Tx,
  idAppointment: number,
  wanted: readonly (Pair & { idBatch: number; qty: number })[],
): Promise<void> {
  const held = await tx.query<Pair & { idBatch: number; qty: number }>(sql`
    select "idWarehouse", "idProduct", "idBatch", "qty"::float8 as qty from warehouse_reserves where "idAppointment" = ${idAppointment}`)
  if (held.length === 0 && wanted.length === 0) return
  await lockGoods(tx, [...held, ...wanted])
  await tx.query(sql`with gone as (delete from warehouse_reserves where "idAppointment" = ${idAppointment} returning *)
    update warehouse_stock s set "reserved" = s."reserved" - g."qty" from gone g
    where s."idWarehouse" = g."idWarehouse" and s."idBatch" = g."idBatch"`)
  if (wanted.length === 0) return
  await tx.query(sql`
    with made as (insert into warehouse_reserves ("idAppointment", "idWarehouse", "idBatch", "idProduct", "qty")
      select ${idAppointment}, w."idWarehouse", w."idBatch", w."idProduct", least(sum(w."qty"), s."qty" - s."reserved")
      from unnest(${wanted.map((one) => one.idWarehouse)}::bigint[], ${wanted.map((one) => one.idBatch)}::bigint[],
        ${wanted.map((one) => one.idProduct)}::bigint[], ${wanted.map((one) => one.qty)}::numeric[])
        as w("idWarehouse", "idBatch", "idProduct", "qty")
      join warehouse_stock s on s."idWarehouse" = w."idWarehouse" and s."idBatch" = w."idBatch"
      where s."qty" > s."reserved" group by w."idWarehouse", w."idBatch", w."idProduct", s."qty", s."reserved"
      returning "idWarehouse", "idBatch", "qty")
    update warehouse_stock s set "reserved" = s."reserved" + m."qty" from made m
    where s."idWarehouse" = m."idWarehouse" and s."idBatch" = m."idBatch"`)
}
