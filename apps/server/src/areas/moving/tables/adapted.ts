/** Tables that an importer of an area takes in already: employees, services, customers. */
import type { MoveTableKey } from '@ordinator/model/areas/moving/tables'
import {
  type AnyImporter,
  type Cells,
  type Checked,
  checkRow,
  type ImportContext,
  type ImporterColumn,
  importerOf,
  inSavepoint,
  type Made,
} from '#areas/imports/index.ts'
import { type HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { keyColumn, type MovingContext, type MovingTable, type Work, type Written } from '../table.ts'

interface Adapted {
  key: MoveTableKey
  /** Examples of its ids, and heads of theirs. */
  examples: readonly [string, string]
  also?: readonly string[]
  natural: readonly string[]
  params(context: MovingContext): Record<string, unknown>
  portion: number
}

const adapted: readonly Adapted[] = [
  {
    key: 'users',
    examples: ['17', '18'],
    also: ['код сотрудника', 'id сотрудника', 'табельный номер'],
    natural: ['ФИО', 'Логин'],
    params: ({ move }) => ({ roles: move.choices?.roles ?? {} }),
    portion: 200,
  },
  {
    key: 'services',
    examples: ['501', '502'],
    also: ['код услуги', 'id услуги'],
    natural: ['Код', 'Название'],
    params: () => ({ update: true, createGroups: true }),
    portion: 500,
  },
  {
    key: 'customers',
    examples: ['10045', '10046'],
    also: ['код пациента', 'id пациента', 'id клиента', 'код клиента'],
    // Without an id of its own a patient is recognised only by the search for duplicates.
    natural: [],
    params: ({ file }) => ({ twins: file.twins, createSources: true }),
    portion: 1_000,
  },
]

export const adaptedTables = (app: AppContext): MovingTable[] => adapted.map((one) => tableOf(app, one))

function tableOf(app: AppContext, { key, examples, also, natural, params, portion }: Adapted): MovingTable {
  const importer = importerOf(app, key)
  const { keyed } = importer
  if (!keyed) throw new Error(`the importer ${key} ties no rows to ids`)
  const columns: ImporterColumn[] = [keyColumn(examples, also), ...importer.columns]
  return {
    key,
    columns,
    path: keyed.entity.path,
    natural,
    compare: 'fields',
    portion,
    async open(context, groups) {
      const cellsOf = (group: (typeof groups)[number]) => group.rows[0]?.cells as Cells
      const own = new Map(groups.flatMap((group) => (group.known ? [[cellsOf(group), group.known.id] as const] : [])))
      const given: ImportContext<unknown> = {
        records: context.records,
        tx: context.tx,
        params: importer.params.parse(params(context)),
        fileName: context.file.fileName,
        known: new Map(),
        own,
      }
      const ready = await importer.open(given, groups.map(cellsOf))
      const write = (values: readonly unknown[]) => writeAll(importer, given, ready, values)
      return {
        check(group) {
          const {
            values,
            errors = [],
            notes = [],
            isSkipped,
            unknown = [],
          }: Checked<unknown> = checkRow(importer, ready, cellsOf(group))
          if (isSkipped) return { errors: notes, notes: [], isDuplicate: true }
          if (values === undefined) return { errors, notes, unknown }
          return {
            values,
            errors: [],
            notes,
            unknown,
            isDuplicate: keyed.isDuplicate?.(values) ?? false,
            body: { ...keyed.body(values) },
          }
        },
        create: async (works: readonly Work<{ values: unknown }['values']>[]) =>
          (await write(works.map(({ values }) => values))).map((one, at) => {
            const id = one.made && keyed.idOf(works[at]?.values, one.made)
            return { ...(id && { id }), made: one.made ?? [], ...(one.errors && { errors: one.errors }) }
          }),
        async change(works) {
          for (const { values, fields } of works) {
            if (!fields) continue
            const body = keyed.body(values)
            for (const field of Object.keys(body)) if (!Object.hasOwn(fields, field)) delete body[field]
          }
          return (await write(works.map(({ values }) => values))).map(({ made = [], errors }, at) => ({
            ...(works[at]?.group.known && { id: works[at].group.known.id }),
            made,
            ...(errors && { errors }),
          }))
        },
      }
    },
  }
}

interface Result {
  made?: Made[]
  errors?: Written['errors']
}

/** All at once where the importer can, else one by one; a refused one harms none of the others. */
export async function writeAll(
  importer: AnyImporter,
  context: ImportContext<unknown>,
  ready: unknown,
  values: readonly unknown[],
): Promise<Result[]> {
  if (values.length === 0) return []
  if (importer.writeMany) {
    const many = await inSavepoint(context.tx, () => importer.writeMany?.(context, ready, values) as Promise<Made[][]>)
    if (many.done) return many.done.map((made) => ({ made }))
  }
  const results: Result[] = []
  for (const one of values) {
    const { done, refused } = await inSavepoint(context.tx, () => importer.write(context, ready, one))
    results.push(refused ? { errors: errorsOf(refused, importer) } : { made: done ?? [] })
  }
  return results
}

const errorsOf = (error: HttpError, importer: AnyImporter) =>
  error instanceof ValidationError
    ? error.items.map(({ field, message }) => ({
        field: importer.columns.find((column) => column.field === field)?.name ?? '',
        message,
      }))
    : [{ field: '', message: error.message }]
