import type { Move, MoveTwins } from '@ordinator/model/areas/moving/move'
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

export interface MovingContext {
  app: AppContext
  records: Records
  tx: Tx
  move: Row<typeof Move>
  /** Whose ids these are: the program, or this move alone of a program without a name. */
  source: string
  file: { id: number; fileName: string; table: MoveTableKey; twins: MoveTwins; key: string | null }
  program: MoveProgram
  /** Nothing is written: what earlier tables will make counts as being there. */
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
}

export interface UnknownName {
  kind: 'doctors' | 'services'
  name: string
}

export interface Said<V> {
  /** Absent: the row is left, and `errors` say why. */
  values?: V
  errors: FieldError[]
  /** What is doubted of a row that goes in. */
  notes: FieldError[]
  /** The house's search for duplicates has found a card. */
  isTwin?: boolean
  unknown?: UnknownName[]
  sums?: Sum[]
  /** What the file says, as it is compared with what it said before. */
  body?: Record<string, unknown>
}

export interface Written {
  /** The record of the group: its external id is kept. Absent: nothing has come of it. */
  id?: number
  /** What was made, the record itself too. */
  made: readonly { path: string; id: number }[]
  errors?: FieldError[]
}

export interface Work<V> {
  said: V
  group: Group
  key: string
}

export interface Opened<V> {
  check(group: Group): Said<V>
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
  /** Columns that tell a row apart where the file has no id of its own. */
  natural: readonly string[]
  /** Several rows make one record. */
  grouped?: true
  /**
   * How a change here is told: by `fields` of the entity's table, by the record's version (`whole`), or never, where a
   * change of the file is a difference that is added (`sum`).
   */
  compare: 'fields' | 'whole' | 'sum'
  portion: number
  open(context: MovingContext, groups: readonly Group[]): Promise<Opened<V>>
}

export const defineTable = <V>(table: MovingTable<V>): MovingTable => table as unknown as MovingTable
