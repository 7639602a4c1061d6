/** Tables with one record per row of an entity: performers, relatives, policies. */
import { ServiceDuration, ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { CustomerPolicy, CustomerRelation, policyTypes, relationKinds } from '@ordinator/model/areas/customers/customer'
import { policyNumber } from '@ordinator/model/areas/customers/documents'
import { checkBody } from '@ordinator/model/check'
import type { Entity } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { type Cells, type ImporterColumn, readDay, rowReader } from '#areas/imports/index.ts'
import type { FieldError } from '#platform/errors.ts'
import { personOf, signColumns, signNames, signsOf } from '../persons.ts'
import { codesOf, openRefs, openRefsWith, PATIENT } from '../refs.ts'
import { defineTable, keyColumn, type MovingContext, type UnknownName, type Work, type Written } from '../table.ts'

const PAST = { pastHooks: 'Rows are held to the rules by the check of each' }

const patientColumn: ImporterColumn = {
  name: PATIENT,
  also: ['код клиента', 'id клиента', 'id пациента', 'customer_id', 'client_id', 'patient_id', 'patients_id'],
  examples: ['10045', '10046'],
}

/** The patient of a row: by the code of the former program, or by signs. */
export const patientColumns: readonly ImporterColumn[] = [patientColumn, ...signsOf()]
/** The same in a table with columns of another person. */
export const namedPatientColumns: readonly ImporterColumn[] = [patientColumn, ...signsOf(true)]

export const doctorColumn: ImporterColumn = {
  name: 'Врач',
  also: ['сотрудник', 'специалист', 'мастер', 'исполнитель', 'код врача', 'доктор'],
  examples: ['Иванова Анна Петровна', '17'],
}
export const serviceColumn: ImporterColumn = {
  name: 'Услуга',
  also: ['услуги', 'название услуги', 'код услуги', 'наименование услуги'],
  examples: ['Приём врача-терапевта первичный', 'B01.001'],
}
export const filialColumn: ImporterColumn = { name: 'Филиал', examples: ['На Садовой', ''] }

/** The first unknown name as an error of its column. */
export const unknownError = (column: string, name: string, chosen: number | null | undefined): FieldError => ({
  field: column,
  message:
    chosen === null
      ? `«${name.slice(0, 60)}»: по выбору не загружается`
      : `«${name.slice(0, 60)}»: такого здесь нет, выберите замену`,
})

/** Days, as the fields of the entity write them. */
export const dayOf = (text: string): string | undefined => (text ? (readDay(text) ?? text) : undefined)

interface Body {
  entity: Entity
  body: Record<string, unknown>
  minutes?: number
}

const changeBodies =
  ({ records }: MovingContext) =>
  async (works: readonly (Work<Body> & { fields?: Record<string, unknown> })[]): Promise<Written[]> => {
    for (const { values, group, fields } of works)
      if (group.known) await records.asSystem.update(values.entity, group.known.id, fields ?? values.body)
    return works.map(({ group }) => ({ ...(group.known && { id: group.known.id }), made: [] }))
  }

async function createBodies({ records }: MovingContext, works: readonly Work<Body>[]): Promise<Written[]> {
  const [first] = works
  if (!first) return []
  const rows = await records.asSystem.createMany(
    first.values.entity,
    works.map(({ values }) => values.body),
    PAST,
  )
  return rows.map(({ id }) => ({ id, made: [{ path: first.values.entity.path, id }] }))
}

const performerColumns: readonly ImporterColumn[] = [
  { ...doctorColumn, required: true },
  { ...serviceColumn, required: true },
  filialColumn,
  { name: 'Длительность, мин', also: ['длительность', 'минут', 'время приёма'], examples: ['30', '45'] },
  { name: 'Своя доля, %', field: 'commission', also: ['процент', 'доля'], examples: ['', '35'] },
]

export const performers = defineTable<Body>({
  key: 'performers',
  columns: performerColumns,
  path: ServicePerformer.path,
  natural: ['Врач', 'Услуга', 'Филиал'],
  compare: 'fields',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, groups)
    const there = await context.tx.query<{
      name: string
    }>(sql`select concat_ws('|', "idService", "idUser", "idFilial") as name
      from service_performers where not "deleted"`)
    const taken = new Set(there.map(({ name }) => name))
    return {
      check({ rows: [row], known }) {
        const { errors, text, refuse } = rowReader(performerColumns, row?.cells ?? {})
        const unknown: UnknownName[] = []
        const idUser = refs.doctor(text('Врач'), unknown)
        const idService = refs.service(text('Услуга'), unknown)
        if (idUser == null) errors.push(unknownError('Врач', text('Врач'), idUser))
        if (idService == null) errors.push(unknownError('Услуга', text('Услуга'), idService))
        const idFilial = text('Филиал') ? refs.filial(text('Филиал')) : null
        if (idFilial === undefined) refuse('Филиал', `«${text('Филиал')}»: такого филиала нет`)
        const commission = text('Своя доля, %').replace(',', '.').replace('%', '')
        const minutes = text('Длительность, мин') ? Number.parseInt(text('Длительность, мин'), 10) : undefined
        if (minutes !== undefined && !(minutes >= 1 && minutes <= 1440))
          refuse('Длительность, мин', 'Нужно число минут: 30')
        if (commission && !(Number(commission) >= 0 && Number(commission) <= 100))
          refuse('Своя доля, %', 'Нужно число от 0 до 100')
        const body = { idUser, idService, idFilial, commission: commission ? Number(commission) : null }
        if (errors.length === 0 && !known && idUser && idService) {
          const name = [idService, idUser, ...(idFilial ? [idFilial] : [])].join('|')
          if (taken.has(name)) errors.push({ field: 'Услуга', message: 'Этот исполнитель у услуги уже есть' })
          taken.add(name)
        }
        if (errors.length) return { errors, notes: [], unknown }
        return {
          values: { entity: ServicePerformer, body, ...(minutes && { minutes }) },
          errors,
          notes: [],
          unknown,
          body: { commission: body.commission },
        }
      },
      async create(works) {
        const written = await createBodies(context, works)
        const timed = works.flatMap(({ values: { minutes, body } }) =>
          minutes ? [{ idService: body.idService, idUser: body.idUser, idFilial: body.idFilial, minutes }] : [],
        )
        if (timed.length > 0)
          await context.records.asSystem.createMany(ServiceDuration, timed as never, { skipTaken: true, ...PAST })
        return written
      },
      change: changeBodies(context),
    }
  },
})

const relationColumns: readonly ImporterColumn[] = [
  keyColumn(['1', '2']),
  ...namedPatientColumns,
  {
    name: 'Кем приходится',
    field: 'relation',
    required: true,
    also: ['родство', 'степень родства'],
    examples: ['Мать', 'Супруг(а)'],
  },
  { name: 'Код представителя', also: ['код родственника', 'родственник'], examples: ['10044', ''] },
  { name: 'ФИО', field: 'fio', also: ['представитель', 'фио представителя'], examples: ['', 'Орлова Мария Петровна'] },
  { name: 'Телефон', field: 'phone', examples: ['', '+7 912 000-11-22'] },
  { name: 'Документ', field: 'document', also: ['основание', 'доверенность'], examples: ['', ''] },
  { name: 'Полномочия до', field: 'dateTo', examples: ['', ''] },
  { name: 'Подписывает', field: 'signs', examples: ['Да', ''] },
]

export const relations = defineTable<Body>({
  key: 'relations',
  columns: relationColumns,
  path: CustomerRelation.path,
  natural: [PATIENT, ...signNames, 'Кем приходится', 'Код представителя', 'ФИО'],
  compare: 'fields',
  portion: 1_000,
  async open(context, groups) {
    const others = groups.flatMap(({ rows: [row] }) => relativeOf(row?.cells ?? {}) ?? [])
    const refs = await openRefsWith(context, groups, { others }, PATIENT, 'Код представителя')
    return {
      check({ rows: [row] }) {
        const cells = row?.cells ?? {}
        const reader = rowReader(relationColumns, cells)
        const { errors, text } = reader
        const unknown: UnknownName[] = []
        const notes: FieldError[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown, notes)
        const person = relativeOf(cells)
        const found = person && refs.another(person)
        const isCard = found !== undefined && found > 0 && found !== idCustomer
        if (isCard)
          notes.push({ field: 'ФИО', message: `«${text('ФИО').slice(0, 80)}»: связано с картой, которая здесь есть` })
        const idRelative = text('Код представителя')
          ? refs.customer(cells, 'Код представителя', errors)
          : isCard
            ? found
            : undefined
        const relation = reader.chosen('Кем приходится', relationKinds)
        const signs = reader.yesNo('Подписывает')
        if (!text('Код представителя') && !text('ФИО')) reader.refuse('ФИО', 'Укажите код представителя или его ФИО')
        const body = {
          ...(relation && { relation }),
          ...(idRelative !== undefined && { idRelative }),
          ...(text('ФИО') && { fio: text('ФИО') }),
          ...(text('Телефон') && { phone: text('Телефон') }),
          ...(text('Документ') && { document: text('Документ') }),
          ...(text('Полномочия до') && { dateTo: dayOf(text('Полномочия до')) }),
          ...(signs !== undefined && { signs: signs ? 'yes' : 'no' }),
        }
        const done = checked(CustomerRelation, { ...body, idCustomer }, body, errors, relationColumns)
        return { ...done, notes: [...notes, ...done.notes], unknown }
      },
      create: (works) => createBodies(context, works),
      change: changeBodies(context),
    }
  },
})

/**
 * The representative of a row without a code, as a person with a possible card: by name and phone, never by one of
 * them.
 */
function relativeOf(cells: Cells) {
  if ((cells['Код представителя'] ?? '').trim()) return undefined
  const person = personOf({ [signColumns.name]: cells.ФИО ?? '', [signColumns.phone]: cells.Телефон ?? '' })
  return person?.phones.length ? person : undefined
}

const policyColumns: readonly ImporterColumn[] = [
  keyColumn(['1', '2']),
  ...patientColumns.filter(({ name }) => name !== signColumns.policy),
  { name: 'Вид', field: 'type', also: ['вид полиса', 'тип полиса'], examples: ['Полис ДМС', 'Полис ОМС'] },
  {
    name: 'Номер',
    field: 'number',
    required: true,
    also: ['номер полиса', 'полис', 'серия и номер'],
    examples: ['ДМС-100200', ''],
  },
  { name: 'Страховая компания', field: 'company', also: ['страховая', 'страховщик'], examples: ['Согаз', ''] },
  { name: 'Программа', field: 'programme', examples: ['', ''] },
  { name: 'Действует с', field: 'dateFrom', also: ['дата начала'], examples: ['01.01.2026', ''] },
  { name: 'Действует по', field: 'dateTo', also: ['дата окончания', 'действует до'], examples: ['31.12.2026', ''] },
]

export const policies = defineTable<Body>({
  key: 'policies',
  columns: policyColumns,
  path: CustomerPolicy.path,
  natural: [PATIENT, ...signNames, 'Вид', 'Номер'],
  compare: 'fields',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, groups, PATIENT)
    const numbers = codesOf(groups, 'Номер')
    const there = await context.tx.query<{ number: string; idCustomer: number }>(sql`
      select lower("number") as number, "idCustomer"::int as "idCustomer" from customers_policies
      where lower("number") = any (${numbers.map((one) => one.toLowerCase())}::text[]) and not "deleted"`)
    const holders = new Map(there.map(({ number, idCustomer }) => [number, idCustomer]))
    return {
      check({ rows: [row], known }) {
        const cells = row?.cells ?? {}
        const reader = rowReader(policyColumns, cells)
        const { errors, text, refuse } = reader
        const unknown: UnknownName[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown)
        const type = text('Вид') ? reader.chosen('Вид', policyTypes) : 'dms'
        const number = type ? policyNumber(type, text('Номер')) : undefined
        if (number && !number.ok) refuse('Номер', number.message)
        const body = {
          ...(type && { type }),
          ...(number?.ok && { number: number.value }),
          ...(text('Страховая компания') && { company: text('Страховая компания') }),
          ...(text('Программа') && { programme: text('Программа') }),
          ...(text('Действует с') && { dateFrom: dayOf(text('Действует с')) }),
          ...(text('Действует по') && { dateTo: dayOf(text('Действует по')) }),
        }
        const holder = number?.ok ? holders.get(number.value.toLowerCase()) : undefined
        if (!known && holder !== undefined)
          refuse(
            'Номер',
            holder === idCustomer ? 'Этот полис в карте уже есть' : 'Этот полис стоит в карте другого пациента',
          )
        return { ...checked(CustomerPolicy, { ...body, idCustomer }, body, errors, policyColumns), unknown }
      },
      create: (works) => createBodies(context, works),
      change: changeBodies(context),
    }
  },
})

/** Checks a body by the rules of its entity; a card that is still to be made counts as any card. */
function checked(
  entity: Entity,
  all: Record<string, unknown>,
  body: Record<string, unknown>,
  errors: FieldError[],
  columns: readonly ImporterColumn[],
) {
  const soon = Object.fromEntries(
    Object.entries(all).map(([field, value]) => [field, typeof value === 'number' && value <= 0 ? 1 : value]),
  )
  const { errors: wrong = [] } = errors.length ? {} : checkBody(entity, soon, 'create')
  for (const { field, message } of wrong)
    errors.push({ field: columns.find((column) => column.field === field)?.name ?? columns[0]?.name ?? '', message })
  return errors.length ? { errors, notes: [] } : { values: { entity, body: all }, errors, notes: [], body }
}
