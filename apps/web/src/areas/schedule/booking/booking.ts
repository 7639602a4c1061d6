import type { Chain, Slot } from '@ordinator/model/areas/visits/calls'
import { splitPhone } from '@ordinator/model/phone'
import type { Body } from '#base/api.ts'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import type { CourseDay } from './course.ts'

/** Start of a booking: a free place of the grid, a patient's card, or only a day. */
export interface BookingStart {
  /** `YYYY-MM-DD` */
  day: string
  localStart?: string
  idUser?: number
  idRoom?: number | null
  idCustomer?: number
  /** Known data of a new patient. */
  fresh?: NewPatient
  /** Service of the chosen group. */
  service?: AjaxOption
  /** The appeal of the visit. */
  idAppeal?: number
  /** Services of the patient's treatment plan. */
  planned?: PlannedService[]
}

/** Quantity of a service from a treatment plan, with the plan's price. */
export interface PlannedService {
  idPlanItem: number
  idService: number
  name: string
  qty: number
  /** Rubles. */
  sum: number
}

/** A patient without a card. */
export interface NewPatient {
  surname: string
  name: string
  middleName: string
  phone: string
  birthday: string | null
  /** Code of the friend who has brought the patient. */
  friend?: string
}

/** A chosen time: of one doctor, or of a chain. */
export type ChosenTime = Slot & { parts?: Chain['parts'] }

/** State of the booking dialog, in one place, so that no error loses input. */
export interface Booking {
  customer: AjaxOption | null
  fresh: NewPatient | null
  services: AjaxOption[]
  planned?: PlannedService[]
  slot: ChosenTime | null
  note: string
  /** Who sent the patient from outside, under a contract. */
  idReferrer?: number | null
  /** Reason for booking without a required prepayment. */
  unpaidReason?: string
  /** Days of a course, the first at the chosen time. */
  course?: CourseDay[] | undefined
}

/** Query key of dry runs. */
export const tryKey = 'appointments/try'

export const bookingSteps = ['Кто', 'Что', 'Когда', 'Проверка', 'Готово'] as const
export type BookingStep = 0 | 1 | 2 | 3 | 4

/**
 * Parses a search text: digits are the phone of a new patient, words the name: «Иванова Анна Петровна», «8 912
 * 000-00-00», or both.
 */
export function patientOf(typed: string): NewPatient {
  const { phone, words } = splitPhone(typed)
  return { ...namesOf(words), phone, birthday: null }
}

/** Splits «Иванова Анна Петровна». */
export function namesOf(text: string): Pick<NewPatient, 'surname' | 'name' | 'middleName'> {
  const [surname = '', name = '', ...rest] = text.trim().split(/\s+/)
  return { surname, name, middleName: rest.join(' ') }
}

/** Splits a full name typed into the surname field. */
export const withSplitName = (fresh: NewPatient): NewPatient =>
  fresh.name.trim() || !fresh.surname.trim().includes(' ') ? fresh : { ...fresh, ...namesOf(fresh.surname) }

/** Errors of a new patient, by field. */
export const patientFaults = ({ surname, name, phone, birthday }: NewPatient): Record<string, string> => ({
  ...(!surname.trim() && { surname: 'Обязательное поле' }),
  ...(!name.trim() && { name: 'Обязательное поле' }),
  ...(!phone.trim() && { phone: 'Обязательное поле' }),
  ...(birthday &&
    !/^\d\d\.\d\d\.\d{4}$/.test(birthday) && { birthday: 'Не корректный формат даты рождения (ДД.ММ.ГГГГ)' }),
})

/** Slots by day, in order. */
export const byDay = (slots: readonly Slot[]): [string, Slot[]][] => [
  ...Map.groupBy(slots, ({ localDate }) => localDate),
]

export const sameSlot = (a: ChosenTime | null, b: ChosenTime | null): boolean =>
  a !== null && b !== null && a.localDate === b.localDate && placesKey(a) === placesKey(b)

/** Slots of a time, one per doctor and room. */
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

/** A chain as a chosen time: from the start of its first service to the end of its last. */
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

/** A booking with a chosen time. */
export type PlacedBooking = Booking & { slot: ChosenTime }

/** Request body; without a patient it is a dry run. */
export function bodyOf(
  { slot, services, planned = [], note, idReferrer, unpaidReason }: PlacedBooking,
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
    ...(idReferrer && { idReferrer }),
    unpaidReason: unpaidReason?.trim() || null,
  }
}

/** Services of a plan are booked by its items, others by id. */
function linesOf(idService: number, planned: readonly PlannedService[]) {
  const own = planned.filter((one) => one.idService === idService)
  return own.length ? own.map(({ idPlanItem, qty }) => ({ idService, qty, idPlanItem })) : [{ idService }]
}

/** Price of the service in the plan; undefined: not from the plan. */
export function plannedSum(idService: number, { planned = [] }: Booking): number | undefined {
  const own = planned.filter((one) => one.idService === idService)
  return own.length ? own.reduce((sum, one) => sum + one.sum, 0) : undefined
}

export type BookingBody = Body<'POST /appointments/book'>
