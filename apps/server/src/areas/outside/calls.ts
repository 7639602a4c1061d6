/** The open booking call for any seller: services, free times, a booking, its state. */
import { outsideCalls } from '@ordinator/model/areas/outside/calls'
import { BookingChannel, type ChannelKind, OutsideBooking } from '@ordinator/model/areas/outside/channel'
import { counted } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { shortFioSql } from '#areas/staff/index.ts'
import { estimateEach, onlineTimes } from '#areas/visits/index.ts'
import { notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import { answerOf, bookOutside, cancelOutside, confirmOutside, daysOf } from './book.ts'
import { anyChannel, channelCalls, channelOf, outerNameSql, soldSql } from './channels.ts'
import { matchCalls, unmatchedWords } from './matches.ts'
import { medflex } from './medflex.ts'
import { type Offered, offeredBy } from './offered.ts'
import { feed } from './yandex.ts'

/** Days of a schedule without `days`, and the maximum number of its times. */
const DAYS = 7
const MOST_SLOTS = 500
const MOST_PAIRS = 5_000

const services = operation(outsideCalls.services, async ({ app, request }) => {
  const channel = await channelOf(app, request.headers.authorization)
  const db = app.db.reads
  const branch = await db.one<{ id: number; name: string; address: string | null }>(sql`
    select "id"::int as id, "nameFilial" as name, coalesce(nullif("filialAddressFact", ''), "filialAddress") as address
    from filials where "id" = ${channel.idFilial}`)
  if (!branch) throw notFound()
  const pairs = await db.query<{
    id: number
    name: string
    code: string | null
    idUser: number
    doctor: string
    speciality: string | null
  }>(sql`
    select s."id"::int as id, ${outerNameSql(channel, raw('s'))} as name, s."medicalCode" as code, u."id"::int as "idUser",
      ${shortFioSql(raw('u'))} as doctor,
      (select n."name" from specialities n where n."id" = u."idSpeciality") as speciality
    from ${soldSql(channel)} order by 2, s."id", 5, u."id" limit ${MOST_PAIRS}`)
  return {
    branch,
    services: [...Map.groupBy(pairs, ({ id }) => id).values()].map((own) => {
      const [{ id, name, code }] = own as [(typeof own)[number]]
      return {
        ...{ id, name, code },
        doctors: own.map(({ idUser, doctor, speciality }) => ({ id: idUser, name: doctor, speciality })),
      }
    }),
  }
})

const schedule = operation(outsideCalls.schedule, async ({ app, request, query }) => {
  const channel = await channelOf(app, request.headers.authorization)
  const db = app.db.reads
  const { service: idService, doctor: idUser } = query
  const sold = await db.query<{ id: number }>(sql`
    select distinct u."id"::int as id from ${soldSql(channel)} and s."id" = ${idService}
      and (${idUser ?? null}::bigint is null or u."id" = ${idUser ?? null})`)
  if (sold.length === 0) throw notFound('Такой услуги или врача на площадке нет')
  const { first, last } = await daysOf(db, channel)
  const from = query.from !== undefined && query.from > first ? query.from : first
  const end = plusDays(from, (query.days ?? DAYS) - 1)
  const to = end < last ? end : last
  if (from > to) return { slots: [] }
  const may = new Set(sold.map(({ id }) => id))
  const soonest = Date.now() + channel.leadHours * 3_600_000
  const times = (
    await onlineTimes(db, {
      ...{ idServices: [idService], idFilial: channel.idFilial, from, to, limit: MOST_SLOTS },
      ...(idUser !== undefined && { idUser }),
    })
  ).filter((time) => may.has(time.idUser) && Date.parse(time.dateFrom) >= soonest)
  const costs = channel.showPrice
    ? await estimateEach(app.engine.for(systemActor), db, { idCustomer: null, idServices: [idService] }, times)
    : []
  return {
    slots: times.map(({ idUser: doctor, localDate: date, localStart: start, minutes }, at) => ({
      ...{ service: idService, doctor, date, start, minutes },
      price: costs[at]?.price ?? null,
    })),
  }
})

const book = operation(outsideCalls.book, async ({ app, request, reply, body }) => {
  const channel = await channelOf(app, request.headers.authorization)
  const { id: outerId, service: idService, doctor: idUser, date: localDate, start: localStart, patient, ...rest } = body
  const wish = { outerId, idService, idUser, localDate, localStart, person: patient, ...rest }
  const { answer, isNew } = await bookOutside(app, channel, wish, { ip: request.ip, id: request.id })
  return reply.code(isNew ? 201 : 200).send(answer)
})

const get = operation(outsideCalls.get, async ({ app, request, params: { number } }) =>
  answerOf(app, await channelOf(app, request.headers.authorization), number),
)
const cancel = operation(outsideCalls.cancel, async ({ app, request, params: { number } }) =>
  cancelOutside(app, await channelOf(app, request.headers.authorization), number),
)
const confirm = operation(outsideCalls.confirm, async ({ app, request, params: { number } }) =>
  confirmOutside(app, await channelOf(app, request.headers.authorization), number),
)

const offer = operation(outsideCalls.offer, async ({ app, records, params: { id } }) => {
  await records.row(BookingChannel, id)
  const { isOn: _, ...channel } = await anyChannel(app.db, id)
  const { doctors, services, times } = await offeredBy(app.db.reads, channel)
  const names = new Map(services.map((one) => [one.id, one.name]))
  const free = Map.groupBy(
    times.filter(({ isFree }) => isFree),
    ({ idUser }) => idUser,
  )
  return {
    doctors: doctors.map(({ id: idUser, fio: name, speciality, idService }) => ({
      ...{ id: idUser, name, speciality, service: names.get(idService) ?? '' },
      free: free.get(idUser)?.length ?? 0,
    })),
    services: services.map(({ id: idService, name, code, price }) => ({ id: idService, name, code, price })),
    lacks: [
      ...lacksOf(channel.kind, { doctors, services, busy: doctors.filter(({ id: one }) => !free.has(one)) }),
      ...(await unmatchedWords(app.db.reads, id)),
    ],
  }
})

const DOCTORS = ['врач', 'врача', 'врачей'] as const
const SERVICES = ['услуга', 'услуги', 'услуг'] as const

/** What a seller will not show or match, in words with what to do. */
function lacksOf(
  kind: ChannelKind,
  { doctors, services, busy }: Pick<Offered, 'doctors' | 'services'> & { busy: readonly unknown[] },
): string[] {
  const unnamed = doctors.filter(({ speciality }) => speciality === null).length
  const uncoded = services.filter(({ code }) => code === null).length
  const unpriced = services.filter(({ price }) => price === null).length
  return [
    doctors.length === 0 && 'Показывать некого: откройте врачей и услуги для записи на сайте',
    unnamed > 0 &&
      `Без специальности ${counted(unnamed, DOCTORS)}: ${kind === 'yandex' ? 'Яндекс их не покажет' : 'площадка может не узнать их'}`,
    uncoded > 0 && `Без кода 804н ${counted(uncoded, SERVICES)}: площадка сопоставит их только по названию`,
    unpriced > 0 &&
      `Без цены ${counted(unpriced, SERVICES)}${kind === 'napopravku' ? ': НаПоправку их не примет' : ''}`,
    busy.length > 0 && `Без свободного времени ${counted(busy.length, DOCTORS)}: нет смен, открытых для записи`,
  ].filter((one) => one !== false)
}

const checked = operation(outsideCalls.checked, async ({ records, params: { id } }) => {
  await records.row(OutsideBooking, id)
  await records.tx(({ asSystem }) => asSystem.update(OutsideBooking, id, { question: null }))
})

export const outsideOperations = [
  ...channelCalls,
  ...matchCalls,
  services,
  schedule,
  book,
  get,
  cancel,
  confirm,
  offer,
  checked,
  medflex,
  feed,
]
