/** Warnings about expiring certificates and powers of attorney: 30 and 7 days before, each once. */
import {
  daysLeft,
  PowerOfAttorney,
  SignatureCertificate,
  WARN_DAYS,
  warningOf,
} from '@ordinator/model/areas/signatures/certificate'
import { counted } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { clinicToday, clinicZone } from '#areas/settings/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'

const DAYS = ['день', 'дня', 'дней'] as const
const AT_ONCE = 500
const MAX_RECIPIENTS = 20

interface Ending {
  id: number
  what: 'certificate' | 'power'
  name: string
  dateTo: string
  idUser: number | null
  warned: number
}

/** The job `signatures.ends`. */
export async function warnOfEnds(app: AppContext): Promise<void> {
  const ending = await app.db.query<Ending>(sql`
    select c."id"::int as id, 'certificate' as what, c."owner" as name, c."dateTo", c."idUser"::int as "idUser", c."warned"
    from signatures_certificates c where not c."deleted" and c."active" and c."dateTo" > now()
      and c."dateTo" <= now() + make_interval(days => ${WARN_DAYS[0] + 1})
    union all
    select p."id"::int, 'power', p."number", ((p."dateTo" + 1)::timestamp at time zone ${clinicZone}), c."idUser"::int, p."warned"
    from signatures_powers p join signatures_certificates c on c."id" = p."idCertificate"
    where not p."deleted" and not c."deleted" and c."active" and p."dateTo" >= ${clinicToday}
      and p."dateTo" <= ${clinicToday} + ${WARN_DAYS[0]}::int
    limit ${AT_ONCE}`)
  await oneByOne(app, 'signatures.ends', ending, async (one) => {
    const left = daysLeft(one.dateTo, Date.now())
    const warning = warningOf(left)
    if (warning === 0 || (one.warned !== 0 && one.warned <= warning)) return
    await app.engine.for(systemActor).tx(async (own, tx) => {
      const entity = one.what === 'certificate' ? SignatureCertificate : PowerOfAttorney
      await own.asSystem.update(entity, one.id, { warned: warning })
      const title =
        one.what === 'certificate' ? `Подпись «${one.name}» скоро закончится` : 'Доверенность (МЧД) скоро закончится'
      await notify({ actor: systemActor, tx, records: own }, await recipientsOf(tx, one.idUser), {
        kind: 'signatures.ends',
        title,
        text: `Осталось ${counted(Math.max(0, left), DAYS)}`,
        link: '/crypto',
      })
    })
  })
}

const recipientsOf = async (tx: Tx, idUser: number | null): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`select u."id"::int as id from users u where not u."deleted" and not u."isBlocked"
      and (u."id" = ${idUser} or ${holdsSql(raw('u."id"'), 'manageSignatures')}) order by u."id" = ${idUser} desc, u."id" limit ${MAX_RECIPIENTS}`)
  ).map(({ id }) => id)
