import { Call } from '@ordinator/model/areas/calls/call'
import { LeadLink } from '@ordinator/model/areas/sales/lead'
import sql from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import type { AppContext } from '../../records/context.ts'
import type { Records } from '../../records/records.ts'
import { demoCalls } from './demoCalls.ts'

/** A month of the call centre: all calls in one statement, then the links of the deals. */
export async function demo(records: Records, _app: AppContext, tx: Queryable): Promise<void> {
  const world = {
    operators: await tx.query<{ id: number; sipPhone: string }>(
      sql`select "id", "sipPhone" from users where "sipPhone" like '2%' order by "id"`,
    ),
    customers: await tx.query<{ id: number; phone: string }>(
      sql`select "id", "phone" from customers where "phone" is not null order by "id"`,
    ),
    deals: await tx.query<{ idLead: number; phone: string; created: number }>(sql`
      select c."idLead", min(c."phone") as phone, (extract(epoch from min(l."dateCreate")) * 1000)::float8 as created
      from sales_management_contacts c join sales_management_leads l on l."id" = c."idLead"
      where c."phone" is not null and not l."deleted" group by c."idLead" order by c."idLead"`),
  }
  if (world.operators.length === 0) return
  const calls = demoCalls(world)
  const made = await records.asSystem.createMany(
    Call,
    calls.map(({ idLead: _, ...call }) => call),
    { pastHooks: 'the numbers of the demo are spelled as one spells them' },
  )
  for (const [at, { idLead }] of calls.entries())
    if (idLead)
      await records.asSystem.create(LeadLink, { idLead, type: 'call', idEntity: (made[at] as { id: number }).id })
}
