import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { metrikaOf } from './client.ts'
import { counters, goals, takeGoals, tokenOf, uploads } from './counters.ts'
import { demo } from './demo.ts'
import { metrikaCounts, report } from './report.ts'
import { sample, startUploads, upload } from './uploads.ts'

async function adapters(app: AppContext): Promise<Adapter[]> {
  const { metrikaMode } = await readCommonSettings(app.db)
  const first = await app.db.one<{ id: number; number: string }>(
    sql`select "id"::int as id, "number" from metrika_counters where not "deleted" and "active" order by "id" limit 1`,
  )
  return [
    {
      key: 'metrika',
      code: 'metrika',
      name: 'Яндекс Метрика',
      mode: first ? metrikaMode : 'off',
      modeSetting: 'metrikaMode',
      page: 'connections',
      setIn: 'Цели Метрики → Счётчики',
      async check() {
        if (!first) throw new AdapterFault('Счётчик не подключён')
        const metrika = await metrikaOf(app, first.number, await tokenOf(app.db, first.id))
        await metrika?.goals()
      },
    },
  ]
}

/** Goals of the site's counters, and the results of their visitors. */
export const metrika: Area = {
  name: 'metrika',
  title: 'Цели Метрики',
  records: [counters, goals, uploads],
  operations: [report, takeGoals, upload, sample],
  counts: metrikaCounts,
  adapters,
  start: startUploads,
  demo: (records: Records) => demo(records),
}
