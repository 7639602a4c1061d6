import { Customer } from '@ordinator/model/areas/customers/customer'
import { Move, MoveFile, MoveProfile, PastVisit } from '@ordinator/model/areas/moving/move'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { fileRows, left, match, plan, template, upload } from './calls.ts'
import { forgetStored } from './file.ts'
import { profileFile, profiles, saveProfile, takeProfile } from './profileCalls.ts'
import { reconcile } from './reconcile.ts'
import { cancel, drop, rehearse, resume, revert, revertAll, run } from './runCalls.ts'
import { movingRuns } from './runs.ts'

export { KEY } from './table.ts'
export { movingTable } from './tables/index.ts'

/** Moving in from another program. */
export const moving: Area = {
  name: 'moving',
  title: 'Переезд',
  records: [
    records(Move, {
      hooks: {
        beforeCreate: ({ tx }, { idOrganization }) => refuseAlien(tx, idOrganization),
        async beforeUpdate({ tx }, { idOrganization }) {
          if (idOrganization !== undefined) await refuseAlien(tx, idOrganization)
        },
      },
    }),
    records(MoveFile),
    records(MoveProfile),
    records(PastVisit, {
      thread: {
        of: Customer.path,
        kind: 'pastVisits',
        name: 'Прошлые визиты',
        rare: true,
        when: 'dateFrom',
        belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
        title: ({ row }) => sql`coalesce(nullif(${row}."services", ''), 'Визит')`,
        hint: ({ row }) =>
          sql`concat_ws(' · ', ${row}."doctorName", replace(${row}."sum"::text, '.', ',') || ' ₽', ${row}."note")`,
      },
    }),
  ],
  operations: [
    plan,
    upload,
    template,
    fileRows,
    match,
    rehearse,
    run,
    cancel,
    resume,
    drop,
    revert,
    revertAll,
    left,
    reconcile,
    profiles,
    saveProfile,
    profileFile,
    takeProfile,
  ],
  runs: movingRuns,
  start(app) {
    app.jobs.register('moving.sweep', { cron: '40 3 * * *', handler: () => sweep(app) })
  },
}

/** Accounts of patients are kept by the clinic's own organizations. @throws ValidationError */
async function refuseAlien(tx: Tx, idOrganization: number): Promise<void> {
  const own = await tx.one(sql`select 1 from organizations where "id" = ${idOrganization} and "kind" = 'own'`)
  if (!own)
    throw new ValidationError([{ field: 'idOrganization', message: 'Счета пациентов ведёт своя организация клиники' }])
}

/** Removes the uploads of deleted files, and the archives of loaded ones. */
async function sweep(app: AppContext): Promise<void> {
  const old = await app.db.query<{
    id: number
    key: string
  }>(sql`select f."id", s."key" from moving_stored s join moving_files f on f."id" = s."idFile"
    where f."deleted" or (f."state" in ('done', 'failed') and f."dateCreate" < now() - interval '7 days')`)
  await oneByOne(app, 'moving.sweep', old, async ({ id, key }) => {
    await forgetStored(app, id, key)
  })
  await app.db.query(sql`delete from moving_rows r using moving_files f where f."id" = r."idFile" and f."deleted"`)
}
