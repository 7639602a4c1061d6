/** Visits of the past, as history. */
import { type PastLine, type PastStatus, PastVisit } from '@ordinator/model/areas/moving/move'
import { momentIn } from '@ordinator/model/zone'
import { type Cells, type ImporterColumn, readDay, rowReader } from '#areas/imports/index.ts'
import type { FieldError } from '#platform/errors.ts'
import { signNames } from '../persons.ts'
import { openRefs, PATIENT, type Refs } from '../refs.ts'
import { defineTable, type Group, type Sum, type UnknownName } from '../table.ts'
import { doctorColumn, patientColumns, serviceColumn } from './simple.ts'
import { dayColumn, PAST, paymentColumns, STATUS_HEADS, timeColumn, visitKey } from './visitColumns.ts'
import { clockIn, pastStatusOf } from './words.ts'

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
        // A former doctor stays a name.
        const idDoctor = refs.doctor(doctor, unknown) || null
        const { lines, isUnread } = linesOf(rows, refs, unknown, errors)
        const given = lines.flatMap(({ sum }) => sum ?? [])
        const kopecks = given.reduce((all, one) => all + Math.round(one * 100), 0)
        const who = refs.who(cells)
        const status = statusOf(text('Состояние'), chosen, unknown)
        if (status === undefined)
          refuse('Состояние', `«${text('Состояние').slice(0, 60)}»: выберите, состоялся ли такой визит`)
        else if (status === null) refuse('Состояние', `«${text('Состояние').slice(0, 60)}»: по выбору не загружается`)
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
          sum: given.length > 0 ? kopecks / 100 : null,
          status: status ?? 'held',
          paid: rublesOf(rows, 'Оплачено'),
          payment: textsOf(rows, 'Способ оплаты').join(', ').slice(0, 200) || null,
          discount: rublesOf(rows, 'Скидка'),
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
          works.map(({ values }) => ({ ...values, program: context.program })),
          PAST,
        )
        return rows.map(({ id }) => ({ id, made: [{ path: PastVisit.path, id }] }))
      },
      async change(works) {
        for (const { values, group } of works)
          if (group.known) await context.records.asSystem.update(PastVisit, group.known.id, values)
        return works.map(({ group }) => ({ ...(group.known && { id: group.known.id }), made: [] }))
      },
    }
  },
})

/** @returns null: chosen to leave the rows; undefined: an unknown word, and nothing is chosen for it */
function statusOf(
  word: string,
  chosen: Readonly<Record<string, PastStatus | null>> | undefined,
  unknown: UnknownName[],
): PastStatus | null | undefined {
  const known = pastStatusOf(word)
  if (known) return known
  unknown.push({ kind: 'statuses', name: word.slice(0, 200) })
  return chosen?.[word.slice(0, 200)]
}

/** Services of a visit with their sums. @param errors gets what is wrong in a row */
function linesOf(rows: readonly { cells: Cells }[], refs: Refs, unknown: UnknownName[], errors: FieldError[]) {
  let isUnread = false
  const lines = rows.flatMap(({ cells }): PastLine[] => {
    const line = rowReader(pastColumns, cells)
    const names = refs.services(line.text('Услуга'))
    const sum = line.money('Сумма')
    if (line.text('Сумма') && sum === undefined) isUnread = true
    const qty = line.text('Количество') ? Number(line.text('Количество').replace(',', '.')) : 1
    if (!(qty > 0)) line.refuse('Количество', 'Нужно число больше нуля')
    errors.push(...line.errors)
    if (names.length === 0 && sum === undefined) return []
    // Several services of one cell have one sum: it is kept with the first.
    return (names.length > 0 ? names : ['']).map((name, at) => ({
      name: name.slice(0, 300) || 'Услуга',
      qty: at === 0 ? qty : 1,
      sum: at === 0 ? (sum ?? null) : null,
      idService: refs.service(name, unknown) || null,
    }))
  })
  return { lines, isUnread }
}

/** The sum of a column over the rows; null: none has it. */
function rublesOf(rows: readonly { cells: Cells }[], column: string): number | null {
  const read = rows.flatMap(({ cells }) => rowReader(pastColumns, cells).money(column) ?? [])
  return read.length > 0 ? read.reduce((all, one) => all + Math.round(one * 100), 0) / 100 : null
}
