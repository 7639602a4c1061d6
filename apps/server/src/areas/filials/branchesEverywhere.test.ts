/**
 * Employees who see only their branches, over all entities and all declared calls: with every right they read nothing of
 * another branch by any exit, and everything of their own. Each question is asked of somebody without the limit, to whom it
 * must be answered, and of somebody with it.
 */
import { runs } from '@ordinator/model/testing/runs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actorOfUser } from '#auth/index.ts'
import type { ServerActor } from '#records/actor.ts'
import { branchFate, FOREIGN } from '#records/branches.ts'
import { createVisibility } from '#records/visibility.ts'
import { bodiesIn } from '#testing/bodies.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type Ask, answersToWrites } from '#testing/questions.ts'
import { questionsAboutBranch } from './testing/branchQuestions.ts'
import { makeBranchWorld, type Side } from './testing/branchWorld.ts'

/** Calls that reveal another branch on purpose. */
const ELSEWHERE: readonly (readonly [call: RegExp, reason: string])[] = [
  [/^\/integrations/, 'connections of the whole clinic, registers of desks among them'],
  [/^\/laboratory\/results\/history/, 'the medical record of a patient'],
]

/** Calls that show only numbers, with figures of them that some branch has. */
const FIGURES: readonly (readonly [url: string, figures: readonly string[]])[] = [
  ['/attachment/figures', ['waiting', 'decided30']],
  ['/egisz/figures?from=2026-01-01&to=2026-12-31', ['total', 'toSend', 'late']],
  ['/egisz/figures/events?from=2026-01-01&to=2026-12-31', ['total']],
  ['/eln/figures', ['open', 'closed90']],
  ['/expenses/plan-fact?from=2026-01&to=2026-12', ['plan', 'fact']],
  ['/expenses/profit?from=2026-01&to=2026-12', ['totals']],
  ['/laboratory/figures?from=2026-01-01&to=2026-12-31', ['orders', 'tests', 'samples']],
  ['/laboratory/now', ['toTake', 'toEnter', 'toConfirm', 'late', 'strays']],
  ['/live-assist/counts', ['active', 'robot', 'unassigned']],
  ['/live-assist/shift', ['queue', 'late', 'waiting']],
  ['/reports/kpi-analysis?month=2026-11', ['counts']],
  ['/service-online/counts', ['waiting', 'mine']],
  ['/service-online/figures?from=2026-01-01&to=2026-12-31', ['count']],
  ['/warehouse/balance', ['totals']],
  ['/warehouse/summary', ['drafts', 'expired', 'expiring', 'cost']],
]

let clinic: Clinic
/** Both hold every right; `narrow` sees one branch. */
let admin: Caller
let narrow: Caller
let idNarrow: number
let ours: Side
let theirs: Side
const of = { ours: [] as Ask[], theirs: [] as Ask[] }
const registry = () => clinic.context.registry

beforeAll(async () => {
  clinic = await testApp({ demo: true, env: { DEMO: '1' } })
  admin = clinic.as('admin')
  const made = await makeBranchWorld(clinic, admin)
  ours = made.ours
  theirs = made.theirs
  const one = await clinic.db.one<{ id: number }>({
    text: `insert into user_roles ("idUser", "idRole") select n."id", r."idRole" from users n
      cross join (select r."idRole" from user_roles r join users a on a."id" = r."idUser" where a."login" = 'admin') r
      where n."login" = 'manager' returning "idUser"::int as id`,
  })
  idNarrow = one?.id as number
  narrow = clinic.as('manager')
  of.theirs = await questionsAboutBranch(clinic, theirs)
  of.ours = await questionsAboutBranch(clinic, ours)
}, 600_000)
afterAll(() => clinic?.close())

const limit = (body: object) => admin.put(`/users/${idNarrow}`, body)

it('limits at once, and names the missing branches', async () => {
  const [path] = ['appointments']
  const seen = async () =>
    (await narrow.get(`/${path}?filter[idFilial]=${theirs.idFilial}&count=exact&limit=1`)).body._meta.totalCount
  await limit({ filials: [] })
  expect((await limit({ onlyFilials: true })).body).toEqual([
    { field: 'filials', message: 'Укажите филиалы, которые сотрудник будет видеть' },
  ])
  expect(await seen()).toBeGreaterThan(0)
  expect((await limit({ onlyFilials: true, filials: [ours.idFilial] })).status).toBe(200)
  expect(await seen()).toBe(0)
  expect((await narrow.put(`/users/${idNarrow}`, { onlyFilials: false })).body).toEqual([
    { field: 'onlyFilials', message: 'Какие филиалы вы видите, меняет другой сотрудник' },
  ])
})

it('finds by their declarations the entities with branches, each with a record of both', () => {
  const without = (side: Side) => [...side.named].filter(([, ids]) => ids.length === 0).map(([path]) => path)
  expect(theirs.named.size).toBeGreaterThan(100)
  expect([without(ours), without(theirs)]).toEqual([[], []])
})

it('reveals nothing of another branch, by any exit', async () => {
  const leaks: string[] = []
  const answered = new Map<string, number>()
  for (const ask of of.theirs) {
    if (!ask.leakIn(await ask.send(admin))) continue
    answered.set(ask.kind, (answered.get(ask.kind) ?? 0) + 1)
    if (ELSEWHERE.some(([call]) => call.test(ask.what))) continue
    const leak = ask.leakIn(await ask.send(narrow))
    if (leak) leaks.push(`${ask.kind} ${ask.what}: ${leak}`)
  }
  expect(leaks).toEqual([])
  const mute = [...new Set(of.theirs.map(({ kind }) => kind))].filter((kind) => !answered.has(kind))
  expect(mute.filter((kind) => kind !== 'file of report')).toEqual([])
  expect(answered.get('call')).toBeGreaterThan(10)
}, 600_000)

it('shows everything of the own branch', async () => {
  const lost: string[] = []
  let shown = 0
  const isUsual = ({ kind }: Ask) => runs(0, 1) === 1 || /list|view|call|report|expand/.test(kind)
  for (const ask of of.ours.filter(isUsual)) {
    if (!ask.leakIn(await ask.send(admin))) continue
    shown++
    const answer = await ask.send(narrow)
    if (!ask.leakIn(answer)) lost.push(`${ask.kind} ${ask.what}: ${answer.status} ${answer.text.slice(0, 120)}`)
  }
  expect(lost).toEqual([])
  expect(shown).toBeGreaterThan(200)
}, 600_000)

it('refuses every call that writes about a record of another branch', async () => {
  const patient = await clinic.db.one<{ id: number }>({ text: 'select "id"::int as id from customers limit 1' })
  const answers = await answersToWrites(narrow, theirs.named, patient?.id as number, [])
  expect(answers.length).toBeGreaterThan(100)
  const taken = answers.filter(({ answer }) => answer.status < 400)
  expect(taken.map(({ what, answer }) => `${what}: ${answer.status} ${answer.text.slice(0, 200)}`)).toEqual([])
}, 120_000)

it('creates nothing in another branch', async () => {
  const { bodyOf } = bodiesIn(clinic, admin)
  const taken: string[] = []
  let refused = 0
  for (const d of registry().definitions) {
    const { kind, by } = branchFate(registry(), d)
    if (kind !== 'own' || !d.entity.access.create) continue
    const [field = ''] = by
    const body = await bodyOf(d.entity, { [field]: theirs.idFilial }).catch(() => undefined)
    if (!body) continue
    const answer = await narrow.post(`/${d.entity.path}`, body)
    if (answer.status < 300) taken.push(`${d.entity.path} ${answer.text.slice(0, 100)}`)
    if (answer.text.includes(FOREIGN)) refused++
  }
  expect(taken).toEqual([])
  expect(refused).toBeGreaterThan(10)
}, 120_000)

it('sends no event of another branch', async () => {
  const visibility = createVisibility(clinic.db, registry())
  const people = await Promise.all(
    ['admin', 'manager'].map(async (login) => {
      const one = await clinic.db.one<{ id: number }>({
        text: 'select "id"::int as id from users where "login" = $1',
        values: [login],
      })
      const id = one?.id as number
      return { id, actor: (await actorOfUser(clinic.db, id)) as ServerActor }
    }),
  )
  const [wide, limited] = people.map(({ id }) => id) as [number, number]
  const events: string[] = []
  let some = 0
  for (const [path, ids] of theirs.named) {
    const seen = await visibility.checkVisibility(path, [...ids], people)
    some += seen.get(wide)?.size ?? 0
    if (seen.get(limited)?.size) events.push(path)
  }
  expect(events).toEqual([])
  expect(some).toBeGreaterThan(200)
}, 60_000)

it('counts nothing of other branches in figures', async () => {
  const { id } = (await admin.post('/filials', { nameFilial: 'Новый филиал' })).body
  await limit({ filials: [id] })
  const sum = (value: unknown): number => {
    if (typeof value === 'number') return Math.abs(value)
    return value === null || typeof value !== 'object'
      ? 0
      : Object.values(value).reduce<number>((all, one) => all + sum(one), 0)
  }
  const of = async (caller: Caller, url: string, figures: readonly string[]) => {
    const { body, status } = await caller.get(url)
    return status === 200 ? figures.reduce((all, name) => all + sum(body[name]), 0) : status
  }
  const found = []
  for (const [url, figures] of FIGURES)
    found.push([url, (await of(admin, url, figures)) > 0, await of(narrow, url, figures)])
  expect(found).toEqual(FIGURES.map(([url]) => [url, true, 0]))
  await limit({ filials: [id, ours.idFilial] })
  expect((await narrow.get('/reports/kpi-analysis?month=2026-11')).body.message).toBe('Выберите один из своих филиалов')
})
