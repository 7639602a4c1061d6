/** Branches, doctors and services for the tests of visits, separate for each test. */
import type { Permission } from '@ordinator/model/permissions'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { good } from '#testing/good.ts'
import type { Answer, Caller, Clinic } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

/** A day at this distance from today, in the clinic's time zone. */
export const dayAfter = (days: number): string => plusDays(dayIn('Europe/Moscow', Date.now()), days)

/** Rights of the registry. */
export const registryRights: Permission[] = [
  'viewCalendar',
  'viewAllAppointments',
  'createAppointments',
  'editAppointments',
  'viewCustomers',
  'editCustomers',
]

const open = { start: '00:00', end: '24:00' }
const always = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, open]),
)

interface Wanted {
  doctors?: number
  minutes?: number
  breakAfter?: number
  /** Bodies of rooms; the doctors use them in turn. */
  rooms?: object[]
  shifts?: boolean
  from?: string
  to?: string
  timeZone?: string
}

let serial = 0

/** @param keeper has `worldOf.rights` */
export function worldOf(clinic: Clinic, keeper: Caller) {
  const post = async (path: string, body: object) => good(await keeper.post(`/${path}`, body), 201)
  const day = dayAfter(30)

  const doctor = (rights: Permission[] = []) => {
    const surname = `Врачёв${++serial}`
    return addPerson(clinic.context, `doctor${serial}`, rights, { surname })
  }
  const patient = async (): Promise<number> =>
    (await post('customers', { surname: `Больной${++serial}`, name: 'Пётр' })).id
  const shift = (idUser: number, idFilial: number, more: object = {}) =>
    post('staff-events', {
      type: 'shift',
      idUser,
      idFilial,
      localDate: day,
      localFrom: '09:00',
      localTo: '12:00',
      ...more,
    })

  /** A branch with doctors who perform one service of 1000 ₽, and work on the thirtieth day from now. */
  async function make(wanted: Wanted = {}) {
    const { doctors = 1, minutes = 30, breakAfter = 0, rooms = [], shifts = true, timeZone = 'Europe/Moscow' } = wanted
    const { from: localFrom = '09:00', to: localTo = '12:00' } = wanted
    const filial = await post('filials', { nameFilial: `Филиал ${++serial}`, timeZone, workingHours: always })
    const idFilial: number = filial.id
    const service = await post('services', { nameService: `Приём ${++serial}`, priceService: 1000 })
    const idService: number = service.id
    await post('service-durations', { idService, minutes, breakAfter })
    const idRooms: number[] = []
    for (const room of rooms)
      idRooms.push((await post('filials/rooms', { idFilial, name: `К${++serial}`, ...room })).id)
    const idDoctors: number[] = []
    const idShifts: number[] = []
    for (let at = 0; at < doctors; at++) {
      const { id } = await doctor()
      await post('service-performers', { idService, idUser: id })
      if (shifts) {
        const idRoom = idRooms[at % Math.max(1, idRooms.length)] ?? null
        idShifts.push((await shift(id, idFilial, { idRoom, localFrom, localTo })).id)
      }
      idDoctors.push(id)
    }
    const idCustomer = await patient()
    const body = (localStart: string, more: object = {}, coupon: object = {}) => ({
      idCustomer,
      idFilial,
      localDate: day,
      coupons: [{ idUser: idDoctors[0], localStart, services: [{ idService }], ...coupon }],
      ...more,
    })
    const book = (localStart: string, more: object = {}, coupon: object = {}, by = keeper): Promise<Answer> =>
      by.post('/appointments/book', body(localStart, more, coupon))
    return { idFilial, idService, idRooms, idDoctors, idShifts, idCustomer, body, book }
  }
  return { make, doctor, patient, shift, post }
}
worldOf.rights = [...registryRights, 'mainSettings', 'editServices', 'editShifts', 'editUsers'] as Permission[]
