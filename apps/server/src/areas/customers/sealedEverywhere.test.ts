/**
 * A restricted card, over all entities and all declared calls: without a reason no role reads a word of it or of a record
 * that names it, by list, view, expansion, count, group, export, history, search, event, report, its drill-down and file,
 * print, or any other call that reads. Each question is asked twice: of the open card, where it must be answered, and of
 * the same card restricted.
 */
import { allowed, can } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { publishedView } from '@ordinator/model/areas/laboratory/access'
import type { Call } from '@ordinator/model/call'
import { everyCall } from '@ordinator/model/calls'
import { runs } from '@ordinator/model/testing/runs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { actorOfUser } from '#auth/index.ts'
import type { ServerActor } from '#records/actor.ts'
import { sealedThrough } from '#records/sealed.ts'
import { createVisibility } from '#records/visibility.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type Ask, answersToWrites, someOf } from '#testing/questions.ts'
import { makeSealedCard, type SealedCard, VALUE } from './testing/sealedCard.ts'
import { questionsAbout } from './testing/sealedQuestions.ts'

/** Roles of a usual run: one after another by the days. */
const ROLES = 2

/** References that show a name or a number only: money, stock and the pool of numbers stay whole without whose they are. */
const NAME_ONLY = [
  'calls/legs.idCall',
  'customers/relations.idRelative',
  'eln/numbers.idSickLeave',
  'fiscal-tasks.idPayment',
  'payments.idPayer',
  'payroll/lines.idCouponService',
  'sales-management/offer-services.idCouponService',
  'warehouse/documents.idAppointment',
  'warehouse/lines.idCouponService',
]
/** Calls that name a patient and are silent here, each with its reason or the test that asks it of a restricted card. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '/access-log': 'who opened whose card is what it is for',
  '/calls/incoming': 'calls/incoming.test.ts',
  '/eln/parts': 'sick leaves that the actor may view',
  '/payroll/lines/:id/services': 'the patient of the lines themselves is asked',
  '/promises': 'visits/sealed.test.ts',
  '/sales-management/requests/:id/matches': 'the list of cards, by a phone',
  '/waiting-list/matches': 'visits/sealed.test.ts',
  '/warehouse/batches/:id/patients': 'names cards by openName',
}

let clinic: Clinic
/** Holds every right, and so reaches every exit; the other roles reach fewer. */
let admin: Caller
/** Employees, one of each role. */
let people: { id: number; login: string; actor: ServerActor }[]
let card: SealedCard
let asks: Ask[]
/** By login: the questions that were answered about the open card, and then about the restricted one. */
const open = new Map<string, Set<Ask>>()
const leaks: string[] = []
/** Values of the laboratory shown to a user without the right to them. */
const values: string[] = []
let openRecords: ReadRecords
const registry = () => clinic.context.registry
const definitions = () => registry().definitions
type ReadRecords = Map<string, Set<number>>

beforeAll(async () => {
  clinic = await testApp({ demo: true, env: { DEMO: '1' } })
  admin = clinic.as('admin')
  const { db } = clinic
  const found = await db.query<{ id: number; login: string }>({
    text: `select distinct on (r."idRole") u."id"::int as id, u."login" from user_roles r join users u on u."id" = r."idUser"
      where u."login" <> 'admin' and not u."deleted" and not u."isBlocked" order by r."idRole", u."id"`,
  })
  people = await Promise.all(
    found.map(async (person) => ({ ...person, actor: (await actorOfUser(db, person.id)) as ServerActor })),
  )
  card = await makeSealedCard(clinic, admin)
  asks = await questionsAbout(clinic, card)
}, 600_000)
afterAll(() => clinic?.close())

/** Sends as users without the right to laboratory values the questions that reveal one to a user with all rights. */
async function askValues(withValue: readonly Ask[]): Promise<void> {
  const strangers = people.filter(({ actor }) => !allowed(actor, publishedView))
  expect([withValue.length > 5, strangers.length > 1]).toEqual([true, true])
  for (const { login } of someOf(strangers, 1)) {
    const caller = clinic.as(login)
    for (const ask of withValue) {
      const { status, text } = await ask.send(caller)
      if (status < 300 && text.includes(VALUE)) values.push(`${login} ${ask.kind} ${ask.what}`)
    }
  }
}

/** Reports, papers and histories differ by no scope of a role: in a usual run one reader is enough. */
const isUsual = ({ kind }: Ask) => runs(0, 1) === 1 || !/report|drill|background|print|history|file/.test(kind)

/** Records that name the card, by path: those that send events. */
async function readRecords(): Promise<ReadRecords> {
  const visibility = createVisibility(clinic.db, registry())
  const found: ReadRecords = new Map()
  for (const [path, ids] of card.named) {
    if (path === 'customers' || !sealedThrough(registry(), registry().at(path)) || ids.length === 0) continue
    const all = await visibility.checkVisibility(path, [...ids], people)
    const some = new Set([...all.values()].flatMap((one) => [...one]))
    if (some.size) found.set(path, some)
  }
  return found
}

it('finds by their declarations the entities that name a card or go with a record that does, each with a record', () => {
  expect(card.named.size).toBeGreaterThan(75)
  const without = [...card.named].filter(([, ids]) => ids.length === 0).map(([path]) => path)
  expect(without).toEqual([])
  const nameOnly = definitions().flatMap(({ entity }) => (entity.nameOnly ?? []).map((by) => `${entity.path}.${by}`))
  expect(nameOnly.toSorted()).toEqual(NAME_ONLY)
})

it('reveals an open card by questions of each kind', async () => {
  const readers = people.filter(({ actor }) => can(actor, 'view', Customer))
  const withValue: Ask[] = []
  for (const { login } of [{ login: 'admin' }, ...someOf(readers, ROLES)]) {
    const caller = clinic.as(login)
    const answered = new Set<Ask>()
    // Asked as a role: what a user with all rights was shown.
    for (const ask of open.get('admin')?.values().filter(isUsual) ?? asks) {
      const answer = await ask.send(caller)
      if (ask.leakIn(answer)) answered.add(ask)
      if (login === 'admin' && answer.text.includes(VALUE)) withValue.push(ask)
    }
    open.set(login, answered)
  }
  await askValues(withValue)
  openRecords = await readRecords()
  const leaking = open.get('admin') ?? new Set()
  const silent = [...card.named.keys()].filter(
    (path) =>
      !['list', 'count', 'view'].every((kind) =>
        [...leaking].some((ask) => ask.kind === kind && new RegExp(`^/${path}[/?]`).test(ask.what)),
      ),
  )
  expect(silent).toEqual([])
  const mute = [...Map.groupBy(asks, ({ kind }) => kind)].filter(([, all]) => !all.some((ask) => leaking.has(ask)))
  // Only some reports of a day have the patient.
  expect(mute.map(([kind]) => kind).filter((kind) => kind !== 'file of report')).toEqual([])
  const leaks = ({ path }: Call) => {
    const url = new RegExp(`^${path.replace(/:\w+/g, '\\d+')}(\\?|$)`)
    return [...leaking].some(({ what }) => url.test(what))
  }
  const naming = everyCall.filter((call) => call.method === 'GET' && call.access !== 'public' && namesCard(call.answer))
  expect(naming.flatMap((call) => (leaks(call) ? [] : [call.path])).toSorted()).toEqual(Object.keys(ELSEWHERE))
}, 600_000)

it('shows none of it once the card is restricted, by any exit, to any role', async () => {
  const { db } = clinic
  await clinic.context.jobs.drain()
  await db.query({ text: `update customers set "secretLevel" = 'vip' where "id" = $1`, values: [card.id] })
  for (const [login, answered] of open) {
    const caller = clinic.as(login)
    for (const ask of answered) {
      const leak = ask.leakIn(await ask.send(caller))
      if (leak) leaks.push(`${login} ${ask.kind} ${ask.what}: ${leak}`)
    }
  }
  expect(leaks).toEqual([])
}, 600_000)

it('shows no value of the laboratory to a user without the right to them', () => {
  expect(values).toEqual([])
})

it('refuses every call that writes about a record of it, or reads by a body', async () => {
  const answers = await answersToWrites(admin, card.named, card.id, ['/customers/:id/open'])
  expect(answers.length).toBeGreaterThan(60)
  const taken = answers.filter(({ answer }) => answer.status < 400)
  expect(taken.map(({ what, answer }) => `${what}: ${answer.status} ${answer.text.slice(0, 200)}`)).toEqual([])
}, 60_000)

it('sends no event of it', async () => {
  expect([...card.named.keys()].filter((path) => path !== 'customers' && !openRecords.has(path))).toEqual([])
  expect([...(await readRecords()).keys()]).toEqual([])
}, 60_000)

/** Whether a declared answer has a patient. */
function namesCard(answer: z.ZodType | undefined): boolean {
  if (!answer) return false
  const text = JSON.stringify(z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' }))
  return /"(idCustomer|idPatient|customers?|patients?)":\{(?!"type":"number")/.test(text)
}
