import { Readable } from 'node:stream'
import { Call, CallCheck } from '@ordinator/model/areas/calls/call'
import { LeadLink } from '@ordinator/model/areas/sales/lead'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { seeded } from '#platform/seeded.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { demoCalls, RECORDINGS, recordingKey, recordingSeconds } from './demoCalls.ts'
import { speechLike } from './wav.ts'

/** Three months of the call centre: all calls in one statement, the links of the deals, a few recordings with sound. */
export async function demo(records: Records, app: AppContext, tx: Queryable): Promise<void> {
  const world = {
    operators: await tx.query<{ id: number; sipPhone: string }>(
      sql`select "id", "sipPhone" from users where "sipPhone" like '2%' order by "id"`,
    ),
    customers: await tx.query<{ id: number; phone: string }>(
      sql`select "id", "phone" from customers where "phone" is not null order by "id"`,
    ),
    filials: (await tx.query<{ id: number }>(sql`select "id" from filials where "active" order by "id"`)).map(
      ({ id }) => id,
    ),
    outcomes: (
      await tx.query<{ id: number }>(sql`select "id"::int as id from appeals_outcomes order by "order", "id" limit 7`)
    ).map(({ id }) => id),
    deals: await tx.query<{ idLead: number; phone: string; created: number }>(sql`
      select c."idLead", min(c."phone") as phone, (extract(epoch from min(l."dateCreate")) * 1000)::float8 as created
      from sales_management_contacts c join sales_management_leads l on l."id" = c."idLead"
      where c."phone" is not null and not l."deleted" group by c."idLead" order by c."idLead"`),
  }
  if (world.operators.length === 0) return
  const random = seeded(20_261_121)
  for (let at = 0; at < RECORDINGS; at++)
    await app.files.put(recordingKey(at), Readable.from([speechLike(recordingSeconds(at), random)]))
  const calls = demoCalls(world)
  const made = await records.asSystem.createMany(
    Call,
    calls.map(({ idLead: _, ...call }) => call),
    { pastHooks: 'the numbers are those of customers, contacts and operators, spelled as they are kept' },
  )
  // Some of those with sound have been reviewed.
  for (const [at, { fileLink, idUser }] of calls.entries())
    if (fileLink && idUser && at % 3 === 0)
      await records.asSystem.create(CallCheck, {
        idCall: (made[at] as { id: number }).id,
        idUser,
        greeting: 'yes',
        name: at % 2 ? 'yes' : 'no',
        needs: 'yes',
        offer: 'yes',
        booking: 'na',
        farewell: at % 2 ? 'no' : 'yes',
      })
  for (const [at, { idLead }] of calls.entries())
    if (idLead)
      await records.asSystem.create(LeadLink, { idLead, type: 'call', idEntity: (made[at] as { id: number }).id })
}
