/** Import of a dictionary: a new edition ends changed names, and begins the new ones. */
import { can } from '@ordinator/model/access'
import { Dictionary, DictionaryTerm, ICD10 } from '@ordinator/model/areas/examinations/dictionary'
import { schemes } from '@ordinator/model/identifiers'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  type Cells,
  type Checked,
  columnsFor,
  type ImportContext,
  type Importer,
  type Made,
  offerImporter,
  rowReader,
} from '#areas/imports/index.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

const params = z.strictObject({
  idDictionary: z.int().positive(),
  /** First day of the edition. */
  dateFrom: z.iso.date('Нужна дата'),
})
type Params = z.output<typeof params>

const columns = columnsFor(DictionaryTerm, [
  {
    field: 'code',
    also: ['код мкб', 'mkb_code', 'code', 'шифр'],
    examples: ['J06.9', 'I10'],
  },
  {
    field: 'name',
    also: ['наименование', 'mkb_name', 'name', 'диагноз', 'полное название'],
    examples: ['Острая инфекция верхних дыхательных путей неуточнённая', 'Эссенциальная гипертензия'],
  },
  { field: 'group', also: ['класс', 'блок', 'рубрика', 'раздел'], examples: ['J00–J06', 'I10–I15'] },
  { name: 'Действует', field: 'actual', also: ['actual', 'актуально'], examples: ['1', '1'] },
])

interface Ready {
  isIcd: boolean
  /** Terms in force on the first day of the edition, by code. */
  known: Map<string, { id: number; name: string; group: string | null; dateFrom: string }>
  /** Blocks of МКБ-10 by category: the official list has no column for them. */
  blocks: Map<string, string>
  seen: Set<string>
}
interface TermValues {
  code: string
  name: string
  group: string | null
  /** The term whose name ends. */
  former?: number
}

const importTerms: Importer<Params, Cells, Ready, TermValues> = {
  kind: 'terms',
  label: 'Справочник',
  access: 'mainSettings',
  params,
  columns,
  changes: [DictionaryTerm],
  maxRows: 20_000,
  open,
  check,
  write,
  writeMany,
}

export const offerTerms = (app: AppContext): void => offerImporter(app, importTerms)

/** A chapter or a block of МКБ-10, which the official list has among its codes. */
const HEADING = /^([IVX]+|[A-Z]\d\d ?[-–] ?[A-Z]\d\d)$/

const codeIn = (isIcd: boolean, written: string) => {
  const read = isIcd ? schemes.icd10.read(written) : undefined
  return read?.ok ? read.value : written.trim()
}

async function open({ records, tx, params }: ImportContext<Params>, rows: readonly Cells[]): Promise<Ready> {
  const dictionary = await records.row(Dictionary, params.idDictionary)
  if (!can(records.actor, 'create', DictionaryTerm)) throw forbidden('Вам нельзя менять справочники')
  const isIcd = dictionary.code === ICD10
  const codes = rows.map((row) => codeIn(isIcd, row.Код ?? ''))
  const known = await tx.query<{ id: number; code: string; name: string; group: string | null; dateFrom: string }>(sql`
    select "id"::int as "id", "code", "name", "group", "dateFrom"::text as "dateFrom" from dictionaries_terms
    where "idDictionary" = ${dictionary.id} and not "deleted" and "code" = any(${codes}::text[])
      and ("dateTo" is null or "dateTo" >= ${params.dateFrom}::date)
    order by "dateFrom"`)
  const blocks = isIcd
    ? await tx.query<{ category: string; group: string }>(sql`
        select "code" as "category", "group" from dictionaries_terms
        where "idDictionary" = ${dictionary.id} and not "deleted" and "dateTo" is null and length("code") = 3
          and "group" is not null`)
    : []
  return {
    isIcd,
    known: new Map(known.map(({ code, ...one }) => [code, one])),
    blocks: new Map(blocks.map(({ category, group }) => [category, group])),
    seen: new Set(),
  }
}

function check(ready: Ready, cells: Cells): Checked<TermValues> {
  const row = rowReader(columns, cells)
  const [written, name, groupName] = [row.text('Код'), row.text('Название'), row.text('Группа')]
  const shownAs = { Код: written, Название: name, Группа: groupName }
  if (ready.isIcd && HEADING.test(written))
    return { isSkipped: true, notes: [{ field: 'Код', message: 'Класс или блок, а не диагноз' }], shown: shownAs }
  if (/^(0|нет|false)$/i.test(row.text('Действует')))
    return { isSkipped: true, notes: [{ field: 'Код', message: 'В этом издании уже не действует' }], shown: shownAs }
  const code = codeIn(ready.isIcd, written)
  const there = ready.known.get(code)
  const group = groupName || (there?.group ?? ready.blocks.get(code.slice(0, 3)) ?? '')
  if (ready.isIcd && written) {
    const read = schemes.icd10.read(written)
    if (!read.ok) row.refuse('Код', read.message)
  }
  const term = { idDictionary: 1, code, name, ...(group && { group }), dateFrom: '2000-01-01' }
  row.check(DictionaryTerm, term, 'create', 'Название')
  if (ready.seen.has(code)) row.refuse('Код', `«${code}» в файле уже был`)
  if (row.errors.length) return { errors: row.errors }
  ready.seen.add(code)
  const shown = { Код: code, Название: name, Группа: group }
  if (there && there.name === name && (there.group ?? '') === group)
    return { isSkipped: true, notes: [{ field: 'Код', message: 'Уже есть' }], shown }
  return {
    values: { code, name, group: group || null, ...(there && { former: there.id }) },
    notes: there ? [{ field: 'Название', message: `Было: ${there.name}` }] : [],
    shown,
  }
}

/** Ends the former name the day before; one without a remaining day is deleted. */
async function endFormer({ records, params }: ImportContext<Params>, values: readonly TermValues[]): Promise<void> {
  const former = values.flatMap((one) => one.former ?? [])
  if (former.length === 0) return
  const pastHooks = { pastHooks: 'Its days stay in order: it ends before the new edition begins' }
  const begun = sql`"dateFrom" >= ${params.dateFrom}::date`
  await records.asSystem.deleteWhere(
    DictionaryTerm,
    ({ row }) => sql`${row}."id" = any(${former}::bigint[]) and ${row}.${begun}`,
    pastHooks,
  )
  await records.asSystem.updateWhere(
    DictionaryTerm,
    ({ row }) => sql`${row}."id" = any(${former}::bigint[]) and not (${row}.${begun})`,
    { dateTo: plusDays(params.dateFrom, -1) },
    pastHooks,
  )
}

async function write(context: ImportContext<Params>, ready: Ready, values: TermValues): Promise<Made[]> {
  return (await writeMany(context, ready, [values]))[0] as Made[]
}

async function writeMany(context: ImportContext<Params>, _: Ready, values: readonly TermValues[]): Promise<Made[][]> {
  const { records, params } = context
  await endFormer(context, values)
  const made = await records.asSystem.createMany(
    DictionaryTerm,
    values.map(({ code, name, group }) => ({ ...params, code, name, group })),
    { pastHooks: 'Codes were read, and days are of the edition' },
  )
  return made.map(({ id }) => [{ path: DictionaryTerm.path, id }])
}
