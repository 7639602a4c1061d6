import { randomUUID } from 'node:crypto'
import { ChatDomain, ChatGroup } from '@ordinator/model/areas/chats/chatSettings'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

/** From the clinic's default outcomes. */
const CONSULTED = 2

interface Operator {
  caller: Caller
  id: number
}

let clinic: Clinic
let secondServer: Awaited<ReturnType<Clinic['secondProcess']>>
let chief: Caller
const operators: Operator[] = []

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      for (const login of ['anna', 'boris', 'vera'])
        operators.push({ caller: undefined as never, id: (await addPerson(app, login, ['supportOperator'])).id })
      await addPerson(app, 'chief', ['supportOperator', 'superviseLiveAssist'])
      await addPerson(app, 'keeper', ['editLiveAssistDomainMap'])
    },
  })
  chief = clinic.as('chief')
  for (const [at, login] of ['anna', 'boris', 'vera'].entries()) {
    const one = operators[at] as Operator
    one.caller = clinic.as(login)
    await one.caller.token()
  }
  await chief.token()
  secondServer = await clinic.secondProcess()
})
afterAll(async () => {
  await secondServer.close()
  await clinic.close()
})

const keeper = () => clinic.as('keeper')
const sql = (text: string, values: unknown[] = []) => clinic.db.query({ text, values })
const set = (name: string, value: unknown) =>
  sql(
    `insert into common_settings ("name", "value") values ($1, $2::jsonb) on conflict ("name") do update set "value" = excluded."value"`,
    [name, JSON.stringify(value)],
  )
const assign = () => clinic.context.jobs.run('chats.assign')
const [anna, boris, vera] = [
  () => operators[0] as Operator,
  () => operators[1] as Operator,
  () => operators[2] as Operator,
]
const is = async (who: Operator, status: string) => good(await who.caller.post('/live-assist/presence', { status }))

let serial = 0
/** A chat that has waited for this many minutes. */
async function waiting(minutes: number, idGroup: number | null = null): Promise<number> {
  const at = new Date(Date.now() - minutes * 60_000).toISOString()
  const chat = await clinic.context.engine.for(systemActor).asSystem.create(LiveAssist, {
    name: `Гость ${++serial}`,
    queuedAt: at,
    inCount: 1,
    lastMessage: 'Здравствуйте',
    idGroup,
  })
  return chat.id
}
const ownerOf = async (id: number) =>
  (
    await clinic.db.one<{ idUser: number | null }>({
      text: 'select "idUser" from live_assist where id = $1',
      values: [id],
    })
  )?.idUser ?? null

beforeEach(async () => {
  await sql(`update live_assist set "status" = 'archive'`)
  await sql('delete from live_assist_operators')
  await set('liveAssistAutomatic', true)
  await set('liveAssistLimit', 2)
  await set('liveAssistSilence', 90)
})

describe('waiting chats', () => {
  it('are assigned oldest first to operators who are online with free capacity', async () => {
    const [a, b, c] = [await waiting(5), await waiting(3), await waiting(4)]
    await is(anna(), 'online')
    await is(boris(), 'away')
    await assign()
    expect([await ownerOf(a), await ownerOf(c), await ownerOf(b)]).toEqual([anna().id, anna().id, null])
    const notices = good(await anna().caller.get('/notifications?filter[kind]=chat.assigned&limit=5')).items
    expect(notices).toHaveLength(2)
    await is(boris(), 'online')
    await assign()
    expect(await ownerOf(b)).toBe(boris().id)
  })

  it('are not assigned while automatic assignment is off', async () => {
    await set('liveAssistAutomatic', false)
    const id = await waiting(5)
    await is(anna(), 'online')
    await assign()
    expect(await ownerOf(id)).toBeNull()
  })

  it('are assigned at once when a visitor writes', async () => {
    await is(anna(), 'online')
    const site = await clinic.context.engine
      .for(systemActor)
      .asSystem.create(ChatDomain, { name: 'clinic.test', idUser: anna().id })
    const headers = { 'x-client-version': '3' }
    const as = clinic.anonymous
    const body = { name: 'Вера', consent: { version: 1 } }
    const { token } = good(await as.post(`/live-assist?token=${site.key}`, body, { headers }))
    const mine = { headers: { ...headers, authorization: `Visitor ${token}` } }
    good(await as.post('/live-assist/visitor/messages', { clientId: randomUUID(), text: 'Добрый день' }, mine), 201)
    await clinic.context.jobs.drain()
    const [chat] = good(await chief.get('/live-assist?filter[status]=active&limit=1')).items
    expect(chat).toMatchObject({ lastMessage: 'Добрый день', idUser: anna().id, handler: 'human' })
  })

  it('are assigned at once when an operator comes online or has capacity again', async () => {
    await is(anna(), 'online')
    const [first, second, third] = [await waiting(3), await waiting(2), await waiting(1)]
    await is(boris(), 'away')
    await is(anna(), 'away')
    await is(anna(), 'online')
    await clinic.context.jobs.drain()
    expect([await ownerOf(first), await ownerOf(second), await ownerOf(third)]).toEqual([anna().id, anna().id, null])
    good(await anna().caller.post(`/live-assist/${first}/complete`, { idOutcome: CONSULTED }))
    await clinic.context.jobs.drain()
    expect(await ownerOf(third)).toBe(anna().id)
  })

  it('are balanced: first to the operator with fewer waiting chats, then to the one idle longest', async () => {
    await is(anna(), 'online')
    await is(boris(), 'online')
    const ids = [await waiting(4), await waiting(3), await waiting(2), await waiting(1)]
    await assign()
    const owners = await Promise.all(ids.map(ownerOf))
    expect(owners).toEqual([anna().id, boris().id, anna().id, boris().id])
  })
})

describe('a group of operators', () => {
  let many = 0
  const group = async (...users: Operator[]) =>
    good(
      await keeper().post('/live-assist/groups', { name: `Группа ${++many}`, users: users.map(({ id }) => id) }),
      201,
    ).id

  it('is set by the site, and its chats go oldest first to its members, even if others are free', async () => {
    const ofVera = await group(vera())
    const site = good(await keeper().post('/live-assist/domains', { name: 'group.test', idGroup: ofVera }), 201)
    await is(anna(), 'online')
    const headers = { 'x-client-version': '3' }
    const enter = { name: 'Группе Веры', consent: { version: 1 } }
    const { token } = good(await clinic.anonymous.post(`/live-assist?token=${site.key}`, enter, { headers }))
    good(
      await clinic.anonymous.post(
        '/live-assist/visitor/messages',
        { clientId: randomUUID(), text: 'Ребёнок кашляет' },
        { headers: { ...headers, authorization: `Visitor ${token}` } },
      ),
      201,
    )
    await clinic.context.jobs.drain()
    const [chat] = good(await chief.get('/live-assist?filter[status]=active&limit=1&expand=group')).items
    expect(chat).toMatchObject({ handler: 'none', idUser: null, group: { id: ofVera } })
    // Newer chats without a group are assigned meanwhile.
    const behind = await waiting(-1)
    const [older, younger] = [await waiting(9, ofVera), await waiting(8, ofVera)]
    await assign()
    expect(await ownerOf(behind)).toBe(anna().id)
    await is(vera(), 'online')
    await assign()
    expect([await ownerOf(older), await ownerOf(younger), await ownerOf(chat.id)]).toEqual([vera().id, vera().id, null])
  })

  it('keeps chats that its only operator leaves unanswered; a group without staff keeps none', async () => {
    const [ofAnna, ofNobody] = [await group(anna()), await group()]
    await is(anna(), 'online')
    await is(boris(), 'online')
    const lying = await waiting(6, ofAnna)
    await assign()
    await sql(`update live_assist set "dateAssigned" = now() - interval '91 s' where id = $1`, [lying])
    await assign()
    expect(good(await chief.get(`/live-assist/${lying}`))).toMatchObject({ idUser: anna().id, returns: 0 })
    await is(anna(), 'offline')
    const free = await waiting(5, ofNobody)
    await assign()
    expect([await ownerOf(lying), await ownerOf(free)]).toEqual([null, boris().id])
    await sql('update users set "isBlocked" = true where id = $1', [anna().id])
    await assign()
    expect(await ownerOf(lying)).toBe(boris().id)
    await sql('update users set "isBlocked" = false where id = $1', [anna().id])
  })

  it('does not block other chats, however many wait for it', async () => {
    const ofVera = await group(vera())
    await sql(
      `insert into live_assist ("name", "queuedAt", "inCount", "idGroup") select 'Много', now() - interval '1 hour', 1, $1
        from generate_series(1, 201)`,
      [ofVera],
    )
    const free = await waiting(1)
    await is(anna(), 'online')
    await assign()
    expect(await ownerOf(free)).toBe(anna().id)
  })

  it('can receive a chat; only its operators are notified and count it, a supervisor sees all', async () => {
    await sql('update users set "isLiveAssist" = true')
    await set('liveAssistAutomatic', false)
    const ofVera = await group(vera())
    const id = await waiting(2)
    const transfer = (body: object) => anna().caller.post(`/live-assist/${id}/transfer`, { idUser: null, ...body })
    expect((await transfer({ idGroup: 999_999 })).body[0]).toMatchObject({ field: 'idGroup' })
    const before = await Promise.all([anna(), boris(), vera()].map(({ caller }) => countsOf(caller)))
    expect(before.map(({ unassigned }) => unassigned)).toEqual([1, 1, 1])
    expect(good(await transfer({ idGroup: ofVera, note: 'Про полис' }))).toMatchObject({
      handler: 'none',
      idGroup: ofVera,
    })
    const after = await Promise.all([anna().caller, boris().caller, vera().caller, chief].map(countsOf))
    expect(after.map(({ unassigned }) => unassigned)).toEqual([0, 0, 1, 1])
    expect(after.map(({ ringing }) => ringing)).toEqual([0, 0, 1, 0])
    const noticesOf = (who: Caller) =>
      who.get(`/notifications?filter[kind]=chat.message&filter[idEntity]=${id}&limit=5`)
    expect(good(await noticesOf(vera().caller)).items).toMatchObject([{ text: 'Про полис' }])
    expect(good(await noticesOf(boris().caller)).items).toEqual([])
    const listed = async (who: Caller, filter: string) =>
      good(await who.get(`/live-assist?filter[status]=active&${filter}`)).items.map((one: { id: number }) => one.id)
    expect(await listed(boris().caller, 'filter[isForMe]=1')).toEqual([])
    expect(await listed(boris().caller, 'filter[awaitsMe]=1')).toEqual([])
    expect(await listed(vera().caller, 'filter[awaitsMe]=1')).toEqual([id])
    expect(await listed(boris().caller, `filter[idGroup][in]=${ofVera}`)).toEqual([id])
    expect(good(await chief.get('/live-assist/shift')).waiting[0]).toMatchObject({
      id,
      group: expect.stringMatching(/^Группа/),
    })
    // A colleague of another group may help manually; the group is still notified.
    expect(good(await boris().caller.post(`/live-assist/${id}/take`, { from: null }))).toMatchObject({
      idGroup: ofVera,
    })
    await sql('update users set "isLiveAssist" = false')
  })

  it('is created only with the right to edit the domain map', async () => {
    expect((await anna().caller.post('/live-assist/groups', { name: 'Чужая' })).status).toBe(403)
    expect(good(await anna().caller.get('/live-assist/groups')).items.length).toBeGreaterThan(0)
  })
})

const countsOf = async (who: Caller) => good(await who.get('/live-assist/counts'))

describe('an unanswered chat of an operator', () => {
  it('is reassigned when the operator goes away, with its age; answered chats stay', async () => {
    await is(anna(), 'online')
    const [open, answered] = [await waiting(6), await waiting(5)]
    await assign()
    const clientId = randomUUID()
    good(await anna().caller.post('/live-assist/messages', { idLiveAssist: answered, clientId, message: 'Да' }), 201)
    const since = good(await chief.get(`/live-assist/${open}`)).queuedAt
    await is(boris(), 'online')
    await is(anna(), 'offline')
    await assign()
    expect([await ownerOf(open), await ownerOf(answered)]).toEqual([boris().id, anna().id])
    expect(good(await chief.get(`/live-assist/${open}`))).toMatchObject({ queuedAt: since, returns: 1 })
  })

  it('is reassigned after its time limit, never to the same operator, and stays if there is no other', async () => {
    await is(anna(), 'online')
    const id = await waiting(6)
    await assign()
    const late = () => sql(`update live_assist set "dateAssigned" = now() - interval '91 s' where id = $1`, [id])
    await late()
    await assign()
    expect(await ownerOf(id)).toBe(anna().id)
    await is(boris(), 'online')
    await assign()
    expect(await ownerOf(id)).toBe(boris().id)
    await is(vera(), 'online')
    await late()
    await assign()
    expect(await ownerOf(id)).not.toBe(boris().id)
    await late()
    const before = good(await chief.get('/notifications?filter[kind]=chat.unanswered&count=exact&limit=1'))._meta
      .totalCount
    await assign()
    const after = good(await chief.get('/notifications?filter[kind]=chat.unanswered&count=exact&limit=1'))._meta
      .totalCount
    expect(after - before).toBe(1)
  })

  it('is reassigned when the operator is unreachable for three minutes, and not before', async () => {
    await is(anna(), 'online')
    const id = await waiting(2)
    await assign()
    const silent = async (seconds: number) => {
      const ago = 'now() - make_interval(secs => $1)'
      await sql(`update live_assist_operators set "dateSeen" = ${ago} where "idUser" = $2`, [seconds, anna().id])
      await sql(`update live_assist set "dateAssigned" = ${ago} where id = $2`, [seconds, id])
    }
    await silent(100)
    await assign()
    expect(await ownerOf(id)).toBe(anna().id)
    await silent(181)
    await assign()
    expect(await ownerOf(id)).toBeNull()
  })

  it('stays with an operator without a status, and for the time limit after a handover', async () => {
    const [taken, given] = [await waiting(6), await waiting(5)]
    good(await anna().caller.post(`/live-assist/${taken}/take`, { from: null }))
    await is(vera(), 'away')
    good(await anna().caller.post(`/live-assist/${given}/take`, { from: null }))
    good(await anna().caller.post(`/live-assist/${given}/transfer`, { idUser: vera().id }))
    await is(boris(), 'online')
    await assign()
    expect([await ownerOf(taken), await ownerOf(given)]).toEqual([anna().id, vera().id])
    await sql(`update live_assist set "dateAssigned" = now() - interval '91 s' where id = $1`, [given])
    await assign()
    expect([await ownerOf(taken), await ownerOf(given)]).toEqual([anna().id, boris().id])
    await sql(`update live_assist set "dateAssigned" = now() - interval '181 s' where id = $1`, [taken])
    await assign()
    expect(await ownerOf(taken)).toBe(boris().id)
  })

  it('an operator goes away after ten minutes without activity, and is back with the first activity', async () => {
    await is(anna(), 'online')
    await sql(`update live_assist_operators set "dateActive" = now() - interval '11 min'`)
    const ping = async (active: boolean) => good(await anna().caller.post('/live-assist/presence', { active }))
    expect(await ping(false)).toMatchObject({ status: 'online', state: 'away' })
    const [shown] = good(await chief.get('/live-assist/shift')).operators
    const ago = Date.now() - Date.parse(shown.since)
    expect([shown.state, Math.floor(ago / 60_000)]).toEqual(['away', 11])
    expect(await ping(true)).toMatchObject({ status: 'online', state: 'online', open: 0, limit: 2 })
  })
})

it('the shift is visible only to supervisors, and viewing changes nothing', async () => {
  await is(anna(), 'online')
  await is(boris(), 'away')
  const id = await waiting(5)
  await sql(`update live_assist set "nextDueAt" = now() - interval '1 min' where id = $1`, [id])
  await assign()
  await waiting(1)
  await set('liveAssistLimit', 1)
  expect((await anna().caller.get('/live-assist/shift')).status).toBe(403)
  const shift = good(await chief.get('/live-assist/shift'))
  expect(shift).toMatchObject({ automatic: true, limit: 1, queue: { count: 1 }, late: 1, robot: 0 })
  expect(shift.operators).toMatchObject([
    { id: anna().id, state: 'online', open: 1, waiting: 1, late: 1 },
    { id: boris().id, state: 'away', open: 0 },
  ])
  expect(shift.waiting.map((one: { id: number }) => one.id)[0]).toBe(id)
  good(await chief.post(`/live-assist/${id}/read`, { no: 1 }), 204)
  expect(good(await chief.get(`/live-assist/${id}`)).numberOfUnreadMessages).toBe(1)
  // A whisper to the operator, and the chat itself.
  good(await chief.post('/live-assist/notes', { idLiveAssist: id, text: 'Спросите про полис' }), 201)
  const notices = good(await anna().caller.get('/notifications?filter[kind]=chat.note&limit=1')).items
  expect(notices).toMatchObject([{ text: 'Спросите про полис', idEntity: id }])
  expect((await boris().caller.post(`/live-assist/${id}/take`, { from: anna().id })).status).toBe(403)
  good(await chief.post(`/live-assist/${id}/take`, { from: anna().id }))
})

it("concurrent runs never exceed an operator's capacity", async () => {
  await is(anna(), 'online')
  await is(boris(), 'online')
  const ids = []
  for (let at = 12; at > 0; at--) ids.push(await waiting(at))
  await Promise.all([1, 2, 3].flatMap(() => [assign(), secondServer.context.jobs.run('chats.assign')]))
  const owners = await Promise.all(ids.map(ownerOf))
  expect(owners.slice(0, 4).sort()).toEqual([anna().id, anna().id, boris().id, boris().id].sort())
  expect(owners.slice(4)).toEqual(Array(8).fill(null))
})

it('two servers never assign twice, above capacity or outside the group, nor leave assignable chats', async () => {
  /** Includes groups without operators here. */
  const groups: { id: number; users: number[] }[] = []
  for (const users of [[anna().id], [boris().id, vera().id], []])
    groups.push(
      await clinic.context.engine.for(systemActor).asSystem.create(ChatGroup, { name: `Свойство ${users}`, users }),
    )
  const isOf = (idUser: number, idGroup: number | null) => {
    const users = groups.find(({ id }) => id === idGroup)?.users ?? []
    return users.length === 0 || users.includes(idUser)
  }
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant('chat' as const) },
    fc.record({ chatOf: fc.nat(2) }),
    fc.record({ who: fc.nat(2), status: fc.constantFrom('online', 'away', 'offline') }),
    fc.record({ completes: fc.nat(9) }),
    fc.constant('assign' as const),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, limit) => {
        await sql(`update live_assist set "status" = 'archive'`)
        await sql('delete from live_assist_operators')
        await set('liveAssistLimit', limit)
        const made: number[] = []
        const both = () => Promise.all([assign(), secondServer.context.jobs.run('chats.assign'), assign()])
        for (const one of steps) {
          if (one === 'chat') made.push(await waiting(30 - made.length))
          else if (one === 'assign') await both()
          else if ('chatOf' in one) made.push(await waiting(30 - made.length, groups[one.chatOf]?.id))
          else if ('who' in one) await is(operators[one.who] as never, one.status)
          else if (made.length > 0) {
            const id = made[one.completes % made.length] as number
            await chief.post(`/live-assist/${id}/complete`, { idOutcome: CONSULTED })
          }
        }
        await both()
        const chats = await clinic.db.query<{ id: number; idUser: number | null; idGroup: number | null }>({
          text: `select "id", "idUser", "idGroup" from live_assist where "id" = any($1) and "status" = 'active' order by "queuedAt"`,
          values: [made],
        })
        const there = await clinic.db.query<{ idUser: number }>({
          text: `select "idUser" from live_assist_operators where "status" = 'online'`,
        })
        const held = operators.map(({ id }) => chats.filter(({ idUser }) => idUser === id).length)
        expect(Math.max(...held)).toBeLessThanOrEqual(limit)
        const free = there.filter(({ idUser }) => chats.filter((chat) => chat.idUser === idUser).length < limit)
        const left = chats.filter(({ idUser }) => idUser === null)
        for (const { idUser } of free) expect(left.filter(({ idGroup }) => isOf(idUser, idGroup))).toEqual([])
        for (const { idUser, idGroup } of chats) if (idUser !== null) expect(isOf(idUser, idGroup)).toBe(true)
        // Assigned chats have waited longer than unassigned ones.
        const firstFree = chats.findIndex(({ idUser }) => idUser === null)
        if (firstFree >= 0 && steps.every((one) => typeof one === 'string'))
          expect(chats.slice(firstFree).every(({ idUser }) => idUser === null)).toBe(true)
        // Each assigned chat was assigned once per time in the queue.
        const given = await clinic.db.query<{ idEntity: number; given: number; returns: number }>({
          text: `select c."id" as "idEntity", c."returns", (select count(*)::int from history h where h.path = 'live-assist'
          and h."idEntity" = c."id" and h."changes" -> 'idUser' ->> 1 is not null) as given
          from live_assist c where c."id" = any($1) and c."status" = 'active' and c."idUser" is not null`,
          values: [made],
        })
        for (const one of given) expect(one.given).toBe(one.returns + 1)
      },
    ),
    { numRuns: runs(8, 120) },
  )
})
