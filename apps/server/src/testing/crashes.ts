/**
 * Kills the server between any two steps of an operation on money, or of a background run.
 *
 * A step is the beginning of a transaction that writes to a money table, its commit, or an action of a cash register or
 * terminal. A killed process writes nothing more: its open transaction is rolled back, and committed data stay.
 */
import { setTimeout } from 'node:timers/promises'
import { runs } from '@ordinator/model/testing/runs'
import { expect, vi } from 'vitest'
import type { Clinic } from './harness.ts'

/** Tables of money, and of what is charged when provided. */
const MONEY = '^(payments|money_|terminal_|ledger_|certificates|bonus|fiscal_|cash_shifts|coupon|appointments)'
/** Storage of simulated devices: what is written there has been done, whatever happens to the server. */
const theirs = ['simulated_documents', 'simulated_charges']

export interface Deaths {
  /**
   * Repeats the operation, each time killed later within `dying`, until it finishes: at every second step, the odd ones or
   * the even ones by chance; `npm test -- long`: at each step.
   * @param stride steps between two kills; for operations that take long
   * @returns the number of steps
   */
  each(run: (dying: (work: () => Promise<unknown>) => Promise<void>) => Promise<void>, stride?: number): Promise<number>
  /** Waits until nothing is being printed. */
  quiet(): Promise<void>
}

/** After this much silence the killed process is considered gone. */
const STILL_MS = 100
/** Steps between two kills. */
const STRIDE = runs(2, 1)

/** @param tables whose writes are steps: a regular expression of their names; absent: those of money */
export async function deathsIn(clinic: Clinic, tables = MONEY): Promise<Deaths> {
  const query = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })
  await query('create sequence death_steps')
  await query('create table death ("at" int)')
  await query(`create function death() returns trigger language plpgsql as $$
    declare step text := tg_argv[0]; dies int := (select "at" from death);
    begin
      if dies is null or (step <> 'theirs' and coalesce(current_setting('death.' || step, true), '') <> '')
        -- What is a transaction by itself has one step.
        or (step = 'commit' and statement_timestamp() = transaction_timestamp()) then
        return case tg_op when 'DELETE' then old else new end;
      end if;
      perform set_config('death.' || step, 'yes', true);
      if nextval('death_steps') >= dies then raise 'dead'; end if;
      return case tg_op when 'DELETE' then old else new end;
    end $$`)
  const found = await query<{ name: string }>(
    `select t.relname as name from pg_class t
      where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and t.relname ~ $1`,
    tables,
  )
  expect(found.length).toBeGreaterThan(tables === MONEY ? 15 : 0)
  for (const { name } of found) {
    await query(
      `create trigger aa_death before insert or update or delete on ${name} for each row execute function death('begin')`,
    )
    await query(`create constraint trigger death_commit after insert or update or delete on ${name}
      deferrable initially deferred for each row execute function death('commit')`)
  }
  for (const name of theirs)
    await query(`create trigger aa_death before insert on ${name} for each row execute function death('theirs')`)

  const steps = async (): Promise<number> => {
    const [row] = await query<{ steps: number }>(
      `select case when "is_called" then "last_value" else 0 end::int as steps from death_steps`,
    )
    return row?.steps ?? 0
  }
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await query<{
      quiet: boolean
    }>(`select not exists (select 1 from fiscal_printers where "claimedUntil" > now())
      and not exists (select 1 from fiscal_tasks where "status" in ('queued', 'sending', 'unknown')) as quiet`)
    return row?.quiet ?? false
  }
  const until = (holds: () => Promise<void>) => vi.waitFor(holds, { timeout: 60_000, interval: 5 })
  const quiet = () => until(async () => expect(await isQuiet()).toBe(true))

  /** Fails the next write of any worker still running: otherwise it would work beside its successor. */
  const still = async () => {
    for (let before = -1, now = await steps(); now !== before; now = await steps()) {
      before = now
      await setTimeout(STILL_MS)
    }
  }

  let at = 0
  let died = false
  /** Of an operation that was not killed. */
  let whole = 0
  async function dying(work: () => Promise<unknown>): Promise<void> {
    await quiet()
    await query('alter sequence death_steps restart')
    await query('insert into death values ($1)', at)
    try {
      await work()
      await until(async () => expect((await steps()) >= at || (await isQuiet())).toBe(true))
      died = (await steps()) >= at
      if (died) await still()
      else whole = await steps()
    } finally {
      await query('delete from death')
    }
    // Lets claims of the killed process expire, so that others can take over.
    await query(`update terminal_operations set "claimedUntil" = now() - interval '1 hour'`)
    await query(`update fiscal_printers set "claimedUntil" = now() - interval '1 hour'`)
    await query(`update background_runs set "claimedUntil" = now() - interval '1 hour'`)
  }

  return {
    quiet,
    async each(run, stride = STRIDE) {
      const first = 1 + Math.floor(Math.random() * stride)
      for (at = first; at === first || died; at += stride) {
        died = false
        await run(dying).catch((error: Error) => {
          throw new Error(`killed at step ${at}: ${error.message}`, { cause: error })
        })
      }
      return whole
    },
  }
}

/**
 * Kills the server at every step of a background run. The run must end all the same, by another server that finds it.
 * @param tables whose writes are steps: a regular expression of their names
 * @param begin queues the run
 * @param check that its result is whole
 * @returns the number of kills
 */
export async function killRuns(
  clinic: Clinic,
  tables: string,
  begin: () => Promise<number>,
  check: (id: number) => Promise<void>,
): Promise<number> {
  const { jobs } = clinic.context
  const deaths = await deathsIn(clinic, `${tables}|^background_runs$`)
  return deaths.each(async (dying) => {
    const id = await begin()
    await dying(() => jobs.drain())
    await jobs.run('runs.resume')
    await jobs.drain()
    await check(id)
    expect(await clinic.db.query({ text: 'select "job", "idEntity" from background_runs' })).toEqual([])
  })
}
