/**
 * Simulator of sellers of free times on loopback: МедФлекс (ПроДокторов), НаПоправку RTA, Яндекс. `npm run simulate aggregators`
 * runs it standalone (MEDFLEX_URL=http://127.0.0.1:8096/medflex NAPOPRAVKU_URL=http://127.0.0.1:8096/rta/api/v1
 * YANDEX_ORDERS_URL=http://127.0.0.1:8096/yandex/orders); its page shows what came, books, and sends eight rivals for one time.
 * With the address of the product and the key of a channel of МедФлекс as arguments its rivals call the clinic.
 */
import type { ServerResponse } from 'node:http'
import { type Simulator, say, simulator } from './simulator.ts'

const moods = { takes: 'Принимает', refuses: 'Отказывает с причиной' } as const
type AggregatorMood = keyof typeof moods

interface RtaBooking {
  uuid: string
  clinic: string
  doctor: string
  /** UTC. */
  start: string
  surname: string
  name: string
  phone: string
  birthday: string | null
  isCancelled: boolean
  isReceived: boolean
  /** The answer of the clinic, each time that it came. */
  answers: { success: boolean; message: string | null }[]
}

interface Cell {
  dt: string
  time_start: string
  time_end: string
  free: boolean
}

export interface Aggregators extends Simulator<AggregatorMood> {
  /** Every request that was carried out. */
  sent: { path: string; authorization: string | undefined; body: unknown }[]
  /** By branch and doctor of МедФлекс: what its visitors see. */
  cells: Map<string, Cell[]>
  /** By branch and doctor of НаПоправку: free times as «2026-12-10 09:00». */
  slots: Map<string, string[]>
  bookings: RtaBooking[]
  /** Confirmations of Яндекс. */
  orders: Record<string, string>[]
  /** A patient of НаПоправку books. */
  book(wish: Pick<RtaBooking, 'clinic' | 'doctor' | 'start' | 'phone'> & Partial<RtaBooking>): RtaBooking
}

/** The bodies of all calls: each has its own part of it. */
interface Body {
  schedule: { data: Record<string, Record<string, { cells?: Cell[] }>> }
  filial_id: string
  doctor_id: string
  date: string
  cells: Omit<Cell, 'dt'>[]
  clinics: {
    mis_clinic_id: string
    doctors: { mis_doctor_id: string; dates: { date: string; slots: { from: string }[] }[] }[]
  }[]
  appointment_uuid: string
  success: boolean
  message: string | null
}

/** @param port 0: any free port */
export async function startAggregators(port = 0, clinic?: { url: string; key: string }): Promise<Aggregators> {
  const server = await simulator<AggregatorMood>({
    port,
    page: {
      title: 'Площадки записи',
      moods,
      lines: () => played.sent.map(({ path, body }) => `${path}\n${JSON.stringify(body, null, 1).slice(0, 1_500)}`),
      state: () =>
        `Записей НаПоправку ${played.bookings.length}, подтверждено ${played.bookings.filter(({ isReceived }) => isReceived).length}; Яндексу подтверждений ${played.orders.length}`,
      actions: () => [
        ['rta', 'НаПоправку: записать', () => bookFirst(1)],
        ['rivals', 'НаПоправку: восемь на одно время', () => bookFirst(8)],
        ...(clinic ? [['flex', 'МедФлекс: восемь на одно время', () => rivals(clinic)] as const] : []),
      ],
    },
    routes: (request, reply, body, url) =>
      answer(request.method ?? '', url, request.headers.authorization, body, reply),
  })
  const played: Aggregators = Object.assign(server, {
    ...{ sent: [], cells: new Map(), slots: new Map(), bookings: [], orders: [] },
    book(wish: Parameters<Aggregators['book']>[0]) {
      const made: RtaBooking = {
        ...{ uuid: `rta-${played.bookings.length + 1}`, surname: 'Новикова', name: 'Ольга', birthday: '1990-05-06' },
        ...{ isCancelled: false, isReceived: false, answers: [], ...wish },
      }
      played.bookings.push(made)
      return made
    },
  } satisfies Partial<Aggregators>)

  function answer(
    method: string,
    { pathname, searchParams }: URL,
    authorization: string | undefined,
    text: string,
    reply: ServerResponse,
  ): unknown {
    if (played.mood === 'refuses' && method === 'POST')
      return say(reply, 422, { message: 'Данные не приняты: неизвестный филиал' })
    if (pathname === '/yandex/orders') {
      played.orders.push(Object.fromEntries(new URLSearchParams(text)))
      return say(reply, 200, { status: 'ok' })
    }
    const path = pathname.replace(/^\/(?:medflex|rta\/api\/v1)/, '')
    if (method === 'GET' && path === '/appointments') return say(reply, 200, listOf(searchParams))
    if (method === 'GET') return say(reply, 200, { items: [], meta: {} })
    const body: Body = JSON.parse(text)
    played.sent.push({ path, authorization, body })
    const take = takes[path]
    if (!take) return say(reply, 404, { message: 'Нет такого метода' })
    return take(body) === false ? say(reply, 404, { message: 'Записи нет' }) : say(reply, 200, { success: true })
  }

  function listOf(query: URLSearchParams): object {
    const [page, most] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)]
    const fit = played.bookings.filter(
      ({ clinic: of, isReceived }) =>
        of === query.get('mis_clinic_id') && !(query.get('is_received') === '0' && isReceived),
    )
    return { items: fit.slice((page - 1) * most, page * most).map(bodyOf), meta: { total: fit.length } }
  }

  const takes: Record<string, (body: Body) => unknown> = {
    '/v2/doctors/send_schedule/'({ schedule: { data } }) {
      for (const [filial, doctors] of Object.entries(data)) {
        for (const key of played.cells.keys()) if (key.startsWith(`${filial} `)) played.cells.delete(key)
        for (const [doctor, { cells = [] }] of Object.entries(doctors)) played.cells.set(`${filial} ${doctor}`, cells)
      }
    },
    '/v2/occupied_doctor_schedule_slot/'(body) {
      const own = played.cells.get(`${body.filial_id} ${body.doctor_id}`) ?? []
      for (const cell of body.cells) {
        const found = own.find(({ dt, time_start }) => dt === body.date && time_start === cell.time_start)
        if (found) found.free = cell.free
      }
    },
    '/v2/services/send_schedule/': () => true,
    '/clinics': () => true,
    '/doctors': () => true,
    '/clinics/services': () => true,
    '/slots'({ clinics }) {
      for (const { mis_clinic_id, doctors } of clinics)
        for (const { mis_doctor_id, dates } of doctors)
          played.slots.set(
            `${mis_clinic_id} ${mis_doctor_id}`,
            dates.flatMap(({ date, slots }) => slots.map(({ from }) => `${date} ${from}`)),
          )
    },
    '/appointments/set-received'(body) {
      const found = played.bookings.find(({ uuid }) => uuid === body.appointment_uuid)
      if (!found) return false
      found.answers.push({ success: body.success, message: body.message })
      found.isReceived = true
    },
  }

  /** As many patients want the first free time of a doctor. The clock of the simulator is that of Moscow. */
  function bookFirst(count: number): void {
    const [key = '', times = []] = [...played.slots].find(([, own]) => own.length > 0) ?? []
    const [at] = times
    const [branch = '', doctor = ''] = key.split(' ')
    if (at === undefined) return
    const start = new Date(`${at.replace(' ', 'T')}:00+03:00`).toISOString()
    for (let one = 0; one < count; one++)
      played.book({ clinic: branch, doctor, start, phone: `+7916${String(1_000_000 + played.bookings.length)}` })
  }

  /** Eight patients of МедФлекс want the first free time of a doctor, at once. */
  async function rivals({ url, key }: { url: string; key: string }): Promise<void> {
    const [of = '', cells = []] = [...played.cells].find(([, own]) => own.some(({ free }) => free)) ?? []
    const cell = cells.find(({ free }) => free)
    if (!cell) return
    const first = played.sent.length
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const answered = await fetch(`${url}/booking/medflex/book`, {
          method: 'POST',
          headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            claim_id: `flex-${first}-${at}`,
            doctor: { id: Number(of.split(' ')[1]) },
            appointment: { dt_start: `${cell.dt} ${cell.time_start}` },
            client: {
              first_name: 'Анна',
              last_name: 'Котова',
              mobile_phone: `+7916${String(2_000_000 + first * 10 + at)}`,
            },
          }),
        })
        played.sent.push({ path: `Соперник ${at + 1}`, authorization: undefined, body: await answered.json() })
      }),
    )
  }
  return played
}

const bodyOf = (one: RtaBooking) => ({
  ...{ uuid: one.uuid, clinic: { mis_clinic_id: one.clinic }, doctor: { mis_doctor_id: one.doctor } },
  ...{ mis_service_id: null, start_time: one.start, end_time: one.start, patient_surname: one.surname },
  ...{
    patient_firstname: one.name,
    patient_father_name: null,
    patient_phone: one.phone,
    patient_birthday: one.birthday,
  },
  ...{ comment: null, is_received: one.isReceived, is_cancelled: one.isCancelled },
})

/** Port of `npm run simulate aggregators`. */
const PORT = 8096
if (import.meta.main) {
  const [url, key] = process.argv.slice(2)
  const { url: own } = await startAggregators(PORT, url && key ? { url: url.replace(/\/$/, ''), key } : undefined)
  console.log(`Площадки записи: ${own}`)
}
