import type { ChoiceKind, Move, MoveClashes, MoveStrangers, MoveTwins } from '@ordinator/model/areas/moving/move'
import type { MoveProgram, MoveSum, MoveTableKey } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import type { Cells, ImporterColumn } from '#areas/imports/index.ts'
import type { Tx } from '#platform/db.ts'
import type { FieldError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

/** The column of another program's own id. */
export const KEY = 'Код в прежней программе'
export const keyColumn = (examples: readonly [string, string], also: readonly string[] = []): ImporterColumn => ({
  name: KEY,
  also: ['id', 'код', 'идентификатор', 'guid', 'externalid', 'внешний код', ...also],
  examples,
})

/** A patient of a row without a code. */
export interface Person {
  /** As the choice of a card names it: «Орлов Илья, +7 (912) 000-11-22». */
  label: string
  phones: readonly string[]
  /** Words of the name in one spelling. */
  words: readonly string[]
  /** `YYYY-MM-DD`. */
  birthday?: string
  card?: string
  snils?: string
  policy?: string
  /** The cells as an import of cards takes them. */
  cells: Cells
}

/** Cards to be made of rows of a portion: placeholder ids, which are negative, for persons. */
export interface StrangerIds {
  of(person: Person): number
  at(id: number): Person
}

export interface MovingContext {
  app: AppContext
  records: Records
  tx: Tx
  move: Row<typeof Move>
  /** Source of these ids: the program, or this move alone of a program without a name. */
  source: string
  file: {
    id: number
    fileName: string
    table: MoveTableKey
    twins: MoveTwins
    strangers: MoveStrangers
    clashes: MoveClashes
    key: string | null
    mapping: Readonly<Record<string, number>>
  }
  /** Cards to be made of rows of this portion. */
  strangers: StrangerIds
  program: MoveProgram
  /** Nothing is written: records that earlier tables will make count as present. */
  isRehearsal: boolean
  /** Day of the move by the clock of its branch, and the zone. */
  day: string
  zone: string
}

/** Rows of one record, with the record that they are known to be of. */
export interface Group {
  key: string | null
  rows: readonly { row: number; cells: Cells }[]
  known?: Known
}

export interface Known {
  id: number
  file: Record<string, unknown> | null
  here: Record<string, unknown> | null
}

export interface Sum {
  kind: MoveSum
  /** The patient, by the id of the other program. */
  who: string
  kopecks: number
  /** The cell was not read: its sum is in no figure. */
  unread?: true
}

export interface UnknownName {
  kind: ChoiceKind | 'statuses'
  name: string
}

export interface Checked<V> {
  /** Absent: the row is left, with the reason in `errors`. */
  values?: V
  errors: FieldError[]
  /** Warnings about a row that is loaded. */
  notes: FieldError[]
  /** The search for duplicates has found a card. */
  isDuplicate?: boolean
  unknown?: UnknownName[]
  sums?: Sum[]
  /** Values of the file, compared with those of the former file. */
  body?: Record<string, unknown>
}

export interface Written {
  /** The record of the group: its external id is kept. Absent: nothing has come of it. */
  id?: number
  /** Made records, the main one included. */
  made: readonly { path: string; id: number }[]
  errors?: FieldError[]
}

export interface Work<V> {
  values: V
  group: Group
  key: string
}

export interface Opened<V> {
  check(group: Group): Checked<V>
  /** Writes new records in their order. */
  create(works: readonly Work<V>[]): Promise<Written[]>
  /** Changes records that are known; of `fields`, absent: all. */
  change(works: readonly (Work<V> & { fields?: Record<string, unknown> })[]): Promise<Written[]>
}

export interface MovingTable<V = unknown> {
  key: MoveTableKey
  columns: readonly ImporterColumn[]
  /** Under which external ids are kept; the path of an entity where there is one. */
  path: string
  /** Columns that identify a row where the file has no id of its own. */
  natural: readonly string[]
  /** Several rows make one record. */
  grouped?: true
  /**
   * How a change here is detected: by `fields` of the entity's table, by the record's version (`whole`), or never,
   * where a change of the file is a difference that is added (`sum`).
   */
  compare: 'fields' | 'whole' | 'sum'
  portion: number
  open(context: MovingContext, groups: readonly Group[]): Promise<Opened<V>>
  /** A message about the whole file, when all its rows are done. */
  ended?(context: MovingContext): Promise<string | null>
}

export const defineTable = <V>(table: MovingTable<V>): MovingTable => table as unknown as MovingTable
