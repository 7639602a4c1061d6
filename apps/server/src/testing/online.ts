/** A clinic with online booking, for its tests: separate records for each test. */
import { dayIn, plusDays } from '@ordinator/model/zone'
import { good } from './good.ts'
import type { Answer, Caller, Clinic } from './harness.ts'
import { addPerson } from './people.ts'
import type { SmsSimulator } from './smsSimulator.ts'

/** Rights of the desk that sets up the portal. */
export const deskRights = [
  'viewCalendar',
  'viewAllAppointments',
  'createAppointments',
  'editAppointments',
  'viewCustomers',
  'editCustomers',
  'mainSettings',
  'editServices',
  'editShifts',
  'editUsers',
  'viewAccessLog',
  'takePayments',
  'viewCashDesk',
] as const

export const dayAfter = (days: number): string => plusDays(dayIn('Europe/Moscow', Date.now()), days)

let phones = 0
export const newPhone = (): string => `+7915${String(1_000_000 + ++phones)}`

let addresses = 0
/** A separate address, outside the limit of one. */
export const from = (): { headers: Record<string, string> } => {
  const at = ++addresses
  return { headers: { 'x-forwarded-for': `10.2.${at >> 8}.${at & 255}` } }
}

const cookieOf = (name: string, { headers }: Answer): string | undefined =>
  new RegExp(`${name}=([\\w-]{43})`).exec([headers['set-cookie']].flat().join(';'))?.[1]

let serial = 0

export function onlineWorld(clinic: Clinic, desk: Caller, sms: SmsSimulator) {
  const post = async (path: string, body: object): Promise<number> => good(await desk.post(path, body), 201).id

  /** A branch with a doctor who gives a service of 1000 ₽ and half an hour in these hours, ten days from now. */
  async function make({ doctors = 1, to = '11:00', day = dayAfter(10), shift = {}, service = {}, duration = {} } = {}) {
    const at = ++serial
    const idFilial = await post('/filials', { nameFilial: `Филиал ${at}`, timeZone: 'Europe/Moscow' })
    const idService = await post('/services', {
      nameService: `Осмотр ${at}`,
      priceService: 1000,
      activeShop: true,
      ...service,
    })
    await post('/service-durations', { idService, minutes: 30, ...duration })
    const idDoctors: number[] = []
    for (let one = 0; one < doctors; one++) {
      const { id: idUser } = await addPerson(clinic.context, `online${at}x${one}`, [], {
        surname: `Врачев${at}х${one}`,
      })
      good(await desk.put(`/users/${idUser}`, { isOnSite: true }))
      await post('/service-performers', { idService, idUser })
      await post('/staff-events', {
        type: 'shift',
        idUser,
        idFilial,
        localDate: day,
        localFrom: '09:00',
        localTo: to,
        ...shift,
      })
      idDoctors.push(idUser)
    }
    const idUser = idDoctors[0] as number
    const choice = (start: string, more: object = {}) => ({
      ...{ service: idService, doctor: idUser, filial: idFilial, day, start },
      ...more,
    })
    const times = async (query = '') =>
      good(await clinic.anonymous.get(`/portal/booking/times?service=${idService}${query}`)).items as {
        localStart: string
        localDate: string
        idUser: number
        price: number | null
        fullPrice: number | null
        why: string[]
      }[]
    return { idFilial, idService, idUser, idDoctors, day, choice, times }
  }

  /** A device: keeps the cookies of bookings and sessions. */
  function device(where = from()) {
    const cookies: Record<string, string> = {}
    const keep = (answer: Answer) => {
      for (const name of ['ordinator_booking', 'ordinator_patient']) {
        const cookie = cookieOf(name, answer)
        if (cookie) cookies[name] = cookie
      }
      return answer
    }
    const call = async (method: string, url: string, body?: object) =>
      keep(await clinic.anonymous.call(method, url, body, { ...where, cookies: { ...cookies } }))
    return {
      cookies,
      get: (url: string) => call('GET', url),
      post: (url: string, body: object = {}) => call('POST', url, body),
      delete: (url: string) => call('DELETE', url),
    }
  }
  type Device = ReturnType<typeof device>

  const codeTo = (phone: string): string | undefined =>
    /Код для входа: (\d{6})/.exec(sms.messages.filter(({ to }) => to === phone).at(-1)?.text ?? '')?.[1]

  /** Confirms a phone for this device's booking. */
  async function confirm(one: Device, phone: string, more: object = {}) {
    good(await one.post('/portal/booking/code', { phone }), 202)
    await clinic.context.jobs.drain()
    return one.post('/portal/booking/phone', { phone, code: codeTo(phone) ?? '000000', ...more })
  }

  /** A patient signed in on a device. */
  async function patient(body: object = {}) {
    const phone = newPhone()
    const { id } = good(
      await desk.post('/customers', {
        surname: `Орлов${++serial}`,
        name: 'Пётр',
        birthday: '01.02.1980',
        phone,
        ...body,
      }),
      201,
    )
    const one = device()
    good(await one.post('/portal/code', { phone }), 202)
    await clinic.context.jobs.drain()
    good(await one.post('/portal/session', { phone, code: codeTo(phone) ?? '' }))
    return { id: id as number, phone, ...one }
  }

  /** The consent for new patients. */
  const consent = () =>
    post('/client/policies', { kind: 'consent', dateFrom: dayAfter(-1), text: '<p>Согласие</p>', isPublished: true })

  return { make, device, confirm, patient, codeTo, consent, post }
}
