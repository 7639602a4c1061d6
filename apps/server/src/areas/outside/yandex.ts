/**
 * Яндекс shows doctors of the clinic in its search and on its maps: it reads a feed, sends the patient to the page of
 * booking with a mark of the click (`ya_token`), and gets every booking that follows. Only by a contract, since
 * 16.02.2026 one for money: without it the feed is not there and nothing is sent.
 * https://yandex.ru/support/webmaster/ru/search-appearance/doctors
 * https://yandex.ru/dev/webmaster/doc/ru/reference/doctors-confirmation
 */
import { outsideCalls } from '@ordinator/model/areas/outside/calls'
import { BookingChannel, OutsideBooking } from '@ordinator/model/areas/outside/channel'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'
import type { Outcome } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { remote } from '#platform/remote.ts'
import { escapedXml } from '#platform/xml/text.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { type Channel, channelById, channelsOf, sellerKey } from './channels.ts'
import { type Offered, offeredBy } from './offered.ts'
import { judged, laneOf } from './pushing.ts'

/** Minutes between two notes that the feed was read. */
const NOTED_EVERY = 10

const el = (name: string, value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? '' : `<${name}>${escapedXml(String(value))}</${name}>`

/** Where a patient chooses a time of the doctor; Яндекс appends its mark to it. */
const pageOf = (publicUrl: string, idService: number, idUser: number, idFilial: number): string =>
  `${publicUrl}/portal?book=${idService}.${idUser}.${idFilial}`

/** YML 2.0 of doctors: doctors, clinics, services, and an offer for each pair of a doctor and a service. */
function feedOf({ branch, doctors, services }: Offered, clinic: { name: string; url: string }, now: Date): string {
  const known = new Map(services.map((one) => [one.id, one]))
  const url = (idService: number, idUser: number) => pageOf(clinic.url, idService, idUser, branch.id)
  const offers = doctors.flatMap(({ id, speciality, idService, services: own }) =>
    own.flatMap((of) => {
      const service = known.get(of)
      if (!service || !speciality) return []
      const price =
        service.price === null ? '' : `<price>${el('base_price', service.price)}<currency>RUB</currency></price>`
      return `<offer id="${branch.id}-${id}-${of}">${el('url', url(of, id))}<appointment>true</appointment><online_schedule>true</online_schedule>${price}<service id="${of}"/><clinic id="${branch.id}"><doctor id="${id}">${el('speciality', speciality.toLowerCase())}${el('is_base_service', String(of === idService))}</doctor></clinic></offer>`
    }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<shop version="2.0" date="${now.toISOString()}">${el('name', clinic.name)}${el('company', clinic.name)}${el('url', clinic.url)}<doctors>${doctors
    .map(
      ({ id, fio, surname, name, middleName, idService }) =>
        `<doctor id="${id}">${el('name', fio)}${el('url', url(idService, id))}${el('first_name', name)}${el('surname', surname)}${el('patronymic', middleName)}${el('internal_id', id)}</doctor>`,
    )
    .join(
      '',
    )}</doctors><clinics><clinic id="${branch.id}">${el('name', branch.name)}${el('city', branch.city)}${el('address', branch.address)}${el('url', clinic.url)}${el('phone', branch.phone)}${el('internal_id', branch.id)}</clinic></clinics><services>${services
    .map(
      ({ id, name, code }) =>
        `<service id="${id}">${el('name', name)}${el('gov_id', code)}${el('internal_id', id)}</service>`,
    )
    .join('')}</services><offers>${offers.join('')}</offers></shop>
`
}

export const feed = operation(outsideCalls.feed, async ({ app, params, reply }) => {
  const channel = await channelById(app.db, params.id)
  if (channel?.kind !== 'yandex') throw notFound()
  const { clinicName: name } = await readCommonSettings(app.db)
  const offered = await offeredBy(app.db.reads, channel)
  await app.db.query(sql`
    insert into booking_pushes as p ("idChannel", "part", "dateWhole", "datePushed") values (${channel.id}, 'feed', now(), now())
    on conflict ("idChannel", "part") do update set "dateWhole" = now(), "datePushed" = now()
      where p."datePushed" < now() - make_interval(mins => ${NOTED_EVERY})`)
  const url = app.config.publicUrl.replace(/\/$/, '')
  return reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .send(feedOf(offered, { name: name || offered.branch.name, url }, new Date()))
})

/** The channel of Яндекс of a branch, if the clinic has a contract. */
export const sellerOfClick = async (db: Queryable, idFilial: number): Promise<Channel | undefined> =>
  (await channelsOf(db, 'yandex', idFilial))[0]

interface Order {
  idChannel: number
  click: string
  idAppointment: number
}

/** Notes a booking that a click has led to, and confirms it to Яндекс. */
export async function confirmClick(
  app: Pick<AppContext, 'outbox'>,
  { asSystem }: Records,
  tx: Tx,
  channel: Channel,
  { click, idAppointment, idCustomer }: { click: string; idAppointment: number; idCustomer: number },
): Promise<void> {
  // Яндекс has no number of its own: one click may lead to several visits.
  await asSystem.create(OutsideBooking, {
    idChannel: channel.id,
    outerId: `${idAppointment}`,
    idAppointment,
    idCustomer,
  })
  await app.outbox.add(tx, {
    ...{
      adapter: 'sellers',
      operation: 'order',
      title: `${channel.name}: подтверждение записи`,
      lane: laneOf(channel.id),
    },
    ...{ key: `order-${channel.id}-${idAppointment}`, subject: `order-${channel.id}-${idAppointment}` },
    about: { path: BookingChannel.path, id: channel.id },
    payload: { idChannel: channel.id, click, idAppointment } satisfies Order,
  })
}

/** Sends a confirmation: a form with the token of the clinic and the mark of the click, and nothing of the patient. */
export async function order(app: AppContext, channel: Channel, { click }: Order): Promise<Outcome> {
  const token = await sellerKey(app.db, channel.id)
  if (!token) return switchedOff('Нет токена Яндекса: он действует шесть месяцев, впишите новый в карточку площадки')
  const wire = remote(app, { adapter: 'sellers', url: app.config.yandexOrdersUrl, isOwn: true })
  return judged(
    await wire.quietly({
      method: 'POST',
      path: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, ya_token: click }).toString(),
    }),
  )
}
