/** Pending actions on sheets: for the page of sheets, and for the dashboard. */
import { type DueKind, dueKinds } from '@ordinator/model/areas/eln/rules'
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import type { Records } from '#records/records.ts'

/** Maximum number of sheets counted; of more the newest. */
const MAX_DUE = 500

export interface DueCount {
  kind: Exclude<DueKind, 'none'>
  count: number
}

/**
 * Numbers of visible sheets that are overdue, end today, need the commission or another action, the most urgent first.
 * Kinds without a sheet are omitted. A kind links to `/eln?due=<kind>`; its texts are in `dueKinds`.
 */
export async function dueLeaves(records: Records): Promise<DueCount[]> {
  const urgent = await records.rows(SickLeave, {
    'filter[due][neq]': 'none',
    fields: 'due',
    sort: '-id',
    limit: MAX_DUE,
  })
  return (Object.keys(dueKinds) as DueKind[]).flatMap((kind) => {
    const count = urgent.filter((one) => one.due === kind).length
    return kind === 'none' || count === 0 ? [] : [{ kind, count }]
  })
}
