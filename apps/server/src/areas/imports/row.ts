/** The reader that importers of tables share: cells of one row by their columns, with all errors of the row. */
import { checkBody } from '@ordinator/model/check'
import type { Entity } from '@ordinator/model/entity'
import type { FieldError } from '#platform/errors.ts'
import { readCell } from '#records/fields/registry.ts'
import type { GivenCell } from '#records/fields/side.ts'
import { plainName } from './byName.ts'
import { isNoDay, readDay, readMoment, readMoney, readNumber, readYesNo } from './cells.ts'
import { type Cells, cellError, type ImporterColumn } from './importer.ts'

export interface RowReader {
  /** Errors found so far, by the names of the columns. */
  errors: FieldError[]
  /** The trimmed text of a cell; empty if the file has no such column. */
  text(column: string): string
  refuse(column: string, message: string): undefined
  /** Texts of the cells that are not blank, by the fields of their columns. */
  fields(): Record<string, string>
  /**
   * Values of the cells that are not blank, by the fields of their columns, each read by the type of its field.
   * @param of some of the columns; absent: all
   */
  values(of?: readonly ImporterColumn[]): Record<string, unknown>
  /** The key of the label that the cell names, in any letter case; undefined for an empty cell. */
  chosen<K extends string>(column: string, labels: Readonly<Record<K, string>>): K | undefined
  /**
   * The one thing of this name. @param none the words for a name that nothing has
   * @param several the words for a name of more than one @param name a part of the cell; absent: the whole cell
   */
  named<T>(
    column: string,
    there: ReadonlyMap<string, readonly T[]>,
    none: string,
    several?: string,
    name?: string,
  ): T | undefined
  yesNo(column: string): boolean | undefined
  /** Rubles. */
  money(column: string): number | undefined
  number(column: string): number | undefined
  /** A moment in ISO 8601, see `readMoment`; `dayTime` is the time of a day without one. */
  moment(column: string, timeZone: string, dayTime: string): string | undefined
  /** A day as `YYYY-MM-DD`. */
  day(column: string): string | undefined
  /**
   * Refuses the errors of a body at the columns of its fields, unless such a column is refused already.
   * @param other the column of a field that has none @param about goes before the messages
   * @returns the values to store, where the body is right
   */
  check(
    entity: Entity,
    body: object,
    action?: 'create' | 'update',
    other?: string,
    about?: string,
  ): Record<string, unknown> | undefined
}

const SHOWN_NAME = 60

/** What a row gives: the values that are not undefined. */
export const given = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

/**
 * @param columns of the importer: `field` is the column to which an error of a body belongs
 * @param timeZone of moments that `values` reads; absent: UTC
 */
export function rowReader(columns: readonly ImporterColumn[], cells: Cells, timeZone = 'UTC'): RowReader {
  const errors: FieldError[] = []
  const text = (column: string) => (cells[column] ?? '').trim()
  const refuse = (field: string, message: string): undefined => void errors.push({ field, message })
  const refuseCell = (field: string, message: string): undefined => void errors.push(cellError({ field, message }))
  /** What `read` makes of a cell; undefined for an empty one and for one that it does not understand. */
  const read = <T>(column: string, of: (text: string) => T | undefined, wanted: string): T | undefined =>
    text(column) ? (of(text(column)) ?? refuseCell(column, wanted)) : undefined
  const dated = <T>(column: string, of: (text: string) => T | undefined, wanted: string): T | undefined =>
    isNoDay(text(column)) ? undefined : read(column, of, wanted)
  const reader: RowReader = {
    errors,
    text,
    refuse,
    values: (some = columns) =>
      given(
        Object.fromEntries(
          some.flatMap(({ name, field, of, dayTime = '00:00' }) => {
            if (!field || !of || !text(name)) return []
            const cell: GivenCell = {
              text: () => text(name),
              number: () => reader.number(name),
              money: () => reader.money(name),
              yesNo: () => reader.yesNo(name),
              day: () => reader.day(name),
              moment: () => reader.moment(name, timeZone, dayTime),
              chosen: (labels) => reader.chosen(name, labels),
            }
            return [[field, readCell(of, cell)]]
          }),
        ),
      ),
    fields: () =>
      Object.fromEntries(columns.flatMap(({ name, field }) => (field && text(name) ? [[field, text(name)]] : []))),
    chosen: <K extends string>(column: string, labels: Readonly<Record<K, string>>) =>
      read(
        column,
        (written) => (Object.keys(labels) as K[]).find((key) => plainName(labels[key]) === plainName(written)),
        `Нужно одно из: ${Object.values(labels).join(', ')}`,
      ),
    named(column, there, none, several = 'таких несколько', name = text(column)) {
      const found = there.get(plainName(name)) ?? []
      if (found.length === 1) return found[0]
      return refuse(column, `«${name.slice(0, SHOWN_NAME)}»: ${found.length ? several : none}`)
    },
    yesNo: (column) => read(column, readYesNo, 'Нужно «да» или «нет»'),
    money: (column) => read(column, readMoney, 'Нужно число рублей: 1234,50'),
    number: (column) => read(column, readNumber, 'Нужно число: 12 или 0,5'),
    moment: (column, timeZone, dayTime) =>
      dated(
        column,
        (written) => readMoment(written, timeZone, dayTime),
        'Дата нужна как ДД.ММ.ГГГГ или ДД.ММ.ГГГГ ЧЧ:ММ',
      ),
    day: (column) => dated(column, readDay, 'Дата нужна как ДД.ММ.ГГГГ'),
    check(entity, body, action = 'create', other = columns[0]?.name ?? '', about = '') {
      const checked = checkBody(entity, body, action)
      const refused = new Set(errors.map(({ field }) => field))
      for (const { field, message } of checked.errors ?? []) {
        const own = columns.find((column) => column.field === field)?.name
        if (own === undefined) refuse(other, about + message)
        else if (!refused.has(own)) refuseCell(own, about + message)
      }
      return checked.value
    },
  }
  return reader
}
