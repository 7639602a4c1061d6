/**
 * What registers say will soon stop them: asked for every ten minutes, when a person asks, and after a print while there
 * is anything to say; kept until the next answer.
 */
import { CashDesk } from '@ordinator/model/areas/money/desk'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { kktOf } from './connect.ts'
import { DeviceError } from './devices.ts'

/** Signs of one register that are kept. */
const MOST_SIGNS = 10

/** What the register of a desk has said last; nothing where it tells nothing. */
export const signsOfDesk = async (db: Queryable, idDesk: number): Promise<string[]> =>
  (await db.one<{ signs: string[] }>(sql`select "signs" from desk_signs where "idDesk" = ${idDesk}`))?.signs ?? []

/** Asks the register of a desk, and keeps what it says. One that does not answer leaves what is known. */
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

/** Asks again where something was wrong: paper that is put in is told of no more. */
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
