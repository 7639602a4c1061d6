/**
 * Bonuses of patients: a ledger account each, in its own unit. Each credit is a record with its days; its spending on
 * lines is in `bonus_spends`. All changes are made under the customer lock (`lockCustomers`), in whole hundredths.
 */
import { Bonus } from '@ordinator/model/areas/money/bonus'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import type { Create } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { records } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { type Account, dayOf, post } from './ledger.ts'

export const bonuses = records(Bonus)

/** The account of the clinic that issues and takes bonuses. */
const HOUSE: Account = { kind: 'bonus', mark: 'clinic' }

/** SQL condition: bonuses are valid on a day. @param b their row */
const countsSql = (b: Sql, day: string): Sql =>
  sql`${b}."left" > 0 and ${b}."dateFrom" <= ${day}::date and (${b}."dateTo" is null or ${b}."dateTo" >= ${day}::date)`

interface Held {
  id: number
  left: number
}

/** Bonuses valid today, the earliest to expire first. */
const heldBy = (tx: Queryable, idCustomer: number, day: string): Promise<Held[]> =>
  tx.query<Held>(sql`select b."id", (b."left" * 100)::float8 as left from bonuses b
    where b."idCustomer" = ${idCustomer} and ${countsSql(raw('b'), day)}
    order by b."dateTo" nulls last, b."dateFrom", b."id"`)

/** Hundredths that the customer may spend today. */
export async function availableTo(db: Queryable, idCustomer: number): Promise<number> {
  const day = await dayOf(db, null)
  return (await heldBy(db, idCustomer, day)).reduce((all, { left }) => all + left, 0)
}

interface Move {
  idCustomer: number
  /** Positive if the customer gains. */
  amount: number
  key: string
  comment: string
  idPayment?: number | null
  idCouponService?: number | null
}

const move = async (records: Records, tx: Tx, { idCustomer, amount, key, ...more }: Move) =>
  post(records, tx, {
    ...more,
    key: `bonus:${key}`,
    kind: 'bonus',
    localDate: await dayOf(tx, null),
    entries: [
      { account: { kind: 'bonus', idCustomer }, amount: -amount, unit: 'BONUS' },
      { account: HOUSE, amount, unit: 'BONUS' },
    ],
  })

const put = (records: Records, id: number, values: Partial<Record<'sum' | 'left' | 'owed', number>>) =>
  records.asSystem.update(
    Bonus,
    id,
    Object.fromEntries(Object.entries(values).map(([name, amount]) => [name, rubles(amount)])),
  )

export interface Given {
  idCustomer: number
  kind: 'earned' | 'manual' | 'invited'
  sum: number
  dateFrom: string
  dateTo: string | null
  comment: string
  idProgram?: number
  idCouponService?: number
  percent?: number
  reason?: string
}

/** Credits bonuses; an outstanding take-back is collected from them immediately. @returns the id of the credit */
export async function give(records: Records, tx: Tx, { comment, sum, ...given }: Given): Promise<number> {
  const row = { ...given, sum: rubles(sum), left: rubles(sum), idUser: records.actor.id || null } as Create<
    typeof Bonus
  >
  const { id } = await records.asSystem.create(Bonus, row)
  const { idCustomer, idCouponService = null } = given
  await move(records, tx, { idCustomer, amount: sum, key: `given-${id}`, comment, idCouponService })
  await collect(records, tx, idCustomer, id)
  return id
}

/** Collects the outstanding take-back of earlier bonuses from these. */
async function collect(records: Records, tx: Tx, idCustomer: number, id: number): Promise<void> {
  const owing = await tx.query<{ id: number; owed: number; version: number }>(sql`
    select "id", ("owed" * 100)::float8 as owed, "_version" as version from bonuses
    where "idCustomer" = ${idCustomer} and "owed" > 0 and "id" <> ${id} order by "id"`)
  for (const { id: before, owed, version } of owing) {
    const { left } = await records.asSystem.row(Bonus, id)
    const amount = Math.min(owed, kopecks(left))
    if (amount === 0) return
    await put(records, id, { left: kopecks(left) - amount })
    await put(records, before, { owed: owed - amount })
    const comment = 'Удержано за возвращённую оплату'
    await move(records, tx, { idCustomer, amount: -amount, key: `owed-${before}-${version}`, comment })
  }
}

/**
 * Increases the bonuses of a line whose payment has grown; an outstanding take-back of the line is collected
 * immediately.
 */
export async function giveMore(records: Records, tx: Tx, id: number, amount: number, comment: string): Promise<void> {
  const { idCustomer, idCouponService, sum, left, _version } = await records.asSystem.row(Bonus, id)
  await put(records, id, { sum: kopecks(sum) + amount, left: kopecks(left) + amount })
  await move(records, tx, { idCustomer, amount, key: `more-${id}-${_version}`, comment, idCouponService })
  await collectOwn(records, tx, idCustomer, id)
}

/** Takes back credited bonuses: first of this record, then of others; an amount already spent is recorded as owed. */
export async function takeBack(records: Records, tx: Tx, id: number, amount: number, comment: string): Promise<void> {
  const one = await records.asSystem.row(Bonus, id)
  const { idCustomer, idCouponService, _version } = one
  const own = Math.min(amount, kopecks(one.left))
  let rest = amount - own
  for (const other of rest > 0 ? await heldBy(tx, idCustomer, await dayOf(tx, null)) : []) {
    if (other.id === id || rest === 0) continue
    const part = Math.min(rest, other.left)
    await put(records, other.id, { left: other.left - part })
    rest -= part
  }
  await put(records, id, {
    sum: kopecks(one.sum) - amount,
    left: kopecks(one.left) - own,
    owed: kopecks(one.owed) + rest,
  })
  await move(records, tx, {
    idCustomer,
    amount: rest - amount,
    key: `back-${id}-${_version}`,
    comment,
    idCouponService,
  })
}

/** Takes off valid bonuses, the earliest to expire first. @returns the amount by record */
async function takeOff(records: Records, tx: Tx, idCustomer: number, amount: number): Promise<Map<number, number>> {
  const taken = new Map<number, number>()
  let rest = amount
  for (const { id, left } of await heldBy(tx, idCustomer, await dayOf(tx, null))) {
    const part = Math.min(rest, left)
    if (part === 0) break
    await put(records, id, { left: left - part })
    taken.set(id, part)
    rest -= part
  }
  if (rest > 0) throw new Error('more bonuses are taken than there are')
  return taken
}

/** Writes bonuses off manually. */
export async function writeOff(
  records: Records,
  tx: Tx,
  { idCustomer, amount, key, comment }: Pick<Move, 'idCustomer' | 'amount' | 'key' | 'comment'>,
): Promise<void> {
  await takeOff(records, tx, idCustomer, amount)
  await move(records, tx, { idCustomer, amount: -amount, key, comment })
}

/** Spends bonuses on lines by the given shares. */
export async function spend(
  records: Records,
  tx: Tx,
  { idCustomer, idPayment, shares }: { idCustomer: number; idPayment: number; shares: ReadonlyMap<number, number> },
): Promise<void> {
  const amount = [...shares.values()].reduce((all, one) => all + one, 0)
  const taken = [...(await takeOff(records, tx, idCustomer, amount))]
  for (const [idLine, share] of shares) {
    let rest = share
    while (rest > 0) {
      const [held] = taken
      if (!held) break
      const part = Math.min(rest, held[1])
      rest -= part
      held[1] -= part
      if (held[1] === 0) taken.shift()
      await tx.query(sql`insert into bonus_spends ("idBonus", "idLine", "idPayment", "sum")
        values (${held[0]}, ${idLine}, ${idPayment}, ${part})`)
    }
  }
  await move(records, tx, {
    idCustomer,
    amount: -amount,
    key: `spent-${idPayment}`,
    comment: 'Оплата услуг',
    idPayment,
  })
  await writeLines(records, [...shares.keys()])
}

/**
 * Returns up to `most` of the spent bonuses, the last spent first; each keeps its expiry date.
 * @param which a condition over the spends, `s`
 * @returns the lines that bonuses now pay less of
 */
export async function giveBack(records: Records, tx: Tx, which: Sql, most: number, comment: string): Promise<number[]> {
  const rows = await tx.query<{
    idBonus: number
    idLine: number
    idPayment: number
    idCustomer: number
    sum: number
  }>(sql`select s."idBonus", s."idLine", s."idPayment", b."idCustomer", s."sum"::float8 as sum
    from bonus_spends s join bonuses b on b."id" = s."idBonus" where ${which}
    order by s."idPayment" desc, s."idLine" desc, s."idBonus" desc`)
  let rest = most
  const lines = new Set<number>()
  for (const { idBonus, idLine, idPayment, idCustomer, sum } of rows) {
    const part = Math.min(sum, rest)
    if (part === 0) break
    rest -= part
    lines.add(idLine)
    const spent = sql`"idBonus" = ${idBonus} and "idLine" = ${idLine} and "idPayment" = ${idPayment}`
    await tx.query(
      part === sum
        ? sql`delete from bonus_spends where ${spent}`
        : sql`update bonus_spends set "sum" = "sum" - ${part} where ${spent}`,
    )
    const { left, _version } = await records.asSystem.row(Bonus, idBonus)
    await put(records, idBonus, { left: kopecks(left) + part })
    const key = `returned-${idBonus}-${_version}`
    await move(records, tx, { idCustomer, amount: part, key, comment, idPayment, idCouponService: idLine })
    await collectOwn(records, tx, idCustomer, idBonus)
  }
  await writeLines(records, [...lines])
  return [...lines]
}

/** Collects the record's own outstanding take-back from its new amount, then that of other records. */
async function collectOwn(records: Records, tx: Tx, idCustomer: number, id: number): Promise<void> {
  const one = await records.asSystem.row(Bonus, id)
  const amount = Math.min(kopecks(one.owed), kopecks(one.left))
  if (amount > 0) {
    await put(records, id, { left: kopecks(one.left) - amount, owed: kopecks(one.owed) - amount })
    const comment = 'Удержано за возвращённую оплату'
    await move(records, tx, { idCustomer, amount: -amount, key: `kept-${id}-${one._version}`, comment })
  }
  await collect(records, tx, idCustomer, id)
}

/** Writes the bonuses spent on each line into the line. */
async function writeLines(records: Records, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await records.asSystem.updateWhere(
    CouponService,
    {
      rows: sql`select i as "id", (select coalesce(sum(s."sum"), 0)::numeric / 100 from bonus_spends s where s."idLine" = i) as "bonus"
      from unnest(${ids}::bigint[]) i`,
    },
    ({ picked }) => ({ bonus: sql`${picked}."bonus"` }),
    { pastHooks: 'The lines of a visit are charged anew by whoever calls' },
  )
}

/** Expires bonuses past their last day. @returns the number of expired records */
export async function burn(records: Records, tx: Tx, idCustomer: number): Promise<number> {
  const day = await dayOf(tx, null)
  const over = await tx.query<{ id: number; left: number; version: number }>(sql`
    select "id", ("left" * 100)::float8 as left, "_version" as version from bonuses
    where "idCustomer" = ${idCustomer} and "left" > 0 and "dateTo" < ${day}::date order by "id"`)
  for (const { id, left, version } of over) {
    await put(records, id, { left: 0 })
    await move(records, tx, { idCustomer, amount: -left, key: `burnt-${id}-${version}`, comment: 'Сгорели' })
  }
  return over.length
}
