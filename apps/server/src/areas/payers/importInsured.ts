/**
 * Lists of the insured as payers mail them. A row is a person by the policy, else by names and birthday, never by phone;
 * the card is found by the same. The same list twice changes nothing; a full one closes those whom it lacks.
 */
import { InsuredPerson } from '@ordinator/model/areas/payers/insured'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  type Cells,
  type Checked,
  columnsFor,
  type ImportContext,
  type Importer,
  type Made,
  plainName,
  rowReader,
} from '#areas/imports/index.ts'
import { notFound } from '#platform/errors.ts'

const params = z.strictObject({
  idContract: z.int().positive(),
  /** The programme of rows that name none. */
  idProgramme: z.int().positive(),
  kind: z.enum(['add', 'remove', 'full']).default('add'),
  /** The first day of those who are added, the last one of those who are removed. */
  day: z.iso.date(),
})
type Params = z.output<typeof params>

const columns = columnsFor(InsuredPerson, [
  {
    field: 'policy',
    also: ['Номер полиса', '№ полиса', 'Полис ДМС', 'POLIS', 'POLICY'],
    examples: ['770-123456', '770-123457'],
  },
  { field: 'surname', also: ['FAM', 'SURNAME', 'ФИО'], examples: ['Иванов', 'Петрова'] },
  { field: 'name', also: ['IM', 'NAME'], examples: ['Иван', 'Анна'] },
  { field: 'middleName', also: ['OT', 'SECNAME'], examples: ['Иванович', 'Петровна'] },
  { field: 'birthday', also: ['Дата рожд', 'ДР', 'DR', 'BIRTHDAY'], examples: ['01.02.1980', '03.04.1990'] },
  { name: 'Программа', also: ['Программа ДМС', 'PROGRAM'], examples: ['', ''] },
  { field: 'dateFrom', required: false, also: ['С', 'Дата начала', 'DATE_FROM'], examples: ['', ''] },
  { field: 'dateTo', also: ['Дата окончания', 'DATE_TO'], examples: ['31.12.2026', '31.12.2026'] },
])

const POLICY = 'Полис'
const UNTIL = InsuredPerson.fields.dateTo.options.label
const PAST = 'Its rule is checked by the row'

interface Known {
  id: number
  policy: string
  idProgramme: number
  surname: string
  name: string | null
  middleName: string | null
  birthday: string | null
  dateFrom: string
  dateTo: string | null
  idCustomer: number | null
  dateListed: string | null
}

interface Ready {
  params: Params
  programmes: Map<string, number>
  byPolicy: Map<string, Known>
  cards: Map<string, number[]>
  /** Policies of the rows above. */
  above: Set<string>
}

interface Values {
  id: number | null
  body: Omit<Known, 'id'>
}

const keyOf = ({ surname, name, middleName, birthday }: Pick<Known, 'surname' | 'name' | 'middleName' | 'birthday'>) =>
  [surname, name, middleName].map((part) => plainName(part ?? '')).join(' ') + (birthday ?? '')

async function open({ records, tx, params: asked }: ImportContext<Params>, rows: readonly Cells[]): Promise<Ready> {
  const contract = await tx.one<{ idPayer: number }>(
    sql`select "idPayer" from payer_contracts where "id" = ${asked.idContract} and not "deleted"`,
  )
  if (!contract || !(await records.rows(InsuredPerson, { limit: 1 }))) throw notFound()
  const programmes = await tx.query<{ id: number; name: string; code: string | null }>(
    sql`select "id", "name", "code" from organizations_programmes where "idOrganization" = ${contract.idPayer} and not "deleted"`,
  )
  const policies = [...new Set(rows.map((row) => (row[POLICY] ?? '').trim().toLowerCase()))]
  const known = await tx.query<Known>(sql`select "id", "policy", "idProgramme", "surname", "name", "middleName",
      to_char("birthday", 'DD.MM.YYYY') as birthday, "dateFrom"::text as "dateFrom", "dateTo"::text as "dateTo", "idCustomer",
      "dateListed"::text as "dateListed"
    from insured_persons where "idContract" = ${asked.idContract} and lower("policy") = any (${policies}::text[]) and not "deleted"`)
  const surnames = [...new Set(rows.map((row) => (row.Фамилия ?? '').trim().split(/\s+/)[0]?.toLowerCase() ?? ''))]
  const cards = await tx.query<Pick<Known, 'id' | 'surname' | 'name' | 'middleName' | 'birthday'>>(sql`
    select "id", "surname", "name", "middleName", to_char("birthday", 'DD.MM.YYYY') as birthday from customers
    where lower("surname") = any (${surnames}::text[]) and "birthday" is not null and not "deleted"`)
  const found = new Map<string, number[]>()
  for (const card of cards) found.set(keyOf(card), [...(found.get(keyOf(card)) ?? []), card.id])
  return {
    params: asked,
    programmes: new Map(
      programmes.flatMap(({ id, name, code }) => [name, ...(code ? [code] : [])].map((word) => [plainName(word), id])),
    ),
    byPolicy: new Map(known.map((one) => [one.policy.toLowerCase(), one])),
    cards: found,
    above: new Set(),
  }
}

function check(ready: Ready, cells: Cells): Checked<Values> {
  const reader = rowReader(columns, cells)
  const read = reader.values() as Partial<Known>
  // «ФИО» in one cell.
  const [surname = '', name, ...rest] = (read.surname ?? '').split(/\s+/)
  const names = read.name
    ? { surname: read.surname ?? '', name: read.name, middleName: read.middleName ?? null }
    : { surname, name: name ?? null, middleName: rest.join(' ') || (read.middleName ?? null) }
  const { programmes, params: asked, byPolicy, cards, above } = ready
  const word = reader.text('Программа')
  const idProgramme = word ? programmes.get(plainName(word)) : asked.idProgramme
  if (idProgramme === undefined)
    reader.refuse('Программа', 'Такой программы у плательщика нет: заведите её или исправьте')
  const before = read.policy ? byPolicy.get(read.policy.toLowerCase()) : undefined
  if (asked.kind === 'remove' && read.policy && !before) reader.refuse('Полис', 'В списках договора такого полиса нет')
  const policy = read.policy?.toLowerCase() ?? ''
  if (above.has(policy)) reader.refuse(POLICY, 'Этот полис уже был в файле выше')
  if (reader.errors.length || idProgramme === undefined) return { errors: reader.errors }
  const birthday = read.birthday ?? null
  const found = birthday ? (cards.get(keyOf({ ...names, birthday })) ?? []) : []
  const notes =
    found.length > 1
      ? [{ field: 'Фамилия', message: 'Карт с таким именем и днём рождения несколько: выберите карту сами' }]
      : []
  const body =
    asked.kind === 'remove' && before
      ? { ...before, dateTo: asked.day }
      : {
          ...names,
          policy: read.policy as string,
          birthday,
          idProgramme,
          dateFrom: read.dateFrom ?? before?.dateFrom ?? asked.day,
          dateTo: read.dateTo ?? null,
          dateListed: asked.kind === 'full' ? asked.day : (before?.dateListed ?? null),
          idCustomer: before?.idCustomer ?? (found.length === 1 ? (found[0] as number) : null),
        }
  const { id: _, ...value } = { id: 0, ...body }
  if (value.dateTo !== null && value.dateTo < value.dateFrom) {
    reader.refuse(UNTIL, 'Прикреплён по — раньше, чем с')
    return { errors: reader.errors }
  }
  const isSame =
    before !== undefined &&
    Object.entries(value).every(([field, now]) => (before as unknown as Record<string, unknown>)[field] === now)
  const shown = { ...cells, Фамилия: names.surname, Имя: names.name ?? '', Отчество: names.middleName ?? '' }
  above.add(policy)
  if (isSame)
    return { isSkipped: true, notes: [...notes, { field: POLICY, message: 'Уже есть, ничего не изменилось' }], shown }
  return { values: { id: before?.id ?? null, body: value }, notes, shown }
}

/** Offered by the area; the rehearsal is the preview of the import. */
export const insuredImporter: Importer<Params, Cells, Ready, Values> = {
  kind: 'insured',
  label: 'Список застрахованных',
  access: 'editPayers',
  params,
  columns,
  maxRows: 30_000,
  changes: [InsuredPerson],
  open,
  check,
  write: async (context, ready, values) => (await writeMany(context, ready, [values]))[0] ?? [],
  writeMany,
}

/** Writes a batch: new people together, known ones together. */
async function writeMany(
  { records, params: asked }: ImportContext<Params>,
  _ready: Ready,
  values: readonly Values[],
): Promise<Made[][]> {
  const system = records.asSystem
  const fresh = values.filter(({ id }) => id === null)
  const rows = await system.createMany(
    InsuredPerson,
    fresh.map(({ body }) => ({ ...body, idContract: asked.idContract })) as Create<typeof InsuredPerson>[],
    { pastHooks: PAST },
  )
  const idOf = new Map(fresh.map((one, at) => [one, (rows[at] as { id: number }).id]))
  const known = values.flatMap(({ id, body }) => (id === null ? [] : [{ id, ...body }]))
  if (known.length)
    await system.updateWhere(
      InsuredPerson,
      {
        rows: sql`select r.*, to_date(r."birthday", 'DD.MM.YYYY') as "born" from jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
          as r("id" bigint, "policy" text, "idProgramme" bigint, "surname" text, "name" text, "middleName" text, "birthday" text,
            "dateFrom" date, "dateTo" date, "idCustomer" bigint, "dateListed" date)`,
      },
      ({ picked }) => ({
        ...{ policy: sql`${picked}."policy"`, idProgramme: sql`${picked}."idProgramme"` },
        ...{ surname: sql`${picked}."surname"`, name: sql`${picked}."name"`, middleName: sql`${picked}."middleName"` },
        ...{ birthday: sql`${picked}."born"`, idCustomer: sql`${picked}."idCustomer"` },
        ...{ dateFrom: sql`${picked}."dateFrom"`, dateTo: sql`${picked}."dateTo"` },
        dateListed: sql`${picked}."dateListed"`,
      }),
      { pastHooks: PAST },
    )
  return values.map((one) => {
    const id = idOf.get(one)
    return id === undefined ? [] : [{ path: InsuredPerson.path, id }]
  })
}
