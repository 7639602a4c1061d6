/** State of a desk according to the ledger, the cash register and the terminal, which must agree. */
import { expect, vi } from 'vitest'
import type { Clinic } from './harness.ts'

export function booksOf(clinic: Clinic) {
  const query = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })

  /** Prints queued receipts, as the job does, until none is left. */
  const printed = () =>
    vi.waitFor(
      async () => {
        await clinic.context.jobs.run('money.receipts')
        const left = await query(`select 1 from fiscal_tasks where "status" not in ('done', 'cancelled')
          union all select 1 from fiscal_printers where "claimedUntil" > now()`)
        expect(left).toEqual([])
      },
      { timeout: 60_000, interval: 20 },
    )

  /** In rubles: cash in the drawer, card payments, and the register's documents in order. */
  async function of(idDesk: number): Promise<{ drawer: number; card: number; printed: string[] }> {
    const held = await query<{ method: string; sum: number }>(
      `select a."method", (sum(e."amount") / 100.0)::float8 as sum from ledger_accounts a
       join ledger_entries e on e."idAccount" = a."id" where a."kind" = 'desk' and a."idDesk" = $1 group by 1`,
      idDesk,
    )
    const by = (...methods: string[]) =>
      held.filter(({ method }) => methods.includes(method)).reduce((sum, one) => sum + one.sum, 0)
    const card = by('card', 'sbp')
    // The terminal has charged each operation once, with the amounts of the ledger.
    const [charged] = await query<{ sum: number; most: number }>(
      `select coalesce(sum(case "kind" when 'pay' then "amount" * "times" when 'refund' then -"amount" * "times" else 0 end), 0)::float8 / 100 as sum,
         coalesce(max("times"), 1)::int as most from simulated_charges where "idDesk" = $1`,
      idDesk,
    )
    expect(charged).toEqual({ sum: card, most: 1 })
    // Our queued documents are printed, each once and with the number we have, and nothing else is.
    const documents = await query<{ key: string; kind: string; fd: number }>(
      `select "key", "kind", "fd"::int as fd from simulated_documents where "idDesk" = $1 order by "fd"`,
      idDesk,
    )
    const tasks = await query<{ key: string; kind: string; fd: number }>(
      `select "key", "kind", "fd"::int as fd from fiscal_tasks where "idDesk" = $1 and "status" = 'done' order by "fd"`,
      idDesk,
    )
    expect(documents).toEqual(tasks)
    expect(new Set(documents.map(({ key }) => key)).size).toBe(documents.length)
    // The receipts add up to the money taken and refunded.
    const receipts = await query<{ type: string; sum: number }>(
      `select p->>'type' as type, (sum((case "kind" when 'sell' then 1 else -1 end) * (p->>'sum')::bigint) / 100.0)::float8 as sum
       from simulated_documents, jsonb_array_elements("receipt"->'payments') p
       where "idDesk" = $1 and "kind" in ('sell', 'sellReturn') group by 1`,
      idDesk,
    )
    const sumOf = (type: string) => receipts.find((one) => one.type === type)?.sum ?? 0
    const taken = await query<{ type: string; sum: number }>(
      `select case a."method" when 'cash' then 'cash' else 'electronically' end as type, (sum(e."amount") / 100.0)::float8 as sum
       from ledger_txs t join ledger_entries e on e."idTx" = t."id" join ledger_accounts a on a."id" = e."idAccount"
       where a."kind" = 'desk' and a."idDesk" = $1 and t."kind" in ('payment', 'refund') group by 1`,
      idDesk,
    )
    for (const type of ['cash', 'electronically'])
      expect([type, sumOf(type)]).toEqual([type, taken.find((one) => one.type === type)?.sum ?? 0])
    // The register has an open shift exactly when the desk has.
    const [shifts] = await query<{ ours: number; theirs: number | null }>(
      `select (select count(*)::int from cash_shifts where "idDesk" = $1 and "dateClosed" is null) as ours,
         (select count("shift")::int from simulated_devices where "idDesk" = $1 and "device" = 'kkt') as theirs`,
      idDesk,
    )
    expect(shifts?.theirs).toBe(shifts?.ours)
    return { drawer: by('cash'), card, printed: documents.map(({ kind }) => kind) }
  }
  return { printed, of }
}
