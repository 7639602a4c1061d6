/** Wages that are calculated but not approved, and so not in the ledger. */
import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { slipTotalSql } from './records.ts'

/**
 * Kopecks by month (`2026-11`) and branch.
 * @param from and until first days of months; the second is excluded
 */
export const calculatedWages = (
  db: Queryable,
  { from, until, filials }: { from: string; until: string; filials: readonly number[] | null },
): Promise<{ month: string; idFilial: number; kopecks: number }[]> =>
  db.query(sql`select to_char(p."month", 'YYYY-MM') as month, p."idFilial", (sum(${slipTotalSql(raw('s'))}) * 100)::float8 as kopecks
    from payroll_periods p join payroll_slips s on s."idPeriod" = p."id" and not s."deleted"
    where not p."deleted" and p."status" in ('calculated', 'checked') and p."month" >= ${from} and p."month" < ${until}
      and ${filials === null ? raw('true') : sql`p."idFilial" = any (${[...filials]}::bigint[])`}
    group by 1, 2`)
