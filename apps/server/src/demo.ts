import { systemActor } from '#records/actor.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'

/** Advisory lock for processes starting at once on an empty database: one creates the clinic, the others wait. */
const LOCK = 7_236_004_812

/** Creates the demo clinic in an unused database; all or nothing. */
export async function makeDemo(app: AppContext, areas: readonly Area[]): Promise<void> {
  if (!app.config.demo) return
  await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    if (await tx.one({ text: 'select 1 from users limit 1' })) return
    app.log.info('making the demo clinic')
    for (const [index, area] of areas.entries()) {
      if (area.demo) app.onDemo?.(index, areas.length, area.title)
      await area.demo?.(records, app, tx)
    }
    app.onDemo?.(areas.length, areas.length)
    // Without statistics the first reports of a fresh clinic take plans that last longer than their time.
    await tx.query({ text: 'set local statement_timeout = 0' })
    await tx.query({
      text: `do $$ declare t text; begin for t in select format('%I.%I', schemaname, tablename) from pg_tables
        where schemaname = current_schema() loop execute 'analyze ' || t; end loop; end $$`,
    })
  })
}
