/**
 * The job that polls the Social Fund for the state of sheets: the employer's part, the payment, changes by other
 * parties.
 */
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { exchangeState } from './limits.ts'
import { refreshed } from './steps.ts'

/** Maximum number of sheets per run, the longest unpolled first, and days after which polling ends. */
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
      // Without a reply to one query the others are skipped.
      if (error instanceof Error && 'status' in error && error.status === 502) return
    }
  }
}
