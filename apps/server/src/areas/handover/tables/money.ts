/**
 * Tables of money. A patient has one account with an organization in all its branches, and one of bonuses in the clinic:
 * they go with a patient who was in no other branch, and stay with the network otherwise.
 */
import type { MoveSum } from '@ordinator/model/areas/moving/tables'
import sql from 'sql-template-tag'
import { kopecks, rubles } from '../cells.ts'
import type { Group } from '../csv.ts'
import { patientsOf, type Source } from '../portions.ts'
import type { Totals } from '../totals.ts'

interface Account {
  idCustomer: number
  idOrganization: number
  organization: string
  /** Kopecks; above zero the patient owes. */
  sum: number
}

/** Balances of patients that are not zero. */
const accountsOf = ({ app }: Source, ids: readonly number[]): Promise<Account[]> =>
  app.db.query<Account>(sql`select a."idCustomer"::int as "idCustomer", a."idOrganization"::int as "idOrganization",
      o."shortName" as organization, sum(e."amount")::float8 as sum
    from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
      join organizations o on o."id" = a."idOrganization"
    where a."kind" = 'patient' and a."idCustomer" = any (${ids as number[]}::bigint[])
    group by 1, 2, 3 having sum(e."amount") <> 0 order by 1, 2`)

interface Granted {
  idCustomer: number
  /** Hundredths. */
  sum: number
  /** The day of the grant that lasts longest; null: it has no end. */
  dateTo: string | null
}

/** Bonuses that are valid, less those that are still to be taken back. */
const bonusesOf = ({ app, day }: Source, ids: readonly number[]): Promise<Granted[]> =>
  app.db.query<Granted>(sql`select b."idCustomer"::int as "idCustomer", round((sum(b."left") - sum(b."owed")) * 100)::float8 as sum,
      case when bool_or(b."dateTo" is null and b."left" > 0) then null else max(b."dateTo")::text end as "dateTo"
    from bonuses b where b."idCustomer" = any (${ids as number[]}::bigint[]) and (b."dateTo" is null or b."dateTo" >= ${day}::date)
    group by 1 having sum(b."left") - sum(b."owed") > 0 order by 1`)

/** Sums of patients whose accounts stay. */
export async function stayingMoney(source: Source, left: Totals): Promise<void> {
  for await (const ids of patientsOf(source, false)) {
    for (const { idCustomer, sum } of await accountsOf(source, ids))
      left.add(sum > 0 ? 'debt' : 'advance', idCustomer, Math.abs(sum))
    for (const { idCustomer, sum } of await bonusesOf(source, ids)) left.add('bonus', idCustomer, sum)
    for (const { idBuyer, rest } of await certificatesOf(source, ids)) left.add('certificate', idBuyer, rest)
  }
}

/** The names of organizations are written only where there are several: the buyer's are others. */
export async function* balances(source: Source, totals: Totals): AsyncGenerator<Group> {
  const isSeveral = await severalOrganizations(source)
  const stage = source.stage('Деньги пациентов', 40, 45, source.patients)
  for await (const ids of patientsOf(source, true)) {
    const bonuses = new Map((await bonusesOf(source, ids)).map((one) => [one.idCustomer, one]))
    const accounts = Map.groupBy(await accountsOf(source, ids), ({ idCustomer }) => idCustomer)
    for (const id of ids) {
      const bonus = bonuses.get(id)
      const own: (Account | undefined)[] = accounts.get(id) ?? (bonus ? [undefined] : [])
      for (const [at, account] of own.entries()) {
        const sum = account?.sum ?? 0
        const granted = at === 0 ? bonus : undefined
        if (sum !== 0) totals.add(sum > 0 ? 'debt' : 'advance', id, Math.abs(sum))
        if (granted) totals.add('bonus', id, granted.sum)
        yield [
          {
            'Код пациента': `${source.mark}-${id}`,
            Организация: isSeveral ? (account?.organization ?? '') : '',
            Долг: sum > 0 ? kopecks(sum) : '',
            Аванс: sum < 0 ? kopecks(-sum) : '',
            Бонусы: granted ? kopecks(granted.sum) : '',
            'Бонусы действуют по': granted?.dateTo ?? '',
          },
        ]
      }
    }
    stage.done(ids.length)
  }
}

/** Whether the accounts and certificates that go are at more than one organization. */
async function severalOrganizations({ app, id }: Source): Promise<boolean> {
  const found = await app.db.one<{ count: number }>(sql`select count(distinct a."idOrganization")::int as count
    from handover_patients h join ledger_accounts a on a."idCustomer" = h."idCustomer" and a."kind" = 'patient'
    where h."idHandover" = ${id} and h."isOnly" and (select sum(e."amount") from ledger_entries e where e."idAccount" = a."id") <> 0`)
  return (found?.count ?? 0) > 1
}

interface Sold {
  id: number
  idBuyer: number
  number: string
  sum: number
  /** Kopecks. */
  rest: number
  dateTo: string
  organization: string
}

/** Certificates with something left, by buyers. */
const certificatesOf = ({ app }: Source, ids: readonly number[]): Promise<Sold[]> =>
  app.db.query<Sold>(sql`select c."id"::int as id, c."idBuyer"::int as "idBuyer", c."number", c."sum"::float8 as sum, c."dateTo"::text as "dateTo",
      o."shortName" as organization, l.rest::float8 as rest
    from certificates c join organizations o on o."id" = c."idOrganization"
      cross join lateral (select coalesce(-sum(e."amount"), 0) as rest from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
        where a."kind" = 'certificate' and a."idOrganization" = c."idOrganization" and a."mark" = c."id"::text) l
    where c."idBuyer" = any (${ids as number[]}::bigint[]) and not c."deleted" and l.rest > 0 order by c."idBuyer", c."id"`)

export async function* certificates(source: Source, totals: Totals): AsyncGenerator<Group> {
  const isSeveral = await severalOrganizations(source)
  for await (const ids of patientsOf(source, true))
    for (const one of await certificatesOf(source, ids)) {
      totals.add('certificate', one.idBuyer, one.rest)
      yield [
        {
          Номер: one.number,
          'Код покупателя': `${source.mark}-${one.idBuyer}`,
          Организация: isSeveral ? one.organization : '',
          Номинал: rubles(one.sum),
          Остаток: kopecks(one.rest),
          'Действует по': one.dateTo,
        },
      ]
    }
}

/** Kinds of sums whose owners stay with the network. */
export const moneyKinds = ['debt', 'advance', 'bonus', 'certificate'] as const satisfies readonly MoveSum[]
