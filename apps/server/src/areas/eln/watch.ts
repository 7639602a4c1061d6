/** The job that asks the Social Fund what has become of sheets: the employer's part, the payment, changes of others. */
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { exchangeState } from './limits.ts'
import { refreshed } from './steps.ts'

/** Sheets that one run asks about, those longest not asked first, and days after which nothing more is expected. */
const AT_ONCE = 100
const DAYS = 90

export async function watchSheets(app: AppContext, signal: AbortSignal): Promise<void> {
  if (!(await exchangeState(app)).isSet) return
  const records = app.engine.for(systemActor)
  const since = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  const leaves = await records.rows(SickLeave, {
    'filter[localStatus]': 'accepted',
    'filter[stateSfr][nin]': ['080', '090'],
    'filter[dateChange][gte]': since,
    sort: 'dateAnswered,id',
    limit: AT_ONCE,
  })
  for (const leave of leaves) {
    if (signal.aborted) return
    try {
      await refreshed(app, records, leave)
    } catch (error) {
      app.log.info({ err: error, idSickLeave: leave.id }, 'eln: the state was not asked')
      // Who is silent to one question is silent to the rest.
      if (error instanceof Error && 'status' in error && error.status === 502) return
    }
  }
}
