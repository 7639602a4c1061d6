import type { Area } from '#records/area.ts'
import { openOutlet, sealJournal } from '#records/journalSeals.ts'
import { MARKS_DAYS } from '#records/journalSpool.ts'
import { factorOperations } from './factorOperations.ts'
import { authOperations } from './operations.ts'
import { DEVICE_LIFE } from './registerAuth.ts'

export { type JournalAction, type JournalEntry, journal, journalActor } from '#records/journal.ts'
export { actorOfUser, holdsSql } from './actors.ts'
export { hashPassword, isPassword, randomPassword, storePassword } from './passwords.ts'
export { type Auth, authOf, registerAuth } from './registerAuth.ts'
export { endSession, endSessions, markActive, openSessionsOf } from './sessions.ts'
export { openLine, signal } from './signals.ts'
export { forgiveAttempt, takeAttempt } from './throttle.ts'
export { openSessionOf } from './ticketSession.ts'

/** Days after which ended sessions are deleted. */
const KEPT_DAYS = 90

export const authArea: Area = {
  name: 'auth',
  title: 'Вход',
  records: [],
  operations: [...authOperations, ...factorOperations],
  start({ jobs, db, config }) {
    const outlet = config.journalTo === undefined ? undefined : openOutlet(config.journalTo)
    jobs.register('auth.seal', {
      cron: '* * * * *',
      async handler() {
        let lines: number
        do lines = await sealJournal(db, outlet)
        while (lines > 0)
      },
    })
    jobs.register('auth.sweep', {
      cron: '17 3 * * *',
      async handler() {
        await db.query({ text: "select ensure_month_partitions('access_log')" })
        await db.query({
          text: `delete from sessions where coalesce("endedAt", "expiresAt") < now() - make_interval(days => $1)`,
          values: [KEPT_DAYS],
        })
        await db.query({
          text: 'delete from access_spools where dt < now() - make_interval(days => $1)',
          values: [MARKS_DAYS],
        })
        await db.query({ text: `delete from login_attempts where "lastFail" < now() - interval '1 day'` })
        await db.query({
          text: 'delete from known_devices where "lastSeen" < now() - make_interval(secs => $1)',
          values: [DEVICE_LIFE],
        })
      },
    })
  },
}
