/** Persons that a patient may act for: oneself and those one represents. */
import { relationKinds } from '@ordinator/model/areas/customers/customer'
import { mayRepresent, type Representation } from '@ordinator/model/areas/portal/rules'
import type { PortalMe, PortalPerson } from '@ordinator/model/areas/portal/shapes'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { publicGood } from '#areas/catalogue/index.ts'
import { isOfferedSql } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'

/** The signed-in patient: own card, current session. */
export interface Patient {
  idSession: number
  idCustomer: number
  isProven: boolean
  /** The session was opened by a link, which passed through the staff. */
  byLink: boolean
}

/** Maximum number of family members shown. */
const MOST = 20

const personSql = sql`c."id"::int as id, coalesce(c."name", '') as name, ${fioSql(raw('c'))} as fio`

/** Those whom a patient represents today. */
export async function familyOf(db: Queryable, idCustomer: number): Promise<PortalPerson[]> {
  const today = dayIn((await readCommonSettings(db)).timeZone, Date.now())
  const rows = await db.query<Omit<PortalPerson, 'relation'> & Representation>(sql`
    select ${personSql}, r."relation", r."signs", r."dateTo"::text as "dateTo", c."birthday"::text as birthday
    from customers_relations r join customers c on c."id" = r."idCustomer" and not c."deleted"
    where r."idRelative" = ${idCustomer} and r."idCustomer" <> ${idCustomer} and not r."deleted"
    order by c."birthday", c."id", r."id" limit ${MOST}`)
  const people = new Map<number, PortalPerson>()
  for (const row of rows)
    if (mayRepresent(row, today))
      people.set(row.id, {
        id: row.id,
        name: row.name,
        fio: row.fio,
        relation: `Вы: ${relationKinds[row.relation].toLowerCase()}`,
      })
  return [...people.values()]
}

/**
 * @throws HttpError 404 for a person the patient does not represent, or an unknown one; for anyone but oneself without
 * the birthday
 */
export async function customerOf(
  db: Queryable,
  { idCustomer, isProven }: Patient,
  asked = idCustomer,
): Promise<number> {
  if (asked === idCustomer) return idCustomer
  const family = isProven ? await familyOf(db, idCustomer) : []
  if (!family.some(({ id }) => id === asked)) throw notFound('Такого пациента в вашем кабинете нет')
  return asked
}

export async function meOf(db: Queryable, { idCustomer, isProven, byLink }: Patient): Promise<PortalMe> {
  const { clinicName, portalActions, portalCancelHours, portalMoveHours, friendReward, friendGift } =
    await readCommonSettings(db)
  const own = await db.one<
    Omit<PortalPerson, 'relation'> & { hasGoods: boolean; hasMemberships: boolean; hasFamily: boolean }
  >(
    sql`select ${personSql}, exists (select 1 from services s where ${publicGood(raw('s'))}) as "hasGoods",
      exists (select 1 from membership_types t where ${isOfferedSql(raw('t'), 'portal')}) as "hasMemberships",
      exists (select 1 from families f join families_members m on m."idFamily" = f."id" and not m."deleted"
        where not f."deleted" and (f."idHead" = c."id" or m."idCustomer" = c."id")) as "hasFamily" from customers c where c."id" = ${idCustomer}`,
  )
  if (!own) throw notFound()
  const { hasGoods, hasMemberships, hasFamily, ...person } = own
  return {
    clinicName,
    person: { ...person, relation: null },
    family: isProven ? await familyOf(db, idCustomer) : [],
    isProven,
    byLink,
    actions: portalActions,
    cancelHours: portalCancelHours,
    moveHours: portalMoveHours,
    hasGoods,
    hasMemberships: hasMemberships && portalActions.includes('pay'),
    hasFamily,
    hasFriends: friendReward + friendGift > 0,
  }
}
