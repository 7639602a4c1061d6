/** The double-entry ledger: the only file that writes its tables. Amounts are whole kopecks (of bonuses: hundredths). */
import { type AccountKind, LedgerAccount, type TxKind, type Unit } from '@ordinator/model/areas/money/ledger'
import type { PaymentMethod } from '@ordinator/model/areas/money/methods'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { records } from '#records/define.ts'
import type { Records } from '#records/records.ts'

export const ledgerAccounts = records(LedgerAccount)

/**
 * SQL: the ruble entries `e` of the transaction `t` on accounts of a kind, as an item of FROM. They are looked up from the
 * transaction: PostgreSQL takes every account for one of few entries, and would read all that the one of `revenue` ever had.
 */
export const entriesOfSql = (kind: AccountKind): Sql => sql`lateral (
  select e."amount", a."method", a."mark" from ledger_entries e join ledger_accounts a on a."id" = e."idAccount" and a."kind" = ${kind}
  where e."idTx" = t."id" and e."unit" = 'RUB' offset 0) e`

/** Owner of an account and its distinguishing fields. */
export interface Account {
  kind: AccountKind
  idOrganization?: number | null
  idCustomer?: number | null
  idInsurer?: number | null
  idDesk?: number | null
  method?: PaymentMethod | null
  mark?: string | null
}

export interface Entry {
  account: Account
  amount: number
  unit?: Unit
}

export interface Posting {
  /** Unique key of the transaction: a repeat with the same key posts nothing. */
  key: string
  kind: TxKind
  localDate: string
  entries: readonly Entry[]
  idPayment?: number | null
  idShift?: number | null
  idCouponService?: number | null
  /** The transaction that this one reverses. */
  reverses?: number
  comment?: string | null
}

/**
 * Writes a transaction. PostgreSQL rejects an unbalanced one at commit.
 * @returns its id; undefined if one with this key exists
 */
export async function post(records: Records, tx: Tx, posting: Posting): Promise<number | undefined> {
  const entries = posting.entries.filter(({ amount }) => amount !== 0)
  if (entries.length === 0) return undefined
  const made = await tx.one<{ id: number }>(sql`
    insert into ledger_txs ("key", "kind", "localDate", "idPayment", "idShift", "idCouponService", "reverses", "comment", "idUser")
    values (${posting.key}, ${posting.kind}, ${posting.localDate}, ${posting.idPayment ?? null}, ${posting.idShift ?? null},
      ${posting.idCouponService ?? null}, ${posting.reverses ?? null}, ${posting.comment ?? null}, ${records.actor.id || null})
    on conflict ("key") do nothing returning "id"`)
  if (!made) return undefined
  const rows: Sql[] = []
  let credit: { idAccount: number; free: number } | undefined
  for (const { account, amount, unit = 'RUB' } of entries) {
    const idAccount = await accountOf(records, tx, account)
    rows.push(sql`(${made.id}, ${idAccount}, ${unit}, ${amount})`)
    if (account.kind === 'patient' && unit === 'RUB' && amount < 0)
      credit = { idAccount, free: (credit?.free ?? 0) - amount }
  }
  // A credit to the patient can be allocated to lines (`lines.ts`).
  if (credit)
    await tx.query(sql`insert into ledger_credits ("idTx", "idAccount", "idPayment", "free")
      values (${made.id}, ${credit.idAccount}, ${posting.idPayment ?? null}, ${credit.free})`)
  await tx.query(sql`insert into ledger_entries ("idTx", "idAccount", "unit", "amount") values ${join(rows)}`)
  return made.id
}

/** Reverses a transaction by another with the opposite entries, once. */
export async function reverse(
  { actor }: Pick<Records, 'actor'>,
  tx: Tx,
  idTx: number,
  { key, localDate, comment }: Pick<Posting, 'key' | 'localDate' | 'comment'>,
): Promise<number | undefined> {
  const made = await tx.one<{ id: number }>(sql`
    insert into ledger_txs ("key", "kind", "localDate", "idPayment", "idShift", "idCouponService", "reverses", "comment", "idUser")
    select ${key}, 'storno', ${localDate}, "idPayment", "idShift", "idCouponService", "id", ${comment ?? null}, ${actor.id || null}
    from ledger_txs where "id" = ${idTx} on conflict do nothing returning "id"`)
  if (made)
    await tx.query(sql`insert into ledger_entries ("idTx", "idAccount", "unit", "amount")
      select ${made.id}, "idAccount", "unit", -"amount" from ledger_entries where "idTx" = ${idTx}`)
  return made?.id
}

/** One opening balance: what is put on the owner's account against the account of openings. */
export interface Opening {
  key: string
  account: Account
  /** Whole kopecks (of bonuses: hundredths); above zero the owner owes. */
  amount: number
  unit?: Unit
}

/**
 * Writes many opening balances at once, each a transaction of its own against the account `opening`: no revenue, no
 * payment, no shift. A key that is stored already writes nothing.
 * @returns the transactions by key
 */
export async function postOpenings(
  records: Records,
  tx: Tx,
  rows: readonly Opening[],
  {
    localDate,
    comment,
    idOrganization,
    mark,
  }: { localDate: string; comment: string; idOrganization: number; mark: string },
): Promise<Map<string, number>> {
  const moved = rows.filter(({ amount }) => amount !== 0)
  if (moved.length === 0) return new Map()
  const idOpening = await accountOf(records, tx, { kind: 'opening', idOrganization, mark })
  const accounts = await accountsOf(
    records,
    tx,
    moved.map(({ account }) => account),
  )
  const given = moved.map(({ key, amount, unit = 'RUB', account }, at) => ({
    key,
    amount,
    unit,
    account: accounts[at],
    credit: account.kind === 'patient' && unit === 'RUB' && amount < 0,
  }))
  const made = await tx.query<{ id: number; key: string }>(sql`with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g(key text, amount bigint, unit text, account bigint, credit boolean)
    ), made as (
      insert into ledger_txs ("key", "kind", "localDate", "comment", "idUser")
      select g.key, 'opening', ${localDate}, ${comment}, ${records.actor.id || null} from given g
      on conflict ("key") do nothing returning "id", "key"
    ), credits as (
      insert into ledger_credits ("idTx", "idAccount", "free")
      select m."id", g.account, -g.amount from made m join given g on g.key = m."key" where g.credit
    ), entries as (
      insert into ledger_entries ("idTx", "idAccount", "unit", "amount")
      select m."id", e.account, g.unit, e.amount from made m join given g on g.key = m."key"
        cross join lateral (values (g.account, g.amount), (${idOpening}::bigint, -g.amount)) e(account, amount)
    ) select "id"::int as id, "key" from made`)
  return new Map(made.map(({ key, id }) => [key, id]))
}

/** Takes opening balances back, each once. What of an advance is spent already must be given back before. */
export async function reverseOpenings(
  { actor }: Pick<Records, 'actor'>,
  tx: Tx,
  idTxs: readonly number[],
  { localDate, comment }: { localDate: string; comment: string },
): Promise<void> {
  await tx.query(sql`with made as (
      insert into ledger_txs ("key", "kind", "localDate", "reverses", "comment", "idUser")
      select 'reverse:' || t."key", 'storno', ${localDate}, t."id", ${comment}, ${actor.id || null}
      from ledger_txs t where t."id" = any (${idTxs}::bigint[]) on conflict do nothing returning "id", "reverses"
    ), spent as (
      update ledger_credits c set "free" = 0 from made m where c."idTx" = m."reverses"
    ) insert into ledger_entries ("idTx", "idAccount", "unit", "amount")
      select m."id", e."idAccount", e."unit", -e."amount" from made m join ledger_entries e on e."idTx" = m."reverses"`)
}

/** The accounts in the order of their owners; those that are missing are opened together. */
async function accountsOf(records: Records, tx: Tx, accounts: readonly Account[]): Promise<number[]> {
  const nameOf = (account: Account) => owners.map((owner) => account[owner] ?? '').join('|')
  const wanted = new Map(accounts.map((account) => [nameOf(account), account]))
  // Opened by one at a time: two moves into one clinic do not open the same account twice.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('ledger openings', 0))`)
  const find = async () => {
    const rows = [...wanted].map(([name, account]) => ({ name, ...account }))
    const found = await tx.query<{ name: string; id: number }>(sql`select w.name, min(a."id")::int as id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(name text, kind text, "idOrganization" bigint,
        "idCustomer" bigint, mark text)
      join ledger_accounts a on a."kind" = w.kind and a."idCustomer" is not distinct from w."idCustomer"
        and a."idOrganization" is not distinct from w."idOrganization" and a."mark" is not distinct from w.mark
        and a."idInsurer" is null and a."idDesk" is null and a."method" is null
      group by 1`)
    return new Map(found.map(({ name, id }) => [name, id]))
  }
  let there = await find()
  const missing = [...wanted].filter(([name]) => !there.has(name))
  if (missing.length > 0) {
    await records.asSystem.createMany(
      LedgerAccount,
      missing.map(([, account]) => account),
    )
    there = await find()
  }
  return accounts.map((account) => there.get(nameOf(account)) as number)
}

const owners = ['kind', 'idOrganization', 'idCustomer', 'idInsurer', 'idDesk', 'method', 'mark'] as const

/** The account; created on first use. */
export async function accountOf(records: Records, tx: Tx, account: Account): Promise<number> {
  const find = () =>
    tx.one<{ id: number }>(sql`select "id" from ledger_accounts where ${same(account)} order by "id" limit 1`)
  const found = await find()
  if (found) return found.id
  const name = owners.map((owner) => account[owner] ?? '').join('|')
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`ledger account ${name}`}, 0))`)
  return (await find())?.id ?? (await records.asSystem.create(LedgerAccount, account)).id
}

const same = (account: Account): Sql =>
  join(
    owners.map((owner) => {
      const value = account[owner] ?? null
      const column = raw(`"${owner}"`)
      return value === null ? sql`${column} is null` : sql`${column} = ${value}`
    }),
    ' and ',
  )

/** Locks the debts of these customers until the transaction ends. */
export async function lockCustomers(tx: Tx, ids: readonly (number | null | undefined)[]): Promise<void> {
  for (const id of [...new Set(ids)].filter((one) => one != null).toSorted((a, b) => a - b))
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`money of ${id}`}, 0))`)
}

/** Debt of a patient to an organization in kopecks; negative if paid ahead. */
export async function balanceOf(db: Queryable, idCustomer: number, idOrganization: number): Promise<number> {
  const row = await db.one<{ sum: string }>(sql`select coalesce(sum(e."amount"), 0)::text as sum from ledger_accounts a
    join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
    where a."kind" = 'patient' and a."idCustomer" = ${idCustomer} and a."idOrganization" = ${idOrganization}`)
  return Number(row?.sum)
}

/** Balance of an account in kopecks. */
export async function holds(db: Queryable, account: Account): Promise<number> {
  const row = await db.one<{ sum: string }>(sql`select coalesce(sum(e."amount"), 0)::text as sum
    from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" where ${same(account)}`)
  return Number(row?.sum)
}

/** Today in the time zone of a branch. */
export async function dayOf(db: Queryable, idFilial: number | null): Promise<string> {
  const row = await db.one<{ day: string }>(sql`select (now() at time zone coalesce(
    (select "timeZone" from filials where "id" = ${idFilial}), ${clinicZone}))::date::text as day`)
  return row?.day ?? ''
}
