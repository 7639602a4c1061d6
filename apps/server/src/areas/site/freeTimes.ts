/** The next free times of a service or a doctor for visitors: without rooms, few. */
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { publicService } from '#areas/catalogue/index.ts'
import { estimateEach, firstOnline, onlineTimes } from '#areas/visits/index.ts'
import type { Queryable } from '#platform/db.ts'
import { at } from './addresses.ts'
import type { Asked } from './asked.ts'
import { type Html, html } from './html.ts'
import { costText, type FirstTimes, type Making, timeChip } from './parts.ts'

const DAYS_AHEAD = 14
const SHOWN = 6
/** Number of times read: several doctors may be free at one time, which is shown once. */
const LOOKED_AT = 30

/** @returns false if there is nothing to offer */
export async function freeTimes(
  making: Making & Pick<Asked, 'db' | 'records'>,
  asked: { idService?: number; idUser?: number },
): Promise<Html | false> {
  const { db, records, site, place } = making
  const idService = asked.idService ?? (asked.idUser && (await serviceOf(db, asked.idUser)))
  if (!idService) return false
  const free = await onlineTimes(db, {
    idServices: [idService],
    ...(asked.idUser && { idUser: asked.idUser }),
    from: site.today,
    to: plusDays(site.today, DAYS_AHEAD),
    limit: LOOKED_AT,
  })
  const times = [...new Map(free.map((slot) => [`${slot.localDate} ${slot.localStart}`, slot])).values()].slice(
    0,
    SHOWN,
  )
  if (times.length === 0) return false
  const [hidden] = await db.query(sql`select 1 from services where "id" = ${idService} and "hidePrice"`)
  // A doctor's times are those of the simplest service: no price is shown.
  const costs =
    hidden || !asked.idService
      ? []
      : await estimateEach(records, db, { idCustomer: null, idServices: [idService] }, times)
  const cut = new Map(costs.filter(({ fullPrice }) => fullPrice !== null).map((cost) => [JSON.stringify(cost), cost]))
  const more = `/book/${idService}${asked.idUser ? `?doctor=${asked.idUser}` : ''}`
  return html`<ul class="times">${times.map((slot) => timeChip(making, { ...slot, idService }))}</ul>${[
    ...cut.values(),
  ].map((cost) => html`<p class="offer">Новым пациентам ${costText(cost)}</p>`)}${
    site.isBooking
      ? html`<p><a href="${at(place, more)}">Другое время</a></p>`
      : html`<p class="dim">Время могут занять: мы подтвердим его, когда ответим на заявку.</p>`
  }`
}

/** The first times for the cards of a list. */
export const firstOf = (
  db: Queryable,
  { site }: Making,
  asked: { services: readonly number[] } | { users: readonly number[] },
): Promise<FirstTimes> =>
  site.isBooking ? firstOnline(db, asked, 'users' in asked ? 3 : 1) : Promise.resolve(new Map())

/** The doctor's simplest service among those visible. */
const serviceOf = async (db: Queryable, idUser: number): Promise<number | undefined> =>
  (
    await db.one<{ id: number }>(sql`select s."id" from services s join service_doctors p on p."idService" = s."id"
      where p."idUser" = ${idUser} and ${publicService(raw('s'))}
      order by s."priceService" nulls last, s."id" limit 1`)
  )?.id
