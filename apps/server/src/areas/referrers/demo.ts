/** Demo clinic: a gym and a self-employed coach under contracts, and visits that they have sent. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { Referrer, ReferrerRate } from '@ordinator/model/areas/referrers/referrer'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { dayOf } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

/** Visits with a referrer. */
const VISITS = 12

export async function demo({ asSystem: system }: Records, _app: AppContext, tx: Tx): Promise<void> {
  const [own] = await system.rows(Organization, { 'filter[kind]': 'own', sort: 'id', limit: 1 })
  if (!own) return
  const today = await dayOf(tx, null)
  const dateFrom = `${Number(today.slice(0, 4)) - 1}-01-01`
  const made: number[] = []
  for (const [shortName, value, number] of [
    ['ООО «Фитнес-клуб „Волна“»', 10, 'ИУ-1'],
    ['ИП Коробейников П. С.', 7.5, 'ИУ-2'],
  ] as const) {
    const contractor = await system.create(Organization, { shortName, kind: 'contractor' } as Create<
      typeof Organization
    >)
    const { id } = await system.create(Referrer, {
      ...{ name: shortName, idContractor: contractor.id, idOrganization: own.id, number, dateFrom },
    } as Create<typeof Referrer>)
    await system.create(ReferrerRate, { idReferrer: id, kind: 'share', value, dateFrom } as Create<typeof ReferrerRate>)
    made.push(id)
  }
  const visits = await tx.query<{ id: number }>(sql`
    select a."id"::int as id from appointments a where a."visitStatus" = 'completed' and not a."deleted"
      and a."localDate" < ${today}::date order by a."dateFrom" desc, a."id" limit ${VISITS}`)
  for (const [at, { id }] of visits.entries())
    await tx.query(sql`update appointments set "idReferrer" = ${made[at % 3 === 2 ? 1 : 0]} where "id" = ${id}`)
}
