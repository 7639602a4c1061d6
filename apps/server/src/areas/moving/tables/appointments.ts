/** Visits to come: booked in the schedule. */

import { Appointment } from '@ordinator/model/areas/visits/visit'
import { type ImporterColumn, inSavepoint, readDay, rowReader } from '#areas/imports/index.ts'
import { bookMoved, NoRoomError } from '#areas/visits/index.ts'
import { type FieldError, HttpError } from '#platform/errors.ts'
import { signNames } from '../persons.ts'
import { openRefs, PATIENT, type Refs } from '../refs.ts'
import { defineTable, type MovingContext, type UnknownName, type Work, type Written } from '../table.ts'
import { openClashes } from './clashes.ts'
import { doctorColumn, filialColumn, patientColumns, serviceColumn, unknownError } from './simple.ts'
import { dayColumn, paymentColumns, STATUS_HEADS, timeColumn, visitKey } from './visitColumns.ts'
import { clockIn, pastStatusOf } from './words.ts'

const comingColumns: readonly ImporterColumn[] = [
  visitKey,
  ...patientColumns,
  dayColumn,
  timeColumn,
  { ...doctorColumn, required: true },
  { ...serviceColumn, required: true },
  filialColumn,
  {
    name: 'Кабинет',
    also: ['каб', 'каб.', 'номер кабинета', 'кабинет приёма', 'ресурс', 'room'],
    examples: ['12', ''],
  },
  { name: 'Длительность, мин', also: ['длительность', 'минут'], examples: ['30', ''] },
  { name: 'Цена', also: ['сумма', 'стоимость', 'price'], examples: ['2100', ''] },
  { name: 'Состояние', also: STATUS_HEADS, examples: ['', 'Отменён'] },
  ...paymentColumns,
  { name: 'Примечание', also: ['комментарий', 'комментарий к записи'], examples: ['', ''] },
]

interface Coming {
  idCustomer: number
  idFilial: number
  idUser: number
  idServices: number[]
  localDate: string
  localStart: string
  /** Absent: that of the doctor's shift. */
  idRoom?: number
  minutes?: number
  price?: number
  note: string | null
  isOff: boolean
}

export const appointments = defineTable<Coming>({
  key: 'appointments',
  columns: comingColumns,
  path: Appointment.path,
  natural: [PATIENT, ...signNames, 'Дата', 'Время', 'Врач'],
  compare: 'whole',
  portion: 200,
  async open(context, groups) {
    const refs = await openRefs(context, groups, PATIENT)
    const clashes = await openClashes(context, groups)
    return {
      check({ rows: [row], known }) {
        const cells = row?.cells ?? {}
        const reader = rowReader(comingColumns, cells)
        const { errors, text, refuse } = reader
        const unknown: UnknownName[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown)
        const localDate = readDay(text('Дата'))
        const localStart = clockIn(text('Время')) ?? clockIn(text('Дата'))
        if (!localDate) refuse('Дата', 'Нужна дата: 09.02.2027')
        else if (localDate < context.day)
          refuse('Дата', 'Этот день уже прошёл: визит загружают таблицей «Прошлые визиты»')
        if (!localStart) refuse('Время', 'Нужно время: 10:30')
        const isOff = ['missed', 'cancelled'].includes(pastStatusOf(text('Состояние')) ?? 'held')
        const idUser = refs.doctor(text('Врач'), unknown)
        const names = refs.services(text('Услуга'))
        const idServices = servicesOf(names, refs, unknown, errors)
        if (names.length === 0) refuse('Услуга', 'Нужна услуга')
        const idFilial = refs.filial(text('Филиал'))
        if (idFilial === undefined) refuse('Филиал', `«${text('Филиал')}»: такого филиала нет`)
        if (idUser == null) errors.push(unknownError('Врач', text('Врач'), idUser))
        const notes: FieldError[] = []
        const idRoom = idFilial === undefined ? undefined : refs.room(text('Кабинет'), idFilial, unknown, notes)
        const minutes = text('Длительность, мин') ? Number.parseInt(text('Длительность, мин'), 10) : undefined
        if (minutes !== undefined && !(minutes >= 5 && minutes <= 1440))
          refuse('Длительность, мин', 'Нужно число минут: 30')
        const price = reader.money('Цена')
        if (isOff && !known) errors.push({ field: 'Состояние', message: 'Запись отменена: не загружается' })
        if (
          errors.length ||
          idCustomer === undefined ||
          !localDate ||
          !localStart ||
          idUser == null ||
          idServices.length === 0 ||
          idFilial === undefined
        )
          return { errors, notes: [], unknown }
        const clash = isOff
          ? []
          : clashes.of(row?.row ?? 0, { idUser, idFilial, idRoom, localDate, localStart, minutes }, known?.id)
        if (clash.length > 0 && context.file.clashes === 'leave')
          return { errors: clash.map((message) => ({ field: 'Время', message })), notes: [], unknown }
        const values: Coming = {
          idCustomer,
          idFilial,
          idUser,
          idServices,
          localDate,
          localStart,
          ...(idRoom !== undefined && { idRoom }),
          ...(minutes !== undefined && { minutes }),
          ...(price !== undefined && { price }),
          note: notesOf(text, clash).slice(0, 2000) || null,
          isOff,
        }
        const { idCustomer: _, idUser: __, idServices: ___, idRoom: ____, ...rest } = values
        return {
          values,
          errors,
          notes: [...notes, ...clash.map((message) => ({ field: 'Время', message }))],
          unknown,
          body: {
            ...rest,
            who: refs.who(cells),
            doctor: text('Врач'),
            service: text('Услуга'),
            ...(text('Кабинет') && { room: text('Кабинет') }),
          },
        }
      },
      create: (works) => put(context, works, true),
      change: (works) => put(context, works, false),
    }
  },
})

const servicesOf = (names: readonly string[], refs: Refs, unknown: UnknownName[], errors: FieldError[]): number[] =>
  names.flatMap((name) => {
    const id = refs.service(name, unknown)
    if (id == null) errors.push(unknownError('Услуга', name, id))
    return id ?? []
  })

/** Books each visit, in place of its former booking; one that is cancelled meanwhile only loses it. */
async function put({ records, tx }: MovingContext, works: readonly Work<Coming>[], isNew: boolean): Promise<Written[]> {
  const written: Written[] = []
  for (const { values, group } of works) {
    const { isOff, idCustomer, ...visit } = values
    const { done, refused } = await tried(tx, async () => {
      if (!isNew && group.known) await records.asSystem.remove(Appointment, group.known.id, { sure: true })
      return isOff ? undefined : bookMoved({ records, tx }, { idCustomer, ...visit })
    })
    if (refused) written.push({ made: [], errors: [{ field: 'Время', message: refused }] })
    else if (done) written.push({ id: done, made: [{ path: Appointment.path, id: done }] })
    else written.push({ ...(group.known && { id: group.known.id }), made: [] })
  }
  return written
}

/** The note of a visit to come: its own, the former program's data, and why it was doubted. */
const notesOf = (text: (column: string) => string, clash: readonly string[]): string =>
  [
    text('Примечание'),
    ...paymentColumns.flatMap(({ name }) => (text(name) ? [`${name}: ${text(name)}`] : [])),
    ...(clash.length > 0 ? [`Перенесено с накладкой: ${clash.join('; ')}`] : []),
  ]
    .filter(Boolean)
    .join('\n')

/** Runs a write in a savepoint: its result, or the reason for the refusal, which leaves nothing behind. */
async function tried<T>(tx: MovingContext['tx'], write: () => Promise<T>): Promise<{ done?: T; refused?: string }> {
  let taken: string | undefined
  const { done, refused } = await inSavepoint(tx, async () => {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error
      taken = error.message
      throw new HttpError(409, error.message)
    }
  })
  return refused ? { refused: taken ?? refused.message } : { done: done as T }
}
