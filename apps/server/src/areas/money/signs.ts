/**
 * Warnings of registers: read every ten minutes, on request, and after a print while any are present; stored until the
 * next reply.
 */
import { CashDesk } from '@ordinator/model/areas/money/desk'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { kktOf } from './connect.ts'
import { DeviceError } from './devices.ts'

/** Maximum number of warnings stored per register. */
const MOST_SIGNS = 10

/** The last warnings of a desk's register; empty if it reports none. */
export const signsOfDesk = async (db: Queryable, idDesk: number): Promise<string[]> =>
  (await db.one<{ signs: string[] }>(sql`select "signs" from desk_signs where "idDesk" = ${idDesk}`))?.signs ?? []

/** Reads and stores the warnings of a desk's register. Without a reply the stored ones stay. */
export async function readSigns(app: AppContext, idDesk: number): Promise<void> {
  const kkt = kktOf(app, await app.engine.for(systemActor).asSystem.row(CashDesk, idDesk))
  let signs: readonly string[] = []
  try {
    signs = (await kkt?.signs?.()) ?? []
  } catch (error) {
    if (error instanceof DeviceError) return
    throw error
  }
  await app.db.query(sql`insert into desk_signs ("idDesk", "signs") values (${idDesk}, ${signs.slice(0, MOST_SIGNS)})
    on conflict ("idDesk") do update set "signs" = excluded."signs", "dateTold" = now()`)
}

/** Reads the warnings again if any are stored: for example, paper was loaded. */
export async function renewSigns(app: AppContext, idDesk: number): Promise<void> {
  if ((await signsOfDesk(app.db, idDesk)).length > 0) await readSigns(app, idDesk)
}

export function startSigns(app: AppContext): void {
  app.jobs.register('money.registers', {
    cron: '*/10 * * * *',
    async handler() {
      const desks = await app.db.query<{ id: number }>(sql`select d."id"::int as id from cash_desks d
        where (d."active" and not d."deleted" and d."kktMode" in ('atol', 'simulator'))
          or exists (select 1 from desk_signs s where s."idDesk" = d."id" and s."signs" <> '{}') order by d."id"`)
      await oneByOne(app, 'money.registers', desks, ({ id }) => readSigns(app, id))
    },
  })
}
