/** Training simulator: patients who write and call by a plan; only in the demo clinic. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call, TRAINING_PBX } from '@ordinator/model/areas/calls/call'
import { centreCalls, type RunStatus, type Scenario } from '@ordinator/model/areas/centre/calls'
import { LiveAssist, Visitor } from '@ordinator/model/areas/chats/liveAssist'
import sql from 'sql-template-tag'
import { keepCall } from '#areas/calls/index.ts'
import { receiveLine } from '#areas/chats/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { type Person, planOf, type Step } from './plan.ts'
import { callAfter } from './wire.ts'

const JOB = 'centre.simulate'
/** Seconds: the longest plan takes over ten minutes at its own pace. */
const LIFE_S = 3_600
const LINE = '+79000000700'

interface Run {
  id: number
  scenario: Scenario
  seed: number
  speed: number
  status: RunStatus
  step: number
  total: number
  dateCreate: string
}

const runSql = sql`select "id"::int as id, "scenario", "seed", "speed", "status", "step", "total", "dateCreate" from simulator_runs`

export function startSimulator(app: AppContext): void {
  app.jobs.register<{ id: number }>(JOB, {
    timeout: LIFE_S,
    handler: ({ id }, { signal }) => simulate(app, id, (ms) => sleep(ms, undefined, { signal })),
  })
}

/** @throws HttpError 404 in a clinic that is not the demo */
async function assertDemo(app: AppContext, db: Queryable): Promise<void> {
  if (!app.config.demo || !(await db.one(sql`select 1 from demo_clinic`)))
    throw notFound('Симулятор есть только в демонстрационной клинике')
}

async function look(db: Queryable) {
  const [run, made] = await Promise.all([
    db.one<Run>(sql`${runSql} order by "id" desc limit 1`),
    db.one<{ chats: number; calls: number }>(sql`select
      (select count(*)::int from live_assist where "training" and not "deleted") as chats,
      (select count(*)::int from calls where "training") as calls`),
  ])
  return { run: run ?? null, made: made ?? { chats: 0, calls: 0 } }
}

const simulator = operation(centreCalls.simulator, async ({ app }) => {
  await assertDemo(app, app.db)
  return look(app.db)
})

const start = operation(centreCalls.startSimulator, async ({ app, actor, body }) => {
  await begin(app, body, actor.id)
  return look(app.db)
})

/** @throws HttpError 409 while a run goes on */
const begin = (
  app: AppContext,
  body: { scenario: Scenario; speed: number; seed?: number | undefined },
  idUser: number,
) =>
  app.db.tx(async (tx) => {
    await assertDemo(app, tx)
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${JOB}, 0))`)
    if (await tx.one(sql`select 1 from simulator_runs where "status" = 'running'`))
      throw new HttpError(409, 'Симулятор уже идёт: сначала остановите его', { code: 'running' })
    const seed = body.seed ?? 1 + Math.floor(Math.random() * 999_999)
    const { steps } = planOf(body.scenario, seed)
    const made = await tx.one<{
      id: number
    }>(sql`insert into simulator_runs ("scenario", "seed", "speed", "total", "idUser")
      values (${body.scenario}, ${seed}, ${body.speed}, ${steps.length}, ${idUser}) returning "id"::int as id`)
    await app.jobs.send(JOB, { id: made?.id }, { tx })
  })

/** Lets patients write and call for a trainee, unless they already do. */
export async function playPatients(app: AppContext, idUser: number): Promise<void> {
  await begin(app, { scenario: 'day', speed: 1 }, idUser).catch((error) => {
    if (!(error instanceof HttpError && error.status === 409)) throw error
  })
}

const stop = operation(centreCalls.stopSimulator, async ({ app }) => {
  await assertDemo(app, app.db)
  await app.db.query(sql`update simulator_runs set "status" = 'stopped', "dateEnd" = now() where "status" = 'running'`)
  return look(app.db)
})

const clear = operation(centreCalls.clearSimulator, async ({ app, records }) => {
  await records.tx(async (inner, tx) => {
    await assertDemo(app, tx)
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${JOB}, 0))`)
    if (await tx.one(sql`select 1 from simulator_runs where "status" = 'running'`))
      throw new HttpError(409, 'Симулятор ещё идёт: сначала остановите его', { code: 'running' })
    const system = inner.asSystem
    const past = { pastHooks: 'training data send no notices' }
    await system.deleteWhere(
      Appeal,
      ({ row }) => sql`not ${row}."deleted" and (${row}."entityType" = 'call'
          and exists (select from calls c where c."training" and c."id" = ${row}."idEntity")
        or ${row}."entityType" = 'live-assist'
          and exists (select from live_assist c where c."training" and c."id" = ${row}."idEntity"))`,
      past,
    )
    await system.deleteWhere(LiveAssist, ({ row }) => sql`${row}."training" and not ${row}."deleted"`, past)
    await system.deleteWhere(Call, ({ row }) => sql`${row}."training"`, past)
  })
  return look(app.db)
})

/**
 * Plays a run from its current step. A step interrupted half-way is repeated with the same keys, and so is done once.
 */
export async function simulate(app: AppContext, id: number, wait: (ms: number) => Promise<unknown>): Promise<void> {
  const first = await app.db.one<Run>(sql`${runSql} where "id" = ${id}`)
  if (first?.status !== 'running') return
  await assertDemo(app, app.db)
  const { people, steps } = planOf(first.scenario, first.seed)
  const world = await worldOf(app)
  for (let at = first.step; at < steps.length; at++) {
    const step = steps[at] as Step
    await wait(step.after / first.speed)
    // It may have been stopped meanwhile.
    if (!(await app.db.one(sql`select 1 from simulator_runs where "id" = ${id} and "status" = 'running'`))) return
    await play(app, world, `${id}`, at, step, people[step.who] as Person)
    await app.db.query(sql`update simulator_runs set "step" = ${at + 1} where "id" = ${id}`)
  }
  await app.db.query(
    sql`update simulator_runs set "status" = 'done', "dateEnd" = now() where "id" = ${id} and "status" = 'running'`,
  )
}

interface World {
  idFilial: number | null
  /** By call: the short numbers it may ring, as they were when it began. */
  phones: Map<string, string[]>
}

async function worldOf({ db }: AppContext): Promise<World> {
  const filial = await db.one<{ id: number }>(
    sql`select "id"::int as id from filials where "active" and not "deleted" order by "id" limit 1`,
  )
  return { idFilial: filial?.id ?? null, phones: new Map() }
}

/**
 * Short numbers of employees with a phone, online ones first. In a training clinic calls ring those who are in it, as long
 * as anybody is.
 */
export async function phonesOf({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<string[]> {
  const phones = await db.query<{ sip: string; online: boolean }>(sql`
    select "sipPhone" as sip, coalesce("lastActive" > now() - interval '5 minutes', false) as online from users
    where "sipPhone" ~ '^\\d{2,5}$' and not "deleted" and not "isBlocked" order by "lastActive" desc nulls last, "id" limit 100`)
  const online = config.training ? phones.filter((phone) => phone.online) : []
  return (online.length > 0 ? online : phones).map(({ sip }) => sip)
}

async function play(app: AppContext, world: World, run: string, at: number, step: Step, person: Person): Promise<void> {
  const system = app.engine.for(systemActor)
  if (step.does === 'say') {
    const idVisitor = await visitorOf(app, run, step.who, person)
    const { idFilial } = world
    const origin = {
      idDomain: null,
      idChannel: null,
      idFilial,
      idGroup: null,
      source: 'widget',
      sourceName: 'Учебный чат',
      robot: false,
    }
    await receiveLine(app, idVisitor, origin, { clientId: `training-${run}-${at}`, text: step.text }).catch(
      (error: unknown) => {
        // A flood is rate-limited, and the excess is dropped.
        if (!(error instanceof HttpError && error.status === 429)) throw error
      },
    )
    return
  }
  const session = `training-${run}-${step.call}`
  const begun = await app.db.one<{ at: string }>(
    sql`select "dateCreate" as at from calls where "pbx" = ${TRAINING_PBX} and "idCallSession" = ${session}`,
  )
  const phones = world.phones.get(session) ?? (await phonesOf(app))
  world.phones.set(session, phones)
  const sipOf = (at: number) => phones[at % Math.max(1, phones.length)] ?? null
  // Its length follows the plan, at any speed of the run.
  const begin = begun ? Date.parse(begun.at) : Date.now()
  const called = { session, phone: person.phone, line: LINE, sip: sipOf(step.operator), other: sipOf(step.other) }
  const call = callAfter(step, called, begin)
  if (call) await keepCall(system, TRAINING_PBX, call)
}

/** One visitor per person of a run, marked as simulated. */
async function visitorOf(app: AppContext, run: string, who: number, { name, phone }: Person): Promise<number> {
  const idExternal = `training-${run}-${who}`
  return app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${idExternal}, 0))`)
    const there = await tx.one<{ id: number }>(sql`select "id"::int as id from live_assist_visitors
      where "training" and "idExternal" = ${idExternal}`)
    return there?.id ?? (await records.asSystem.create(Visitor, { name, phone, idExternal, training: true })).id
  })
}

export const simulatorCalls = [simulator, start, stop, clear]
