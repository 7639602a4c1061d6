/** Visits: those of the past as history, those to come in the schedule; and treatment plans. */
import { type PastLine, type PastStatus, PastVisit } from '@ordinator/model/areas/moving/move'
import { PlanItem, PlanStage, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { MAX_ITEMS, MAX_STAGES } from '@ordinator/model/areas/plans/rules'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { momentIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { type ImporterColumn, inSavepoint, readDay, rowReader } from '#areas/imports/index.ts'
import { bookMoved, NoRoomError } from '#areas/visits/index.ts'
import { type FieldError, HttpError } from '#platform/errors.ts'
import { signNames } from '../persons.ts'
import { openRefs, PATIENT } from '../refs.ts'
import {
  defineTable,
  type Group,
  keyColumn,
  type MovingContext,
  type Sum,
  type UnknownName,
  type Work,
  type Written,
} from '../table.ts'
import { openClashes } from './clashes.ts'
import { doctorColumn, filialColumn, patientColumns, serviceColumn, unknownError } from './simple.ts'
import { clockIn, pastStatusOf } from './words.ts'

const PAST = { pastHooks: 'Rows are held to the rules by the check of each' }
const visitKey = keyColumn(
  ['70001', '70002'],
  ['код визита', 'id визита', 'id записи', 'номер визита', 'visit_id', 'record_id'],
)
const dayColumn: ImporterColumn = {
  name: 'Дата',
  required: true,
  also: ['дата визита', 'дата приёма', 'день', 'date'],
  examples: ['09.02.2025', '2025-02-09'],
}
const timeColumn: ImporterColumn = { name: 'Время', also: ['время начала', 'начало', 'time'], examples: ['10:30', ''] }

const STATUS_HEADS = ['статус', 'статус визита', 'статус записи', 'состояние визита', 'status', 'attendance']

/** What the former program says of payment and origin: kept with a past visit, written to the note of one to come. */
const paymentColumns: readonly ImporterColumn[] = [
  { name: 'Оплачено', also: ['оплата', 'сумма оплаты', 'оплачено, руб', 'paid'], examples: ['2100', ''] },
  {
    name: 'Способ оплаты',
    also: ['вид оплаты', 'тип оплаты', 'форма оплаты', 'статус оплаты', 'касса'],
    examples: ['Карта', ''],
  },
  { name: 'Скидка', also: ['скидка, руб', 'размер скидки', 'discount'], examples: ['', '300'] },
  { name: 'Источник', also: ['источник записи', 'откуда узнал', 'канал'], examples: ['Сайт', ''] },
  { name: 'Кто записал', also: ['автор записи', 'создал', 'автор', 'администратор'], examples: ['', ''] },
]

const pastColumns: readonly ImporterColumn[] = [
  visitKey,
  ...patientColumns,
  dayColumn,
  timeColumn,
  doctorColumn,
  serviceColumn,
  { name: 'Количество', also: ['кол-во', 'кол', 'count'], examples: ['1', '2'] },
  { name: 'Сумма', also: ['стоимость', 'цена', 'итого', 'сумма визита', 'sum'], examples: ['2100', '1 700,50'] },
  { name: 'Состояние', also: STATUS_HEADS, examples: ['Пришёл', 'Отменён'] },
  ...paymentColumns,
  { name: 'Примечание', also: ['комментарий', 'жалобы', 'диагноз'], examples: ['', ''] },
]

interface Past {
  idCustomer: number
  localDate: string
  localStart: string | null
  dateFrom: string
  idDoctor: number | null
  doctorName: string | null
  services: string
  lines: PastLine[]
  sum: number | null
  status: PastStatus
  paid: number | null
  payment: string | null
  discount: number | null
  sourceName: string | null
  bookedBy: string | null
  note: string | null
}

/** Texts of a column in the rows of a visit, without repeats. */
const textsOf = (rows: Group['rows'], column: string): string[] =>
  rows.flatMap(({ cells }) => cells[column]?.trim() || []).filter((one, at, all) => all.indexOf(one) === at)

export const visits = defineTable<Past>({
  key: 'visits',
  columns: pastColumns,
  path: PastVisit.path,
  natural: [PATIENT, ...signNames, 'Дата', 'Время', 'Врач'],
  grouped: true,
  compare: 'whole',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, groups, PATIENT)
    const chosen = context.move.choices?.statuses
    /** Null: chosen to leave the rows; undefined: an unknown word. */
    const statusOf = (word: string, unknown: UnknownName[]): PastStatus | null | undefined => {
      const known = pastStatusOf(word)
      if (known) return known
      unknown.push({ kind: 'statuses', name: word.slice(0, 200) })
      return chosen?.[word.slice(0, 200)]
    }
    return {
      check({ rows }) {
        const cells = rows[0]?.cells ?? {}
        const { errors, text, refuse } = rowReader(pastColumns, cells)
        const unknown: UnknownName[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown)
        const localDate = readDay(text('Дата'))
        if (!localDate) refuse('Дата', 'Нужна дата: 09.02.2025')
        else if (localDate > context.day)
          refuse('Дата', 'Этот день ещё не наступил: запись загружают таблицей «Предстоящие визиты»')
        const localStart = clockIn(text('Время')) ?? clockIn(text('Дата')) ?? null
        const doctor = text('Врач')
        // A doctor who has left stays a name.
        const idDoctor = refs.doctor(doctor, unknown) || null
        let isUnread = false
        const lines = rows.flatMap(({ cells: own }): PastLine[] => {
          const line = rowReader(pastColumns, own)
          const names = refs.services(line.text('Услуга'))
          const sum = line.money('Сумма')
          if (line.text('Сумма') && sum === undefined) isUnread = true
          const qty = line.text('Количество') ? Number(line.text('Количество').replace(',', '.')) : 1
          if (!(qty > 0)) refuse('Количество', 'Нужно число больше нуля')
          errors.push(...line.errors)
          if (names.length === 0 && sum === undefined) return []
          // Several services of one cell have one sum: it stands with the first.
          return (names.length > 0 ? names : ['']).map((name, at) => ({
            name: name.slice(0, 300) || 'Услуга',
            qty: at === 0 ? qty : 1,
            sum: at === 0 ? (sum ?? null) : null,
            idService: refs.service(name, unknown) || null,
          }))
        })
        const said = lines.flatMap(({ sum }) => sum ?? [])
        const kopecks = said.reduce((all, one) => all + Math.round(one * 100), 0)
        const who = refs.who(cells)
        const status = statusOf(text('Состояние'), unknown)
        if (status === undefined)
          refuse('Состояние', `«${text('Состояние').slice(0, 60)}»: выберите, состоялся ли такой визит`)
        else if (status === null) refuse('Состояние', `«${text('Состояние').slice(0, 60)}»: по выбору не загружается`)
        const rubles = (column: string): number | null => {
          const read = rows.flatMap(({ cells: own }) => rowReader(pastColumns, own).money(column) ?? [])
          return read.length > 0 ? read.reduce((all, one) => all + Math.round(one * 100), 0) / 100 : null
        }
        // Only a visit that was held is rendered: the former program counts no other.
        const sums: Sum[] = isUnread
          ? [{ kind: 'visit', who, kopecks: 0, unread: true }]
          : kopecks && (status ?? 'held') === 'held'
            ? [{ kind: 'visit', who, kopecks }]
            : []
        if (errors.length || idCustomer === undefined || !localDate) return { errors, notes: [], unknown, sums }
        const values: Past = {
          idCustomer,
          localDate,
          localStart,
          dateFrom: momentIn(context.zone, localDate, localStart ?? '12:00'),
          idDoctor,
          doctorName: doctor.slice(0, 200) || null,
          services: lines
            .map(({ name, qty }) => (qty === 1 ? name : `${name} × ${String(qty).replace('.', ',')}`))
            .join(', ')
            .slice(0, 4000),
          lines,
          sum: said.length > 0 ? kopecks / 100 : null,
          status: status ?? 'held',
          paid: rubles('Оплачено'),
          payment: textsOf(rows, 'Способ оплаты').join(', ').slice(0, 200) || null,
          discount: rubles('Скидка'),
          sourceName: text('Источник').slice(0, 200) || null,
          bookedBy: text('Кто записал').slice(0, 200) || null,
          note: textsOf(rows, 'Примечание').join('\n').slice(0, 4000) || null,
        }
        const { idCustomer: _, idDoctor: __, dateFrom: ___, ...body } = values
        return {
          values,
          errors,
          notes: [],
          unknown,
          body: { ...body, who },
          sums,
        }
      },
      async create(works) {
        const rows = await context.records.asSystem.createMany(
          PastVisit,
          works.map(({ said }) => ({ ...said, program: context.program })),
          PAST,
        )
        return rows.map(({ id }) => ({ id, made: [{ path: PastVisit.path, id }] }))
      },
      async change(works) {
        for (const { said, group } of works)
          if (group.known) await context.records.asSystem.update(PastVisit, group.known.id, said)
        return works.map(({ group }) => ({ ...(group.known && { id: group.known.id }), made: [] }))
      },
    }
  },
})

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
    const { records, tx } = context
    const clashes = await openClashes(context, groups)
    async function put(works: readonly Work<Coming>[], isNew: boolean): Promise<Written[]> {
      const written: Written[] = []
      for (const { said, group } of works) {
        const { isOff, idCustomer, ...visit } = said
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
        const idServices = names.flatMap((name) => {
          const id = refs.service(name, unknown)
          if (id == null) errors.push(unknownError('Услуга', name, id))
          return id ?? []
        })
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
        const { idCustomer: _, idUser: __, idServices: ___, idRoom: ____, ...said } = values
        return {
          values,
          errors,
          notes: [...notes, ...clash.map((message) => ({ field: 'Время', message }))],
          unknown,
          body: {
            ...said,
            who: refs.who(cells),
            doctor: text('Врач'),
            service: text('Услуга'),
            ...(text('Кабинет') && { room: text('Кабинет') }),
          },
        }
      },
      create: (works) => put(works, true),
      change: (works) => put(works, false),
    }
  },
})

/** The note of a visit to come: its own, what the former program says beside it, and why it was doubted. */
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

const planColumns: readonly ImporterColumn[] = [
  keyColumn(['901', '901'], ['код плана', 'id плана', 'номер плана']),
  ...patientColumns,
  {
    name: 'План',
    required: true,
    also: ['название плана', 'план лечения', 'название'],
    examples: ['Лечение кариеса', 'Лечение кариеса'],
  },
  { ...doctorColumn, required: true },
  { name: 'Этап', also: ['стадия', 'название этапа'], examples: ['Терапия', 'Ортопедия'] },
  { ...serviceColumn, required: true },
  { name: 'Количество', also: ['кол-во'], examples: ['1', '2'] },
  { name: 'Цена', also: ['стоимость', 'сумма'], examples: ['4500', '12 000,00'] },
  { name: 'Зуб, зона', also: ['зуб', 'зона'], examples: ['3.6', ''] },
  { name: 'Диагноз', examples: ['', ''] },
]

interface PlanValues {
  idCustomer: number
  idDoctor: number
  name: string
  diagnosis: string | null
  stages: { name: string; zone: string | null; items: { idService: number; qty: number; price: number | null }[] }[]
}

export const plans = defineTable<PlanValues>({
  key: 'plans',
  columns: planColumns,
  path: TreatmentPlan.path,
  natural: [PATIENT, ...signNames, 'План'],
  grouped: true,
  compare: 'whole',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, groups, PATIENT)
    const { records, move } = context
    const system = records.asSystem

    async function make(works: readonly Work<PlanValues>[]): Promise<Written[]> {
      const made = await system.createMany(
        TreatmentPlan,
        works.map(({ said: { stages: _, ...plan } }) => ({ ...plan, idFilial: move.idFilial })),
        PAST,
      )
      await parts(works.map(({ said }, at) => ({ id: (made[at] as { id: number }).id, stages: said.stages })))
      return made.map(({ id }) => ({ id, made: [{ path: TreatmentPlan.path, id }] }))
    }

    async function parts(all: readonly { id: number; stages: PlanValues['stages'] }[]): Promise<void> {
      const stages = all.flatMap(({ id, stages: own }) =>
        own.map((stage, at) => ({ idPlan: id, order: at + 1, stage })),
      )
      const rows = await system.createMany(
        PlanStage,
        stages.map(({ idPlan, order, stage: { name, zone } }) => ({ idPlan, order, name, zone })),
        PAST,
      )
      await system.createMany(
        PlanItem,
        stages.flatMap(({ stage }, at) =>
          stage.items.map((item, n) => ({ ...item, idStage: (rows[at] as { id: number }).id, order: n + 1 })),
        ),
        PAST,
      )
    }

    return {
      check({ rows }) {
        const cells = rows[0]?.cells ?? {}
        const { errors, text, refuse } = rowReader(planColumns, cells)
        const unknown: UnknownName[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown)
        const idDoctor = refs.doctor(text('Врач'), unknown)
        if (idDoctor == null) errors.push(unknownError('Врач', text('Врач'), idDoctor))
        if (!text('План')) refuse('План', 'Нужно название плана')
        const stages: PlanValues['stages'] = []
        const notes: FieldError[] = []
        let kopecks = 0
        let isUnread = false
        for (const { cells: own } of rows) {
          const line = rowReader(planColumns, own)
          const price = line.money('Цена')
          // Several services of one cell have one price and number: they stand with the first.
          const names = refs.services(line.text('Услуга'))
          const idServices = (names.length > 0 ? names : ['']).map((one) => {
            const id = refs.service(one, unknown)
            if (id == null) errors.push(unknownError('Услуга', one, id))
            return id
          })
          if (names.length > 1 && price !== undefined)
            notes.push({ field: 'Услуга', message: 'В ячейке несколько услуг: цена стоит у первой, у остальных ноль' })
          const qty = line.text('Количество') ? Number(line.text('Количество')) : 1
          if (!(Number.isInteger(qty) && qty > 0 && qty <= 100)) refuse('Количество', 'Нужно целое число от 1 до 100')
          if (line.text('Цена') && price === undefined) isUnread = true
          errors.push(...line.errors)
          const name = line.text('Этап') || 'Лечение'
          const zone = line.text('Зуб, зона').slice(0, 64) || null
          const stage = stages.find((one) => one.name === name) ?? { name: name.slice(0, 255), zone, items: [] }
          if (!stages.includes(stage)) stages.push(stage)
          for (const [at, idService] of idServices.entries())
            if (idService != null)
              stage.items.push(
                at === 0
                  ? { idService, qty, price: price ?? null }
                  : { idService, qty: 1, price: price === undefined ? null : 0 },
              )
          kopecks += Math.round((price ?? 0) * 100) * qty
        }
        if (stages.length > MAX_STAGES || stages.some(({ items }) => items.length > MAX_ITEMS))
          refuse('План', `В плане не больше ${MAX_STAGES} этапов, в этапе — ${MAX_ITEMS} услуг`)
        const who = refs.who(cells)
        const sums: Sum[] = isUnread
          ? [{ kind: 'plan', who, kopecks: 0, unread: true }]
          : kopecks
            ? [{ kind: 'plan', who, kopecks }]
            : []
        if (errors.length || idCustomer === undefined || idDoctor == null) return { errors, notes, unknown, sums }
        const values = {
          idCustomer,
          idDoctor,
          name: text('План').slice(0, 255),
          diagnosis: text('Диагноз').slice(0, 500) || null,
          stages,
        }
        const body = {
          who,
          name: values.name,
          rows: rows.map(({ cells: own }) => planColumns.map(({ name }) => own[name] ?? '').join('|')),
        }
        return { values, errors, notes, unknown, body, sums }
      },
      create: make,
      async change(works) {
        for (const { said, group } of works) {
          const id = group.known?.id as number
          const { stages, idCustomer: _, ...plan } = said
          await system.update(TreatmentPlan, id, plan)
          await system.deleteWhere(PlanStage, ({ row }) => sql`${row}."idPlan" = ${id}`, {
            pastHooks: 'The plan is written anew',
          })
          await parts([{ id, stages }])
        }
        return works.map(({ group }) => ({ ...(group.known && { id: group.known.id }), made: [] }))
      },
    }
  },
})
