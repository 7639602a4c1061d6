/**
 * Bookings of НаПоправку (RTA): they are asked for every two minutes and answered one by one, a refusal with its reason.
 * Theirs die ten minutes after they were made. The decision is stored with their number first, so that a lost answer is
 * sent again, and never decided again. Their clock is UTC.
 */
import { BookingChannel } from '@ordinator/model/areas/outside/channel'
import { phoneOf } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { clinicZone } from '#areas/settings/index.ts'
import { HttpError } from '#platform/errors.ts'
import type { Outcome } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { RemoteFault } from '#platform/remote.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { bookOutside, cancelOutside, keepRefusal } from './book.ts'
import { type Channel, keyedChannels, simplestOf } from './channels.ts'
import { judged, laneOf, posted, wireOf } from './pushing.ts'

const PULL = 'outside.pull'
const PAGE = 100
const MOST_PAGES = 20

const key = z.union([z.string(), z.number()]).transform(String)
const words = z.string().trim().max(64)
const numbered = z.looseObject({
  uuid: z.string().min(1).max(128),
  is_cancelled: z.boolean().nullish(),
})
/** What a booking needs; another one is refused with the name of what is missing. */
const wanted = z.looseObject({
  clinic: z.looseObject({ mis_clinic_id: key }),
  doctor: z.looseObject({ mis_doctor_id: key.pipe(z.coerce.number<string>().int().positive()) }),
  mis_service_id: key.pipe(z.coerce.number<string>().int().positive()).nullish(),
  start_time: z
    .string()
    .transform((text) => utcOf(text) ?? '')
    .refine((moment) => moment !== ''),
  patient_surname: words.min(1),
  patient_firstname: words.min(1),
  patient_father_name: words.nullish(),
  patient_phone: z
    .string()
    .transform((text) => phoneOf(text) ?? '')
    .refine((phone) => phone !== ''),
  patient_birthday: z
    .string()
    .transform((text) => text.slice(0, 10))
    .pipe(z.iso.date())
    .nullish()
    .catch(null),
  comment: z.string().nullish(),
})
const page = z.looseObject({ items: z.array(z.unknown()) })

/** «2026-12-10 06:00:00», with or without a zone: it is UTC. */
function utcOf(text: string): string | undefined {
  const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

const fields: Readonly<Record<string, string>> = {
  doctor: 'врача',
  start_time: 'времени',
  patient_surname: 'фамилии',
  patient_firstname: 'имени',
  patient_phone: 'телефона',
}

export function startPulling(app: AppContext): void {
  app.jobs.register(PULL, {
    cron: '*/2 * * * *',
    async handler(_data, { signal }) {
      const channels = await keyedChannels(app.db, ['napopravku'])
      await oneByOne(app, PULL, channels, (channel) => pull(app, channel), signal)
    },
  })
}

async function pull(app: AppContext, channel: Channel): Promise<void> {
  const wire = await wireOf(app, channel)
  if (!wire) return
  for (let at = 1; at <= MOST_PAGES; at++) {
    const query = new URLSearchParams({
      ...{ mis_clinic_id: String(channel.idFilial), is_received: '0' },
      ...{ page: String(at), per_page: String(PAGE) },
    })
    const answer = await wire.quietly({ path: `/appointments?${query}` }).catch((error: unknown) => {
      if (error instanceof RemoteFault) return error
      throw error
    })
    const result = answer instanceof RemoteFault ? { error: answer.message } : pageOf(answer)
    await noteSilence(app, channel, 'error' in result ? result.error : null)
    if ('error' in result) return
    const items = result.items.map((item, id) => ({ id, item }))
    await oneByOne(app, PULL, items, ({ item }) => decide(app, channel, item))
    if (result.items.length < PAGE) return
  }
}

function pageOf({ status, bytes }: { status: number; bytes: Buffer }): { items: unknown[] } | { error: string } {
  if (status >= 300) return { error: `Площадка не отдаёт записи: ответ ${status}` }
  try {
    return page.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return { error: 'Площадка отдаёт записи не в том виде' }
  }
}

/** The state of polling is kept on the channel beside that of pushing; only a change of it is written. */
const noteSilence = ({ db }: AppContext, { id }: Channel, error: string | null) =>
  db.query(sql`
    insert into booking_pushes as p ("idChannel", "part", "dateWhole", "error") values (${id}, 'bookings', now(), ${error})
    on conflict ("idChannel", "part") do update set "error" = excluded."error", "dateWhole" = now()
      where p."error" is distinct from excluded."error"`)

/** Books, cancels or refuses, once for each of their numbers, and answers. */
async function decide(app: AppContext, channel: Channel, given: unknown): Promise<void> {
  const named = numbered.safeParse(given)
  if (!named.success) return app.log.warn({ idChannel: channel.id }, 'outside: a booking without a number')
  const { uuid, is_cancelled: isCancelled } = named.data
  const known = await app.db.one<{ isRefused: boolean }>(sql`
    select "reason" is not null as "isRefused" from outside_bookings where "idChannel" = ${channel.id} and "outerId" = ${uuid}`)
  if (isCancelled) {
    if (known && !known.isRefused) await cancelled(app, channel, uuid)
    else if (!known) await keepRefusal(app, channel, uuid, 'Пациент отменил запись раньше, чем она пришла')
  } else if (!known) await bookOne(app, channel, uuid, given)
  await app.db.tx((tx) =>
    app.outbox.add(tx, {
      ...{
        adapter: 'sellers',
        operation: 'receive',
        title: `${channel.name}: ответ о записи`,
        lane: laneOf(channel.id),
      },
      ...{
        key: `received-${channel.id}-${uuid}${isCancelled ? '-cancelled' : ''}`,
        subject: `booking-${channel.id}-${uuid}`,
      },
      about: { path: BookingChannel.path, id: channel.id },
      payload: { idChannel: channel.id, uuid, isCancelled: isCancelled === true } satisfies Received,
    }),
  )
}

/** A visit that has begun or is over stays as it is: the desk decides about it. */
async function cancelled(app: AppContext, channel: Channel, uuid: string): Promise<void> {
  try {
    await cancelOutside(app, channel, uuid)
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
  }
}

async function bookOne(app: AppContext, channel: Channel, uuid: string, given: unknown): Promise<void> {
  const asked = wanted.safeParse(given)
  if (!asked.success) {
    const [name] = asked.error.issues.map(({ path }) => fields[String(path[0])] ?? 'данных пациента')
    return keepRefusal(app, channel, uuid, `Не хватает ${name ?? 'данных'}`)
  }
  const { clinic, doctor, mis_service_id: service, start_time: start, comment, ...person } = asked.data
  try {
    if (clinic.mis_clinic_id !== String(channel.idFilial)) throw new HttpError(404, 'Такого филиала на площадке нет')
    const idUser = doctor.mis_doctor_id
    const at = await wallAt(app, channel, start)
    await bookOutside(app, channel, {
      ...{ outerId: uuid, idUser, ...at },
      idService: service ?? (await simplestOf(app.db.reads, channel, idUser)),
      person: {
        ...{ surname: person.patient_surname, name: person.patient_firstname, phone: person.patient_phone },
        ...(person.patient_father_name && { middleName: person.patient_father_name }),
        ...(person.patient_birthday && { birthday: person.patient_birthday }),
      },
      ...(comment && { comment: comment.slice(0, 500) }),
    })
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500 || error.status === 429) throw error
    // 409 is stored by the booking itself.
    if (error.status !== 409) await keepRefusal(app, channel, uuid, error.message)
  }
}

/** The moment by the clock of the branch. */
const wallAt = async ({ db }: AppContext, { idFilial }: Channel, moment: string) =>
  (await db.one<{ localDate: string; localStart: string }>(sql`
    select to_char(t.at, 'YYYY-MM-DD') as "localDate", to_char(t.at, 'HH24:MI') as "localStart"
    from (select ${moment}::timestamptz at time zone coalesce(nullif(f."timeZone", ''), ${clinicZone}) as at
      from filials f where f."id" = ${idFilial}) t`)) as { localDate: string; localStart: string }

interface Received {
  idChannel: number
  uuid: string
  isCancelled: boolean
}

/** Sends the stored decision; a repeat sends the same. */
export async function receive(app: AppContext, channel: Channel, payload: Received): Promise<Outcome> {
  const wire = await wireOf(app, channel)
  if (!wire) return switchedOff('Нет ключа, который дала площадка')
  const { uuid, isCancelled } = payload
  const held = await app.db.one<{ reason: string | null }>(sql`
    select "reason" from outside_bookings where "idChannel" = ${channel.id} and "outerId" = ${uuid}`)
  if (!held) return { kind: 'done', note: 'Записи больше нет' }
  const success = isCancelled || held.reason === null
  return judged(
    await posted(wire, {
      path: '/appointments/set-received',
      body: { appointment_uuid: uuid, success, message: success ? null : held.reason },
    }),
  )
}
