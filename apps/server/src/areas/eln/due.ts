/** What waits to be done about sheets: for the page of sheets, and for the dashboard. */
import { type DueKind, dueKinds } from '@ordinator/model/areas/eln/rules'
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import type { Records } from '#records/records.ts'

/** Sheets that are counted one by one; of more the newest. */
const MAX_DUE = 500

export interface DueCount {
  kind: Exclude<DueKind, 'none'>
  count: number
}

/**
 * How many of the sheets that the asker sees are overdue, end today, need the commission or something else, the most
 * urgent first. Kinds without a sheet are left out. A kind leads to `/eln?due=<kind>`; its words are in `dueKinds`.
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
