import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call, INCOMING, MISSED } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { OnlineDialog } from '@ordinator/model/areas/chats/online'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { BoardMember } from '@ordinator/model/areas/tasks/board'
import { Executor } from '@ordinator/model/areas/tasks/task'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { lockWaits } from '#testing/locks.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let anna: Caller
let boris: Caller
let idAnna: number
let idBoris: number
let idReader: number
let idDora: number
let idBoard: number
let idColumn: number
const seats: Record<number, number> = {}
const system = () => clinic.context.engine.for(systemActor).asSystem

const rights = [
  'supportOperator',
  'onlineChat',
  'viewCallJournal',
  'viewAppeals',
  'editAppeals',
  'viewTasksManagement',
] as const

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      idAnna = (await addPerson(app, 'anna', [...rights])).id
      idBoris = (await addPerson(app, 'boris', [...rights])).id
      idReader = (await addPerson(app, 'reader', ['viewCallJournal'])).id
      idDora = (await addPerson(app, 'dora', [...rights])).id
      await addPerson(app, 'out', ['viewDiscounts'])
    },
  })
  anna = clinic.as('anna')
  boris = clinic.as('boris')
  const board = good(await anna.post('/tasks-management/boards', { name: 'Звонки' }), 201)
  idBoard = board.id
  const columns = good(await anna.get(`/tasks-management/columns?filter[idBoard]=${idBoard}`)).items
  idColumn = columns[0].id
  seats[idAnna] = await seatOf(idAnna)
  seats[idBoris] = await seatOf(idBoris)
})
afterAll(() => clinic.close())

async function seatOf(idUser: number): Promise<number> {
  const [there] = await clinic.context.engine
    .for(systemActor)
    .rows(BoardMember, { 'filter[idBoard]': idBoard, 'filter[idUser]': idUser })
  return (there ?? (await system().create(BoardMember, { idBoard, idUser }))).id
}

let world: {
  chat: number
  promised: number
  missed: number
  next: number
  withoutOutcome: number
  appeal: number
  task: number
}
let serial = 0
beforeEach(async () => {
  await clinic.db.query({ text: 'delete from shift_handovers' })
  for (const table of ['live_assist', 'calls', 'appeals', 'tasks_management_executors'])
    await clinic.db.query({ text: `delete from ${table}` })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const phone = `+7910000${String(1_000 + ++serial)}`
  const chat = await system().create(LiveAssist, {
    name: 'Вера',
    handler: 'human',
    idUser: idAnna,
    queuedAt: new Date().toISOString(),
  })
  const promised = await system().create(LiveAssist, {
    name: 'Глеб',
    status: 'completed',
    handler: 'human',
    idUser: idAnna,
    nextStep: 'Прислать договор',
    dateNextStep: tomorrow,
  })
  const missed = await system().create(Call, {
    callType: MISSED,
    contactPhone: phone,
    recall: true,
    idFirstUser: idAnna,
  })
  const talk = { callType: INCOMING, contactPhone: phone, idUser: idAnna, dateEnd: new Date().toISOString() } as const
  const next = await system().create(Call, { ...talk, nextStep: 'Назвать цену', dateNextStep: tomorrow })
  const withoutOutcome = await system().create(Call, { ...talk, needsEnd: true })
  const appeal = await system().create(Appeal, { description: 'Жалоба', idOwner: idAnna, idUser: idAnna })
  const task = good(
    await anna.post('/tasks-management/tasks', { name: 'Позвонить', idColumn, dateEnd: new Date().toISOString() }),
    201,
  )
  for (const one of good(await anna.get(`/tasks-management/executors?filter[idTask]=${task.id}`)).items)
    await system().remove(Executor, one.id)
  await system().create(Executor, { idTask: task.id, idMember: seats[idAnna] as number })
  world = {
    chat: chat.id,
    promised: promised.id,
    missed: missed.id,
    next: next.id,
    withoutOutcome: withoutOutcome.id,
    appeal: appeal.id,
    task: task.id,
  }
})

const all = ['chats', 'calls', 'appeals', 'tasks'] as const
const give = (more: object = {}) =>
  anna.post('/shift-handover', { idUser: idBoris, note: 'Вере нужен ответ до вечера', parts: all, ...more })
const owners = async () => ({
  chat: (await system().row(LiveAssist, world.chat)).idUser,
  promised: (await system().row(LiveAssist, world.promised)).idOwner,
  missed: (await system().row(Call, world.missed)).idOwner,
  next: (await system().row(Call, world.next)).idOwner,
  withoutOutcome: (await system().row(Call, world.withoutOutcome)).idOwner,
  appeal: (await system().row(Appeal, world.appeal)).idOwner,
  seats: (
    await clinic.db.query<{ m: number }>({
      text: 'select "idMember"::int as m from tasks_management_executors where "idTask" = $1',
      values: [world.task],
    })
  ).map(({ m }) => m),
})

it('moves current work to a colleague, with the note in the chats and a notice', async () => {
  const before = good(await anna.get(`/shift-handover?to=${idBoris}`))
  expect(before).toMatchObject({
    counts: { chats: 2, online: 0, calls: 2, appeals: 1, tasks: 1 },
    staying: 0,
    closed: [],
    given: null,
  })
  expect(before.people.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([idBoris, idReader]))
  expect(before.people.map(({ id }: { id: number }) => id)).not.toContain(idAnna)
  const made = good(await give())
  expect(made.counts).toEqual({ chats: 2, online: 0, calls: 2, appeals: 1, tasks: 1 })
  expect(await owners()).toEqual({
    chat: idBoris,
    promised: idBoris,
    missed: idBoris,
    next: idBoris,
    // The outcome is known to the participant.
    withoutOutcome: null,
    appeal: idBoris,
    seats: [seats[idBoris]],
  })
  const notes = good(await boris.get(`/live-assist/notes?filter[idLiveAssist]=${world.chat}`)).items
  expect(notes).toMatchObject([{ text: 'Передача смены. Вере нужен ответ до вечера', idUser: idAnna }])
  const notices = good(await boris.get('/notifications?filter[kind]=shift.handover&limit=1')).items
  expect(notices[0].title).toContain('2\u00a0чата, 2\u00a0звонка, 1\u00a0обращение, 1\u00a0задача')
  const mine = good(await boris.get('/promises?mine=1')).items.map(
    ({ source, id }: { source: string; id: number }) => `${source} ${id}`,
  )
  for (const one of [`chat ${world.chat}`, `chat ${world.promised}`, `call ${world.missed}`, `call ${world.next}`])
    expect(mine).toContain(one)
  expect(good(await boris.get('/shift-handover')).received).toMatchObject([{ note: 'Вере нужен ответ до вечера' }])
  expect((await give()).status).toBe(409)
})

it('moves all or nothing: records without the right are named, and nothing is moved', async () => {
  const before = await owners()
  expect(good(await anna.get(`/shift-handover?to=${idReader}`))).toMatchObject({
    closed: ['chats', 'online', 'appeals', 'tasks'],
    staying: 1,
  })
  const refused = await give({ idUser: idReader })
  expect([refused.status, refused.body[0].field]).toEqual([422, 'parts'])
  expect((await give({ idUser: idAnna })).body[0].field).toBe('idUser')
  expect((await give({ idUser: 987_654 })).body[0].field).toBe('idUser')
  expect((await give({ note: ' ' })).body[0].field).toBe('note')
  expect((await give({ parts: [] })).status).toBe(422)
  expect((await clinic.as('out').get('/shift-handover')).status).toBe(403)
  expect(await owners()).toEqual(before)
  // The last part fails: the first ones are not moved either.
  await clinic.db.query({
    text: `create function fails() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger fails before insert on tasks_management_executors for each row execute function fails()`,
  })
  expect((await give()).status).toBe(500)
  await clinic.db.query({ text: 'drop trigger fails on tasks_management_executors; drop function fails()' })
  expect(await owners()).toEqual(before)
})

it('is undone within the first minutes, except for what was answered since; once', async () => {
  const before = await owners()
  const { id } = good(await give())
  good(
    await boris.post('/live-assist/messages', {
      idLiveAssist: world.chat,
      clientId: 'answer-0001',
      message: 'Добрый вечер',
    }),
    201,
  )
  expect((await boris.post(`/shift-handover/${id}/undo`, {})).status).toBe(404)
  expect(good(await anna.post(`/shift-handover/${id}/undo`, {})).counts).toEqual({
    chats: 1,
    online: 0,
    calls: 2,
    appeals: 1,
    tasks: 1,
  })
  expect(await owners()).toEqual({ ...before, chat: idBoris, promised: idAnna })
  expect((await anna.post(`/shift-handover/${id}/undo`, {})).status).toBe(409)
  const again = good(await give())
  await clinic.db.query({ text: `update shift_handovers set "dateCreate" = now() - interval '16 minutes'` })
  expect((await anna.post(`/shift-handover/${again.id}/undo`, {})).status).toBe(409)
})

const chatNow = async (id: number) => {
  const { idUser, idOwner } = await system().row(LiveAssist, id)
  return { idUser, idOwner }
}
const undo = (id: number) => anna.post(`/shift-handover/${id}/undo`, {})
const setChat = (id: number, values: object) => system().update(LiveAssist, id, values)
const openStep = () => ({
  nextStep: 'Прислать договор',
  dateNextStep: new Date(Date.now() + 86_400_000).toISOString(),
})

it("the operator in a chat stays: in a colleague's chat only the promised step is moved, and restored", async () => {
  await setChat(world.chat, { ...openStep(), idUser: idDora, idOwner: idAnna })
  // The receiver is already the operator of this chat.
  const his = await system().create(LiveAssist, {
    ...openStep(),
    name: 'Роман',
    handler: 'human',
    idUser: idBoris,
    idOwner: idAnna,
  })
  // And has a promised step in her chat.
  const hers = await system().create(LiveAssist, {
    ...openStep(),
    name: 'Роза',
    handler: 'human',
    idUser: idAnna,
    idOwner: idBoris,
  })
  const { id } = good(await give({ parts: ['chats'] }))
  expect(await Promise.all([world.chat, his.id, hers.id].map(chatNow))).toEqual([
    { idUser: idDora, idOwner: idBoris },
    { idUser: idBoris, idOwner: idBoris },
    { idUser: idBoris, idOwner: idBoris },
  ])
  expect(good(await undo(id)).counts.chats).toBe(4)
  expect(await Promise.all([world.chat, his.id, hers.id].map(chatNow))).toEqual([
    { idUser: idDora, idOwner: idAnna },
    { idUser: idBoris, idOwner: idAnna },
    { idUser: idAnna, idOwner: idBoris },
  ])
})

it('a chat assigned to a colleague since is not moved back', async () => {
  await setChat(world.chat, openStep())
  const { id } = good(await give({ parts: ['chats'] }))
  expect(await chatNow(world.chat)).toEqual({ idUser: idBoris, idOwner: idBoris })
  good(await boris.post(`/live-assist/${world.chat}/transfer`, { idUser: idDora }))
  good(await undo(id))
  expect(await chatNow(world.chat)).toEqual({ idUser: idDora, idOwner: idAnna })
})

/** Changes the chat in a transaction that ends while `run` waits for it. */
async function meanwhile<T>(idUser: number, run: () => Promise<T>): Promise<T> {
  let running: Promise<T> | undefined
  await clinic.db.tx(async (tx) => {
    await tx.query({
      text: 'update live_assist set "idUser" = $1, "idOwner" = null where "id" = $2',
      values: [idUser, world.chat],
    })
    running = run()
    let isOver = false
    running.finally(() => (isOver = true)).catch(() => {})
    await lockWaits(clinic.db, 1, () => isOver)
  })
  return running as Promise<T>
}

it('a chat reassigned concurrently stays with its new operator', async () => {
  const { counts } = good(await meanwhile(idDora, () => give({ parts: ['chats'] })))
  expect(counts.chats).toBe(1)
  expect((await chatNow(world.chat)).idUser).toBe(idDora)
  expect(good(await boris.get(`/live-assist/notes?filter[idLiveAssist]=${world.chat}`)).items).toEqual([])
})

it('a chat reassigned during the undo is not moved back', async () => {
  const { id } = good(await give({ parts: ['chats'] }))
  const { counts } = good(await meanwhile(idDora, () => undo(id)))
  expect(counts.chats).toBe(1)
  expect((await chatNow(world.chat)).idUser).toBe(idDora)
})

it('moves open dialogues with patients; those answered since stay, the rest is restored', async () => {
  const { id: idCustomer } = await system().create(Customer, { surname: 'Пациентова' })
  const open = async (status: 'active' | 'closed' = 'active') =>
    (await system().create(OnlineDialog, { idCustomer, idUser: idAnna, status })).id
  const [one, two, closed] = [await open(), await open(), await open('closed')]
  const withWhom = async () =>
    Promise.all([one, two, closed].map(async (id) => (await system().row(OnlineDialog, id)).idUser))
  expect(good(await anna.get(`/shift-handover?to=${idBoris}`)).counts.online).toBe(2)
  const { id, counts } = good(await give({ parts: ['online'] }))
  expect(counts.online).toBe(2)
  expect(await withWhom()).toEqual([idBoris, idBoris, idAnna])
  good(await boris.post(`/service-online/${one}/messages`, { clientId: 'answer-0002', text: 'Добрый вечер' }), 201)
  expect(good(await undo(id)).counts.online).toBe(1)
  expect(await withWhom()).toEqual([idBoris, idAnna, idAnna])
})
