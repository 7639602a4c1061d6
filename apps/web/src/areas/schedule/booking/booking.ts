import type { Chain, Slot } from '@ordinator/model/areas/visits/calls'
import type { Body } from '#base/api.ts'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import type { CourseDay } from './course.ts'

/** Where a booking begins: a free place of the grid, a patient's card, or nothing but a day. */
export interface BookingStart {
  /** `YYYY-MM-DD` */
  day: string
  localStart?: string
  idUser?: number
  idRoom?: number | null
  idCustomer?: number
  /** Somebody new, as far as he is known. */
  fresh?: NewPatient
  /** Of the group that was pressed. */
  service?: AjaxOption
  /** The appeal that the visit is made of. */
  idAppeal?: number
  /** Services of the patient's treatment plan that are booked. */
  planned?: PlannedService[]
}

/** So many of a service of a treatment plan, and what they cost by it. */
export interface PlannedService {
  idPlanItem: number
  idService: number
  name: string
  qty: number
  /** Rubles. */
  sum: number
}

/** A patient who has no card yet. */
export interface NewPatient {
  surname: string
  name: string
  middleName: string
  phone: string
  birthday: string | null
}

/** A time that is taken: of one doctor, or of a chain of them. */
export type ChosenTime = Slot & { parts?: Chain['parts'] }

/** What has been said so far. It stands in one place, so that no refusal loses a word of it. */
export interface Booking {
  customer: AjaxOption | null
  fresh: NewPatient | null
  services: AjaxOption[]
  planned?: PlannedService[]
  slot: ChosenTime | null
  note: string
  /** Why there is no prepayment, where the clinic demands one. */
  unpaidReason?: string
  /** Many visits of it in place of one, the first at the time that is chosen. */
  course?: CourseDay[] | undefined
}

/** What a visit or a course that is only tried has been answered is kept under this. */
export const tryKey = 'appointments/try'

export const bookingSteps = ['Кто', 'Что', 'Когда', 'Проверка', 'Готово'] as const
export type BookingStep = 0 | 1 | 2 | 3 | 4

/** Digits are the phone of somebody new, words the name: «Иванова Анна Петровна», «8 912 000-00-00», or both. */
export function patientOf(typed: string): NewPatient {
  const text = typed.trim()
  const phone = /(?:^|\s)(\+?\d[\d\s()-]{4,})(?=\s|$)/.exec(text)?.[1]?.trim() ?? ''
  return { ...namesOf(text.replace(phone, ' ')), phone, birthday: null }
}

/** «Иванова Анна Петровна» in parts. */
export function namesOf(text: string): Pick<NewPatient, 'surname' | 'name' | 'middleName'> {
  const [surname = '', name = '', ...rest] = text.trim().split(/\s+/)
  return { surname, name, middleName: rest.join(' ') }
}

/** All of the name may be typed into the field of the surname. */
export const parted = (fresh: NewPatient): NewPatient =>
  fresh.name.trim() || !fresh.surname.trim().includes(' ') ? fresh : { ...fresh, ...namesOf(fresh.surname) }

/** What keeps a new patient from being made, by field. */
export const patientFaults = ({ surname, name, phone, birthday }: NewPatient): Record<string, string> => ({
  ...(!surname.trim() && { surname: 'Обязательное поле' }),
  ...(!name.trim() && { name: 'Обязательное поле' }),
  ...(!phone.trim() && { phone: 'Обязательное поле' }),
  ...(birthday &&
    !/^\d\d\.\d\d\.\d{4}$/.test(birthday) && { birthday: 'Не корректный формат даты рождения (ДД.ММ.ГГГГ)' }),
})

/** Slots under their days, in the order of the days. */
export const byDay = (slots: readonly Slot[]): [string, Slot[]][] => [
  ...Map.groupBy(slots, ({ localDate }) => localDate),
]

export const sameSlot = (a: ChosenTime | null, b: ChosenTime | null): boolean =>
  a !== null && b !== null && a.localDate === b.localDate && placesKey(a) === placesKey(b)

/** The times that it takes, each of its own doctor and room. */
export const placesOf = ({ parts, ...slot }: ChosenTime): Slot[] =>
  parts?.map(({ idUser, userName, idRoom, localStart, minutes, price, places }) => ({
    ...slot,
    idUser,
    userName,
    idRoom,
    localStart,
    minutes,
    price,
    places,
  })) ?? [slot]

const placesKey = (time: ChosenTime): string =>
  placesOf(time)
    .map(({ localStart, idUser }) => `${localStart} ${idUser}`)
    .join()

/** A chain as the time of a booking: from its first service to the end of its last. */
export function chosenOf({ parts, localDate, localStart, minutes, idFilial }: Chain): ChosenTime {
  const [first] = parts
  return {
    localDate,
    localStart,
    minutes,
    idFilial,
    idUser: first?.idUser ?? 0,
    idRoom: first?.idRoom ?? null,
    userName: [...new Set(parts.map(({ userName }) => userName))].join(', '),
    dateFrom: '',
    dateTo: '',
    price: null,
    places: null,
    parts,
  }
}

/** A booking whose time is chosen. */
export type PlacedBooking = Booking & { slot: ChosenTime }

/** What the call takes; without a patient it is only tried. */
export function bodyOf(
  { slot, services, planned = [], note, unpaidReason }: PlacedBooking,
  idCustomer: number | undefined,
): BookingBody {
  return {
    idCustomer: idCustomer ?? 0,
    idFilial: slot.idFilial,
    localDate: slot.localDate,
    coupons: placesOf(slot).map(({ idUser, idRoom, localStart, minutes }, at) => ({
      idUser,
      ...(idRoom !== null && { idRoom }),
      localStart,
      minutes,
      services: slot.parts
        ? slot.parts.slice(at, at + 1).flatMap(({ idService }) => linesOf(idService, planned))
        : services.flatMap(({ value }) => linesOf(value, planned)),
    })),
    note: note.trim() || null,
    unpaidReason: unpaidReason?.trim() || null,
  }
}

/** What is of a plan goes by its lines; any other service is one. */
function linesOf(idService: number, planned: readonly PlannedService[]) {
  const own = planned.filter((one) => one.idService === idService)
  return own.length ? own.map(({ idPlanItem, qty }) => ({ idService, qty, idPlanItem })) : [{ idService }]
}

/** What the service costs by the plan; undefined: it is not of it. */
export function plannedSum(idService: number, { planned = [] }: Booking): number | undefined {
  const own = planned.filter((one) => one.idService === idService)
  return own.length ? own.reduce((sum, one) => sum + one.sum, 0) : undefined
}

export type BookingBody = Body<'POST /appointments/book'>
