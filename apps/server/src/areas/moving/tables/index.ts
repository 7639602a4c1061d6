import type { MoveTableKey } from '@ordinator/model/areas/moving/tables'
import type { AppContext } from '#records/context.ts'
import type { MovingTable } from '../table.ts'
import { adaptedTables } from './adapted.ts'
import { appointments } from './appointments.ts'
import { files } from './files.ts'
import { balances, certificates } from './money.ts'
import { plans } from './plans.ts'
import { performers, policies, relations } from './simple.ts'
import { visits } from './visits.ts'

const known = new WeakMap<AppContext, ReadonlyMap<MoveTableKey, MovingTable>>()

/** The tables of a move by their keys. */
export function movingTable(app: AppContext, key: MoveTableKey): MovingTable {
  const all =
    known.get(app) ??
    new Map(
      [
        ...adaptedTables(app),
        performers,
        relations,
        policies,
        balances,
        certificates,
        visits,
        appointments,
        plans,
        files,
      ].map((table) => [table.key, table]),
    )
  known.set(app, all)
  return all.get(key) as MovingTable
}
