/** Repeating expenses: each next one is planned a week before its day. */
import { Expense } from '@ordinator/model/areas/expenses/expense'
import { type ExpenseRepeat, monthsLater, repeatDay } from '@ordinator/model/areas/expenses/states'
import type { Create } from '@ordinator/model/entity'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { dayOf } from '#areas/money/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'

const AHEAD_DAYS = 7
/** Maximum number of repeats per run for one overdue expense. */
const MAX_MADE = 24

interface Due {
  id: number
  repeat: Exclude<ExpenseRepeat, 'none'>
  localDate: string
  month: string
  repeatTo: string | null
  made: number
}

export function startRepeats(app: AppContext): void {
  app.jobs.register('expenses.repeat', { cron: '20 5 * * *', handler: () => makeRepeats(app) })
}

/** Creates due repeats, once each. @returns their number */
export async function makeRepeats(app: AppContext): Promise<number> {
  return app.engine.for(systemActor).tx(async (inside, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('expenses.repeat', 0))`)
    const until = plusDays(await dayOf(tx, null), AHEAD_DAYS)
    const due = await tx.query<Due>(sql`
      select e."id", e."repeat", to_char(e."localDate", 'YYYY-MM-DD') as "localDate", to_char(e."month", 'YYYY-MM-DD') as month,
        to_char(e."repeatTo", 'YYYY-MM-DD') as "repeatTo",
        coalesce((select max(r."repeatNumber") from expenses r where r."idRepeatOf" = e."id"), 0)::int as made
      from expenses e where e."repeat" <> 'none' and not e."deleted" and e."idRepeatOf" is null order by e."id"`)
    let count = 0
    for (const one of due)
      for (let n = one.made + 1; n <= one.made + MAX_MADE; n++) {
        const day = repeatDay(one.localDate, one.repeat, n)
        if (day > until || (one.repeatTo !== null && day > one.repeatTo)) break
        const first = await inside.asSystem.row(Expense, one.id)
        const months =
          (Number(day.slice(0, 4)) - Number(one.localDate.slice(0, 4))) * 12 +
          Number(day.slice(5, 7)) -
          Number(one.localDate.slice(5, 7))
        await inside.asSystem.create(Expense, {
          localDate: day,
          month: monthsLater(one.month, months),
          idArticle: first.idArticle,
          idFilial: first.idFilial,
          purpose: first.purpose,
          sum: first.sum,
          vatCode: first.vatCode,
          idContractor: first.idContractor,
          payFrom: first.payFrom,
          idDesk: first.idDesk,
          idBankAccount: first.idBankAccount,
          idResponsible: first.idResponsible,
          idRepeatOf: first.id,
          repeatNumber: n,
          idAuthor: first.idAuthor,
        } as Create<typeof Expense>)
        count++
      }
    return count
  })
}
