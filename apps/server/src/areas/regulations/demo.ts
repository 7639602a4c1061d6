import {
  Regulation,
  RegulationAudience,
  RegulationRead,
  RegulationReviewer,
} from '@ordinator/model/areas/regulations/regulation'
import { RegulationRun, RunStep, Violation } from '@ordinator/model/areas/regulations/run'
import { RegulationStep, StepResponsible, StepScript } from '@ordinator/model/areas/regulations/step'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { Role } from '@ordinator/model/areas/staff/role'
import type { Create, Row, Update } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { actorOfUser } from '#auth/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import type { DemoRegulation } from './demoRegulation.ts'
import { demoRegulations } from './demoRegulations.ts'
import { assignReads } from './duties.ts'
import { reviewDay } from './regulations.ts'
import { enter } from './transitions.ts'
import { copyRegulation } from './versions.ts'

const DAY = 86_400_000

/** The regulations of the demo clinic, in every status; written by its chief doctor. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const known = await namesOf(records, tx)
  const chief = known.users.get('mironov')
  const actor = chief && (await actorOfUser(tx, chief))
  if (!actor) return
  const own = records.as(actor)
  for (const demo of demoRegulations) {
    const id = await makeDraft(own, demo, known)
    await settle(own, tx, id, demo)
    const inForce = demo.hasVersions ? await surround(own, tx, id, demo) : id
    if (demo.status === 'active') await giveToReaders(own, tx, inForce)
    await makeViolations(own, inForce, demo, known)
    if (demo.status === 'active') await makeRuns(own, tx, inForce, demo, known)
  }
}

interface Known {
  /** By login. */
  users: Map<string, number>
  /** By name. */
  roles: Map<string, number>
  scripts: Map<string, number>
}

async function namesOf(records: Records, tx: Tx): Promise<Known> {
  const users = await tx.query<{ id: number; login: string }>(sql`select "id", "login" from users`)
  const byName = (rows: { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [name, id]))
  return {
    users: new Map(users.map(({ id, login }) => [login, id])),
    roles: byName(await records.asSystem.rows(Role, { limit: 500 })),
    scripts: byName(await records.asSystem.rows(OldScript, { limit: 500 })),
  }
}

async function makeDraft({ asSystem: system }: Records, demo: DemoRegulation, known: Known): Promise<number> {
  const { name, description, type, reviewMonths = 0, test = null } = demo
  const { id: idRegulation } = await system.create(Regulation, {
    name,
    description,
    type,
    reviewMonths,
    test,
    idRole: known.roles.get(demo.role) ?? null,
    idResponsibleUser: known.users.get(demo.responsible) ?? null,
  })
  for (const step of demo.steps) {
    const { title, text, minutes = 0, status = 'active', importance = 'normal', type = 'internal', by = null } = step
    const { id: idStep } = await system.create(RegulationStep, {
      idRegulation,
      title,
      description: text,
      timeEstimate: minutes,
      status,
      importance,
      type,
      responsible: by,
    })
    for (const idScript of found(known.scripts, step.scripts)) await system.create(StepScript, { idStep, idScript })
    for (const idUser of found(known.users, step.people)) await system.create(StepResponsible, { idStep, idUser })
  }
  for (const { login, kind } of demo.reviewers ?? []) {
    const idUser = known.users.get(login)
    if (idUser) await system.create(RegulationReviewer, { idRegulation, idUser, kind })
  }
  for (const idRole of found(known.roles, demo.audience))
    await system.create(RegulationAudience, { idRegulation, idRole })
  return idRegulation
}

/** Sets the status of a draft. Past events are written without notices. */
async function settle(records: Records, tx: Tx, id: number, demo: DemoRegulation): Promise<void> {
  const { status, days, reviewMonths = 0, effectiveIn, rejectionReason } = demo
  if (status === 'review') {
    const draft = await records.row(Regulation, id)
    await enter({ actor: records.actor, tx, records }, draft, 'review', {})
  } else {
    const at = daysAgo(days)
    const past: Record<Exclude<DemoRegulation['status'], 'review'>, () => Promise<Past> | Past> = {
      template: () => ({ rejectionReason: rejectionReason ?? null }),
      approved: () => ({
        status,
        dateApproved: at,
        dateEffective: effectiveIn === undefined ? null : daysAgo(-effectiveIn).slice(0, 10),
      }),
      active: async () => ({
        status,
        dateApproved: at,
        dateActive: at,
        dateReview: await reviewDay(tx, at, reviewMonths),
      }),
      archived: () => ({ status, dateApproved: at, dateActive: at, dateArchived: daysAgo(Math.floor(days / 4)) }),
    }
    await records.asSystem.update(Regulation, id, await past[status]())
  }
  await tx.query(sql`update regulations set "created_at" = now() - make_interval(days => ${days + 14}),
    "updated_at" = now() - make_interval(days => ${days}) where "id" = ${id}`)
}
type Past = Update<typeof Regulation> & Partial<Row<typeof Regulation>>

/** Archives the first version, puts a copy of it into force, and adds a draft after it. @returns the one in force */
async function surround(records: Records, tx: Tx, id: number, demo: DemoRegulation): Promise<number> {
  const system = records.asSystem
  const first = await records.row(Regulation, id)
  await system.update(Regulation, id, { status: 'archived', dateArchived: daysAgo(demo.days) })
  const second = await copyRegulation(records, first, { idFirst: id, idPrevious: id, version: 2 })
  await settle(records, tx, second, demo)
  const third = await copyRegulation(records, await records.row(Regulation, second), {
    idFirst: id,
    idPrevious: second,
    version: 3,
  })
  const steps = await system.rows(RegulationStep, { 'filter[idRegulation]': third })
  const last = steps.at(-1)
  if (last) await system.update(RegulationStep, last.id, { timeEstimate: last.timeEstimate + 3, importance: 'high' })
  await system.create(RegulationStep, {
    idRegulation: third,
    title: 'Предложить следующую запись',
    description: '<p>Назовите врача и ближайшее время, предложите напоминание.</p>',
    timeEstimate: 2,
  })
  return second
}

/** Confirms reading for some of the audience. */
async function giveToReaders(records: Records, tx: Tx, idRegulation: number): Promise<void> {
  await assignReads({ actor: records.actor, tx, records }, idRegulation)
  const { hasTest } = await records.row(Regulation, idRegulation)
  const duties = await records.asSystem.rows(RegulationRead, { 'filter[idRegulation]': idRegulation, limit: 500 })
  for (const { id, idUser } of duties.filter((duty) => (duty.idUser + idRegulation) % 2 === 0))
    await records.asSystem.update(RegulationRead, id, {
      dateRead: daysAgo(idUser % 5),
      attempts: 1,
      score: hasTest ? 100 : null,
    })
}

async function makeViolations(
  { asSystem: system }: Records,
  idRegulation: number,
  { violations = [] }: DemoRegulation,
  { users }: Known,
): Promise<void> {
  const steps = await system.rows(RegulationStep, { 'filter[idRegulation]': idRegulation, limit: 500 })
  for (const { step, login, level, text, days, state = 'new', explanation = null, deduction = null } of violations) {
    const [idStep, idUser] = [steps[step]?.id, users.get(login)]
    if (!idStep || !idUser) continue
    await system.create(Violation, {
      idRegulation,
      idStep,
      idUser,
      level,
      description: text,
      ...{ state, explanation, deduction },
      dateCreate: daysAgo(days),
      idAuthor: users.get('mironov') ?? null,
    })
  }
}

/** Days since the runs of a monitored regulation. */
const runDays = [2, 5, 8, 12, 17, 23, 30, 38]

/** Creates finished runs of a monitored regulation, step by step, with their violations. */
async function makeRuns(
  { asSystem: system }: Records,
  tx: Tx,
  idRegulation: number,
  { violations = [] }: DemoRegulation,
  { users }: Known,
): Promise<void> {
  const people = [...new Set(violations.flatMap(({ login }) => users.get(login) ?? []))]
  for (const [at, days] of people.length ? runDays.entries() : []) {
    const [dateStart, dateEnd] = [daysAgo(days), daysAgo(days - 0.02)]
    await system.create(RegulationRun, {
      idRegulation,
      idUser: people[at % people.length] as number,
      state: 'finished',
      dateStart,
      dateEnd,
    } as Create<typeof RegulationRun>)
  }
  await system.updateWhere(
    RunStep,
    {
      rows: sql`select p."id", r."dateStart" as "from", r."dateEnd" as "to", r."idUser" as "user"
        from regulations_run_steps p join regulations_runs r on r."id" = p."idRun" where r."idRegulation" = ${idRegulation}`,
    },
    ({ picked }) => ({
      state: 'done' as const,
      dateStart: sql`${picked}."from"`,
      dateEnd: sql`${picked}."to"`,
      idUser: sql`${picked}."user"`,
    }),
    { pastHooks: 'Runs of the demo clinic are over' },
  )
  await tx.query(sql`update regulations_violations v set "idRun" = r."id", "source" = 'check'
    from regulations_runs r where r."idRegulation" = v."idRegulation" and r."idUser" = v."idUser" and v."state" <> 'new'
      and v."idRegulation" = ${idRegulation}
      and r."id" = (select min(x."id") from regulations_runs x where x."idRegulation" = v."idRegulation" and x."idUser" = v."idUser")`)
}

const found = (known: ReadonlyMap<string, number>, names: readonly string[] = []): number[] =>
  names.flatMap((name) => known.get(name) ?? [])

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString()
