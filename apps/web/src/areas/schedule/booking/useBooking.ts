import { AppealLink } from '@ordinator/model/areas/appeals/appeal'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { WaitingEntry } from '@ordinator/model/areas/visits/waiting'
import type { Row } from '@ordinator/model/entity'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { attachFriendCode } from '#areas/outside/index.ts'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { useDraft } from '#base/draft.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRecord } from '#records/reads.ts'
import { readDaysAgain } from '../day.ts'
import { refusedTime } from '../slots.ts'
import {
  type Booking,
  type BookingStart,
  type BookingStep,
  bodyOf,
  type ChosenTime,
  type NewPatient,
  type PlacedBooking,
  placesOf,
  tryKey,
} from './booking.ts'
import { chainsKey } from './ChainTimes.tsx'
import { useHold } from './useHold.ts'

export interface BookingProps {
  filial: Pick<Row<typeof Filial>, 'id'>
  start: BookingStart
  /** Called when a new card is created. */
  onPatient?: ((idCustomer: number) => void) | undefined
  /** Sends the summary where the patient has written; absent: nowhere. */
  onSpoken?: ((text: string) => Promise<void>) | undefined
  onClose: () => void
}

/** Why a time was refused, with the nearest free ones. */
export interface Trouble {
  text: string
  alternatives: Slot[]
}

const quiet = recordsWith({ forbidden: 'silent' })
const link = (idAppeal: number, idEntity: number) =>
  quiet.create(AppealLink, { idAppeal, entityType: 'appointments', idEntity })

const nothing: Booking = { customer: null, fresh: null, services: [], slot: null, note: '' }

/** For a group place or a treatment plan, the services are known. */
function begun({ planned, service, fresh: known }: BookingStart): Booking {
  const fresh = known ?? null
  if (!planned) return service ? { ...nothing, fresh, services: [service] } : { ...nothing, fresh }
  const names = new Map(planned.map(({ idService, name }) => [idService, name]))
  return { ...nothing, planned, services: [...names].map(([value, label]) => ({ value, label })) }
}

/** Minutes held before the services give the duration. */
const HELD_MINUTES = 15

/** State and actions of a booking: typed data survive every error. */
export function useBooking({ filial, start, onPatient, onClose }: BookingProps) {
  const cache = useQueryClient()
  const [booking, setBooking] = useState(() => begun(start))
  const [step, setStep] = useState<BookingStep>(0)
  const [trouble, setTrouble] = useState<Trouble>()
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<number>()
  const hold = useHold()
  const draft = useDraft<Booking>('booking')
  const [left, setLeft] = useState(start.idCustomer === undefined && !start.fresh ? draft.found?.value : undefined)
  const change = (patch: Partial<Booking>) => {
    const next = { ...booking, ...patch }
    setBooking(next)
    draft.keep({ ...next, slot: null })
  }
  const go = (next: BookingStep) => {
    setTrouble(undefined)
    setStep(next)
  }

  const known = useRecord(Customer, start.idCustomer, { fields: ['fio'] }, { forbidden: 'silent' })
  const idKnown = known.data?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the patient of the card is read
  useEffect(() => {
    if (!known.data || booking.customer) return
    change({ customer: { value: known.data.id, label: known.data.fio } })
    if (step === 0) go(booking.services.length > 0 ? 2 : 1)
  }, [idKnown])

  // Holds the chosen place at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const { day, localStart, idUser, idRoom = null } = start
    if (localStart === undefined || idUser === undefined) return
    hold
      .hold([{ idUser, idRoom, idFilial: filial.id, localDate: day, localStart, minutes: HELD_MINUTES }])
      .catch((error) => setTrouble(troubleOf(error)))
  }, [])

  const choose = async (slot: ChosenTime) => {
    setBusy(true)
    try {
      await hold.hold(placesOf(slot))
      change({ slot, course: undefined })
      go(3)
    } catch (error) {
      if (slot.parts) void cache.invalidateQueries({ queryKey: [chainsKey] })
      setTrouble(await nearestInstead(error, slot))
    } finally {
      setBusy(false)
    }
  }

  /** A refused hold returns no alternatives, but a dry run does. */
  const nearestInstead = async (error: unknown, slot: ChosenTime) => {
    const trouble = troubleOf(error, slot)
    if (!refusedTime(error) || !booking.customer || trouble.alternatives.length > 0) return trouble
    const body = { ...bodyOf({ ...booking, slot }, booking.customer.value), dryRun: true }
    return api('POST /appointments/book', { body }, { forbidden: 'silent' }).then(
      () => trouble,
      (again) => troubleOf(again, slot),
    )
  }

  const book = async () => {
    const { slot } = booking
    if (busy || !slot) return
    setBusy(true)
    setTrouble(undefined)
    // Pending dry runs would report the time as taken by this very visit.
    void cache.cancelQueries({ queryKey: [tryKey] })
    try {
      const idCustomer = booking.customer?.value ?? (await create(booking.fresh as NewPatient))
      const made = await hold.spend(() => bookAll({ ...booking, slot }, idCustomer))
      draft.drop()
      setMade(made)
      setStep(4)
      // The visit is booked; a failed link is only reported.
      if (start.idAppeal)
        await link(start.idAppeal, made).catch(() =>
          notify.error('Запись сделана, но не связалась с обращением', { title: 'Связь не сохранилась' }),
        )
      void Promise.all([readDaysAgain(cache), invalidateRecords(cache, Appointment.path)])
    } catch (error) {
      const fields = error instanceof ApiError && error.status === 422 ? error.byField : {}
      const patient = ['surname', 'name', 'middleName', 'phone', 'birthday'].some((field) => fields[field])
      if (booking.fresh && patient) {
        setFaults(fields)
        setStep(0)
      } else setTrouble(troubleOf(error, slot))
    } finally {
      setBusy(false)
    }
  }
  /** Books one visit, or a course: all or none. Returns the first id. */
  const bookAll = async (placed: PlacedBooking, idCustomer: number): Promise<number> => {
    const { localDate, ...visit } = { ...bodyOf(placed, idCustomer), idHold: hold.idHold() }
    if (!placed.course)
      return (await api('POST /appointments/book', { body: { ...visit, localDate } }, { forbidden: 'toast' })).id
    const { dryRun: _, ...each } = visit
    const body = { ...each, days: placed.course }
    return (await api('POST /appointments/series', { body }, { forbidden: 'toast' })).ids[0] as number
  }
  /** Adds the patient to the waiting list when no time fits. */
  const wait = async (idUser: number | null) => {
    setBusy(true)
    setTrouble(undefined)
    try {
      const idCustomer = booking.customer?.value ?? (await create(booking.fresh as NewPatient))
      for (const { value } of booking.services)
        await quiet.create(WaitingEntry, {
          idCustomer,
          idFilial: filial.id,
          idService: value,
          ...(idUser !== null && { doctors: [idUser] }),
        })
      draft.drop()
      notify.success('Освободится время — предложим его', { title: 'Пациент в листе ожидания' })
      onClose()
    } catch (error) {
      setTrouble(troubleOf(error))
    } finally {
      setBusy(false)
    }
  }
  /** Creates the card once: a retry books for the same patient. */
  const create = async ({ surname, name, middleName, phone, birthday, friend }: NewPatient): Promise<number> => {
    const row = await quiet.create(Customer, { surname, name, middleName: middleName || undefined, phone, birthday })
    change({ customer: { value: row.id, label: row.fio }, fresh: null })
    onPatient?.(row.id)
    // The visit is booked whatever the code is.
    if (friend?.trim())
      await attachFriendCode(row.id, friend).catch((error) =>
        notify.error(errorMessage(error), { title: 'Код друга не записан: введите его в карте' }),
      )
    return row.id
  }

  return {
    ...{ booking, change, step, go, busy, faults, left, made, trouble, setTrouble },
    /** Continues the draft that was left, or drops it. */
    answerLeft: (isTaken: boolean) => {
      if (isTaken && left) {
        setBooking(left)
        setStep(left.services.length > 0 ? 2 : left.customer ? 1 : 0)
      } else draft.drop()
      setLeft(undefined)
    },
    changePatient: (patch: Partial<Booking>) => {
      setFaults({})
      change(patch)
    },
    /** To the first step that is not filled in. */
    goOn: () => go(booking.services.length > 0 ? (booking.slot ? 3 : 2) : 1),
    /** Another visit of the same patient. */
    again: () => {
      setBooking({ ...nothing, customer: booking.customer })
      go(1)
    },
    choose: (slot: ChosenTime) => void choose(slot),
    book: () => void book(),
    wait: (idUser: number | null) => void wait(idUser),
  }
}

/** Alternatives for one part of a chain are not a chain. */
const troubleOf = (error: unknown, slot?: ChosenTime): Trouble => {
  const refused = refusedTime(error)
  return {
    text: refused?.message ?? errorMessage(error),
    alternatives: slot?.parts ? [] : (refused?.alternatives ?? []),
  }
}
