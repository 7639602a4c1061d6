/** The next free times of a service or a doctor, as a visitor is told them: no names, no rooms, few of them. */
import { durationOf } from '@ordinator/model/areas/catalogue/performer'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { systemActor } from '../../records/actor.ts'
import { findSlots, rulesOf } from '../visits/index.ts'
import { type Html, html } from './html.ts'
import { dayText } from './parts.ts'
import { publicDoctor, publicFilial, publicService, type Site } from './reads.ts'

const DAYS_AHEAD = 14
const SHOWN = 6
/** Of doctors and branches that visitors do not see some may be free before: so many are looked at. */
const LOOKED_AT = 60

/** @returns false where there is nothing to offer */
export async function freeTimes(
  db: Queryable,
  site: Site,
  asked: { idService?: number; idUser?: number },
): Promise<Html | false> {
  const idService = asked.idService ?? (asked.idUser && (await serviceOf(db, asked.idUser)))
  if (!idService) return false
  const rules = await rulesOf(db, [idService])
  const found = await findSlots(db, systemActor, {
    idServices: [idService],
    ...(asked.idUser && { idUser: asked.idUser }),
    from: site.today,
    to: plusDays(site.today, DAYS_AHEAD),
    limit: LOOKED_AT,
  })
  const shown = await publicOnes(db, found)
  const free = found.filter(
    ({ idUser, idFilial }) =>
      shown.users.has(idUser) &&
      shown.filials.has(idFilial) &&
      durationOf(rules, { idUser, idFilial })?.online !== false,
  )
  const times = [...new Map(free.map((slot) => [`${slot.localDate} ${slot.localStart}`, slot])).values()].slice(
    0,
    SHOWN,
  )
  return (
    times.length > 0 &&
    html`<ul class="times">${times.map(
      ({ localDate, localStart }) =>
        html`<li><time datetime="${localDate}T${localStart}">${dayText(localDate, 'UTC').replace(/ \d{4}.*$/, '')}, ${localStart}</time></li>`,
    )}</ul><p class="dim">Время могут занять: мы подтвердим его, когда ответим на заявку.</p>`
  )
}

/** What the doctor does most simply of what visitors see. */
const serviceOf = async (db: Queryable, idUser: number): Promise<number | undefined> =>
  (
    await db.one<{ id: number }>(sql`select s."id" from services s join service_performers p on p."idService" = s."id"
      where p."idUser" = ${idUser} and p."allowed" and not p."deleted" and ${publicService(raw('s'))}
      order by s."priceService" nulls last, s."id" limit 1`)
  )?.id

async function publicOnes(db: Queryable, slots: readonly { idUser: number; idFilial: number }[]) {
  const found = await db.one<{ users: number[]; filials: number[] }>(sql`select
    coalesce((select json_agg(u."id") from users u where u."id" = any (${slots.map(({ idUser }) => idUser)}::bigint[])
      and ${publicDoctor(raw('u'))}), '[]') as "users",
    coalesce((select json_agg(f."id") from filials f where f."id" = any (${slots.map(({ idFilial }) => idFilial)}::bigint[])
      and ${publicFilial(raw('f'))}), '[]') as "filials"`)
  return { users: new Set(found?.users), filials: new Set(found?.filials) }
}
