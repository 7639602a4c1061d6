/** Units of the state dictionary НСИ 1358, in the format of its service or by its column names. */
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabUnit } from '@ordinator/model/areas/laboratory/laboratory'
import { readCoefficient } from '@ordinator/model/areas/laboratory/units'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'

const MAX_UNITS = 5_000
type Line = Record<string, unknown>

/** @returns rows by column; undefined if it is another format */
export function readNsi(text: string): Line[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { list?: unknown } | null)?.list
  if (!Array.isArray(list)) return undefined
  const rows = list.map((row): Line | undefined => {
    if (Array.isArray(row))
      return Object.fromEntries(
        row.flatMap((cell) => (typeof cell?.column === 'string' ? [[cell.column, cell.value] as const] : [])),
      )
    return typeof row === 'object' && row !== null ? (row as Line) : undefined
  })
  return rows.some((row) => row === undefined) ? undefined : (rows as Line[])
}

const textIn = (row: Line, column: string, most: number): string | null => {
  const value = row[column]
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, most) : null
}

export const takeNsi = operation(laboratoryCalls.takeNsi, ({ records, request }) =>
  records.tx(async (inner, tx) => {
    const bytes = request.body
    const wrong = (message: string) => new ValidationError([{ field: 'file', message }])
    if (!Buffer.isBuffer(bytes)) throw wrong('Выберите файл справочника')
    const rows = readNsi(bytes.toString('utf8'))
    if (!rows || rows.length === 0) throw wrong('Это не справочник НСИ: нужен JSON со строками')
    if (rows.length > MAX_UNITS) throw wrong(`В справочнике больше ${MAX_UNITS} строк`)
    const names = new Map(
      rows.map((row) => [textIn(row, 'ID', 32), textIn(row, 'PRINTNAME', 64) ?? textIn(row, 'SHORTNAME', 64)]),
    )
    const known = await tx.query<{ id: number; name: string }>(
      sql`select "id", "name" from laboratory_units where not "deleted"`,
    )
    const byName = new Map(known.map(({ id, name }) => [name.toLowerCase(), id]))
    const fresh = new Map<string, Parameters<typeof inner.asSystem.createMany<typeof LabUnit>>[1][number]>()
    let changed = 0
    let skipped = 0
    for (const row of rows) {
      const code = textIn(row, 'ID', 32)
      const name = names.get(code)
      const coefficient = textIn(row, 'COEFFICIENT', 32)
      const factor = readCoefficient(coefficient)
      if (!name || fresh.has(name.toLowerCase())) {
        skipped++
        continue
      }
      const unit = {
        name,
        fullName: textIn(row, 'FULLNAME', 255),
        ucum: textIn(row, 'UCUM', 64),
        // A unit converted by a formula without a coefficient (°F) has no base unit.
        base: factor === undefined ? name : (names.get(textIn(row, 'CONVERSION_ID', 32)) ?? name),
        factor: factor === undefined ? '1' : (coefficient as string),
        nsiCode: code,
      }
      const id = byName.get(name.toLowerCase())
      if (id === undefined) fresh.set(name.toLowerCase(), unit)
      else {
        await inner.update(LabUnit, id, unit)
        changed++
      }
    }
    if (fresh.size)
      await inner.asSystem.createMany(LabUnit, [...fresh.values()], { pastHooks: 'Coefficients were read above' })
    return { created: fresh.size, changed, skipped }
  }),
)
