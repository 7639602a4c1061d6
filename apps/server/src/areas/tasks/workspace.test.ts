/** Workspaces: groups of people, invitations, ownership, relations, materials, archive, cleanup of files. */

import { Role, UserRole } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller
let boris: Caller
let boss: Caller
/** Changes nothing and belongs to no workspace. */
let stranger: Caller
let nurses: number
let doctors: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, {
        owner: [],
        anna: [],
        boris: [],
        vera: [],
        gone: [],
        stranger: [],
        boss: ['bypassTaskRights'],
      })
      await app.engine.for(systemActor).tx(async (records) => {
        nurses = (await records.create(Role, { name: 'Сёстры' })).id
        doctors = (await records.create(Role, { name: 'Врачи отделения' })).id
        for (const login of ['anna', 'boris', 'gone', 'owner'])
          await records.create(UserRole, { idUser: ids[login] as number, idRole: nurses })
        for (const login of ['boris', 'vera'])
          await records.create(UserRole, { idUser: ids[login] as number, idRole: doctors })
        await records.remove(User, ids.gone as number)
      })
    },
  })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
  boris = clinic.as('boris')
  boss = clinic.as('boss')
  stranger = clinic.as('stranger')
})
afterAll(() => clinic.close())

const id = (login: string) => ids[login] as number
const membersOf = async (idBoard: number): Promise<{ id: number; idUser: number }[]> =>
  good(await boss.get(`${T}/members?filter[idBoard]=${idBoard}&limit=100&sort=idUser`)).items
const notices = async (who: Caller): Promise<{ kind: string; text: string; link: string }[]> =>
  good(await who.get('/notifications?limit=50&sort=-id')).items

describe('groups', () => {
  it('are added at once with the given rights, except members and people who have left the clinic', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'), { canEditColumn: true })
    const offered = good(await owner.get(`${T}/boards/${board.id}/groups`)).items
    expect(offered.find((role: { id: number }) => role.id === nurses)).toEqual({
      id: nurses,
      name: 'Сёстры',
      users: [id('boris')],
    })
    const made = good(
      await owner.post(`${T}/boards/${board.id}/groups`, {
        groups: [nurses, doctors],
        permissionToViewTasks: 'all',
        canManuallyDragTask: true,
        isTaskDefaultExecutor: true,
      }),
    )
    expect(made.map((m: { idUser: number }) => m.idUser)).toEqual([id('boris'), id('vera')])
    expect(made[0]).toMatchObject({
      idBoard: board.id,
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'my',
      canManuallyDragTask: true,
      isTaskDefaultExecutor: true,
      canEditBoard: false,
    })
    expect((await membersOf(board.id)).length).toBe(4)
    expect(good(await owner.post(`${T}/boards/${board.id}/groups`, { groups: [nurses] }))).toEqual([])
  })

  it('require the right to the workspace, give no more than it, and are all or nothing', async () => {
    const board = await hands(owner).board()
    const path = `${T}/boards/${board.id}/groups`
    await hands(owner).member(board.id, id('anna'))
    expect((await anna.post(path, { groups: [doctors] })).status).toBe(403)
    expect((await anna.get(path)).status).toBe(403)
    expect((await stranger.post(path, { groups: [doctors] })).status).toBe(404)
    await owner.put(`${T}/members/${(await membersOf(board.id)).find((m) => m.idUser === id('anna'))?.id}`, {
      canEditBoard: true,
    })
    const beyond = await anna.post(path, { groups: [doctors], permissionToDeleteTasks: 'all', canEditColumn: true })
    expect([beyond.status, beyond.body]).toEqual([
      422,
      [
        { field: 'permissionToDeleteTasks', message: 'Нельзя дать право больше своего' },
        { field: 'canEditColumn', message: 'Нельзя дать право больше своего' },
      ],
    ])
    const cases: [object, string][] = [
      [{ groups: [] }, 'groups'],
      [{}, 'groups'],
      [{ groups: [999_999] }, 'groups'],
      [{ groups: [doctors], canFly: true }, 'canFly'],
      [{ groups: [doctors], permissionToViewTasks: 'some' }, 'permissionToViewTasks'],
    ]
    for (const [body, field] of cases) {
      const answer = await owner.post(path, body)
      expect([answer.status, answer.body[0]?.field], JSON.stringify(body)).toEqual([422, field])
    }
    expect((await membersOf(board.id)).length).toBe(2)
    expect(good(await anna.post(path, { groups: [doctors] })).length).toBe(2)
  })

  it('requested twice concurrently are added once', async () => {
    const board = await hands(owner).board()
    const path = `${T}/boards/${board.id}/groups`
    const answers = await Promise.all([owner.post(path, { groups: [nurses] }), owner.post(path, { groups: [nurses] })])
    expect(answers.map((a) => a.status)).toEqual([200, 200])
    expect((await membersOf(board.id)).map((m) => m.idUser).sort((a, b) => a - b)).toEqual(
      [id('owner'), id('anna'), id('boris')].sort((a, b) => a - b),
    )
  })
})

/** Wrong tokens cause a delay; the counters belong to the test's own people. */
const forget = () => clinic.db.query(sql`delete from login_attempts`)

describe('an invitation', () => {
  const tokenOf = async (idBoard: number, more = '') => {
    const { url } = good(await owner.get(`${T}/boards/${idBoard}/invitation${more}`))
    return new URL(url).searchParams.get('token') as string
  }

  it('opens a private workspace to the holder of the link', async () => {
    const board = await hands(owner).board({ name: 'Закрытое', description: 'Для своих', color: '#1971c2' })
    const { url } = good(await owner.get(`${T}/boards/${board.id}/invitation`))
    expect(url).toMatch(new RegExp(`^http://clinic\\.test/app/tasks/invitation\\?board=${board.id}&token=[\\w-]{32}$`))
    const token = await tokenOf(board.id)
    expect(url).toContain(token)
    expect((await stranger.get(`${T}/boards/${board.id}`)).status).toBe(404)
    const shown = good(await stranger.get(`${T}/boards/${board.id}?invitation=${token}`))
    expect(shown).toEqual({
      id: board.id,
      name: 'Закрытое',
      description: 'Для своих',
      icon: board.icon,
      color: '#1971c2',
      owner: 'owner Тест',
      idOwner: id('owner'),
      membersCount: 1,
      isMember: false,
    })
    const member = good(await stranger.post(`${T}/boards/${board.id}`, { invitation: token }))
    expect(member).toMatchObject({
      idUser: id('stranger'),
      permissionToViewTasks: 'my',
      permissionToEditTemplates: 'none',
      canCreateTask: true,
      canEditBoard: false,
    })
    expect(good(await stranger.post(`${T}/boards/${board.id}`, { invitation: token })).id).toBe(member.id)
    expect(good(await stranger.get(`${T}/boards/${board.id}?invitation=${token}`)).isMember).toBe(true)
    expect((await notices(owner))[0]).toMatchObject({
      kind: 'board.joined',
      text: 'stranger Тест — «Закрытое»',
      link: `/tasks?board=${board.id}`,
    })
  })

  it('is created by editors of the workspace, and a new one revokes the old', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'))
    expect((await anna.get(`${T}/boards/${board.id}/invitation`)).status).toBe(403)
    expect((await boris.get(`${T}/boards/${board.id}/invitation`)).status).toBe(404)
    const old = await tokenOf(board.id)
    const fresh = await tokenOf(board.id, '?renew=1')
    expect(fresh).not.toBe(old)
    expect(await tokenOf(board.id)).toBe(fresh)
    expect((await boris.post(`${T}/boards/${board.id}`, { invitation: old })).status).toBe(404)
    expect((await boris.post(`${T}/boards/${board.id}`)).status).toBe(404)
    expect((await boris.post(`${T}/boards/${board.id}`, { invitation: fresh })).status).toBe(200)
    await forget()
  })

  it('when wrong gets the same response for an existing, a missing and a deleted workspace', async () => {
    const [board, deleted] = [await hands(owner).board(), await hands(owner).board()]
    const token = await tokenOf(board.id)
    const stale = await tokenOf(deleted.id)
    good(await owner.delete(`${T}/boards/${deleted.id}`), 204)
    const bare = ({ status, body }: { status: number; body: { requestId?: string } }) => {
      const { requestId: _, ...rest } = body
      return { status, rest }
    }
    const answers = []
    for (const [on, given] of [
      [board.id, token.slice(0, -1) + (token.endsWith('_') ? '-' : '_')],
      [999_999, token],
      [deleted.id, stale],
    ] as const) {
      answers.push(bare(await stranger.get(`${T}/boards/${on}?invitation=${given}`)))
      await forget()
      answers.push(bare(await stranger.post(`${T}/boards/${on}`, { invitation: given })))
      await forget()
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe(404)
  })

  it('is rate-limited when guessed, while own workspaces stay readable', async () => {
    const board = await hands(owner).board()
    const token = await tokenOf(board.id)
    const statuses = []
    for (let n = 0; n < 8; n++) statuses.push((await anna.get(`${T}/boards/${board.id}?invitation=no${n}`)).status)
    expect(statuses[0]).toBe(404)
    expect(statuses.at(-1)).toBe(429)
    const late = await anna.get(`${T}/boards/${board.id}?invitation=${token}`)
    expect([late.status, Number(late.headers['retry-after']) > 0]).toEqual([429, true])
    const own = await hands(anna).board()
    expect((await anna.get(`${T}/boards/${own.id}?fields=id,name`)).body).toMatchObject({ id: own.id, name: 'Доска' })
    expect((await anna.get(`${T}/boards/${own.id}?fields=nope`)).status).toBe(400)
    await forget()
    expect((await anna.get(`${T}/boards/${board.id}?invitation=${token}`)).status).toBe(200)
  })

  it('is in no history and no record', async () => {
    const board = await hands(owner).board()
    const token = await tokenOf(board.id)
    good(await boris.post(`${T}/boards/${board.id}`, { invitation: token }))
    const found = await clinic.db.one<{ count: number }>(
      sql`select count(*)::int as count from history where "changes"::text like ${`%${token}%`}`,
    )
    expect(found?.count).toBe(0)
    expect((await owner.get(`${T}/boards/${board.id}`)).text).not.toContain(token)
  })

  it('is not needed for a public workspace', async () => {
    const board = await hands(owner).board({ isPublic: true })
    const [one, two] = await Promise.all([boris.post(`${T}/boards/${board.id}`), boris.post(`${T}/boards/${board.id}`)])
    expect([one.status, two.status, one.body.id]).toEqual([200, 200, two.body.id])
  })
})

describe('ownership', () => {
  it('is transferred to a member with every right; the former owner stays an ordinary member', async () => {
    const board = await hands(owner).board({ name: 'Передаётся' })
    await hands(owner).member(board.id, id('anna'))
    const path = `${T}/boards/${board.id}/owner`
    expect((await anna.post(path, { idUser: id('anna') })).status).toBe(403)
    expect((await stranger.post(path, { idUser: id('anna') })).status).toBe(404)
    for (const idUser of [id('boris'), id('owner')]) {
      const answer = await owner.post(path, { idUser })
      expect([answer.status, answer.body[0]?.field]).toEqual([422, 'idUser'])
    }
    expect(good(await owner.post(path, { idUser: id('anna') }))).toMatchObject({ idUser: id('anna') })
    const rows = good(await anna.get(`${T}/members?filter[idBoard]=${board.id}`)).items
    expect(rows).toHaveLength(2)
    for (const row of rows)
      expect(row).toMatchObject({ permissionToDeleteTasks: 'all', canEditBoard: true, canRelationBoard: true })
    expect((await notices(anna))[0]).toMatchObject({ kind: 'board.owner', text: 'Передаётся' })
    expect((await owner.delete(`${T}/boards/${board.id}`)).status).toBe(403)
    const former = rows.find((row: { idUser: number }) => row.idUser === id('owner'))
    const own = rows.find((row: { idUser: number }) => row.idUser === id('anna'))
    expect((await owner.delete(`${T}/members/${own.id}`)).status).toBe(403)
    expect((await anna.delete(`${T}/members/${former.id}`)).status).toBe(204)
  })

  it('transferred to two concurrently ends with one owner', async () => {
    const board = await hands(owner).board()
    for (const login of ['anna', 'boris']) await hands(owner).member(board.id, id(login))
    const answers = await Promise.all(
      ['anna', 'boris'].map((login) => owner.post(`${T}/boards/${board.id}/owner`, { idUser: id(login) })),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([200, 403])
  })
})

describe('a relation', () => {
  it('is created by an editor here who may move tasks there, to another active workspace', async () => {
    const [here, there, hidden] = [
      await hands(owner).board({ name: 'Здесь' }),
      await hands(anna).board({ name: 'Там', isPublic: true }),
      await hands(boris).board({ name: 'Чужое' }),
    ]
    const relate = (who: Caller, body: object) => who.post(`${T}/relations`, { idBoard: here.id, ...body })
    const cases: [object, number, string][] = [
      [{ idRelationBoard: here.id }, 422, 'idRelationBoard'],
      [{ idRelationBoard: hidden.id }, 422, 'idRelationBoard'],
      // Visible from outside, but not one's own.
      [{ idRelationBoard: there.id }, 422, 'idRelationBoard'],
    ]
    for (const [body, status, field] of cases) {
      const answer = await relate(owner, body)
      expect([answer.status, answer.body[0]?.field], JSON.stringify(body)).toEqual([status, field])
    }
    const mine = await hands(anna).member(there.id, id('owner'))
    expect((await relate(owner, { idRelationBoard: there.id })).status).toBe(422)
    good(await anna.put(`${T}/members/${mine.id}`, { canRelationBoard: true }))
    expect((await relate(owner, { idRelationBoard: there.id, idColumn: here.idColumnNew })).body[0]).toEqual({
      field: 'idColumn',
      message: 'Колонка должна быть из связанного пространства',
    })
    const made = good(await relate(owner, { idRelationBoard: there.id, idColumn: there.idColumnWork }), 201)
    expect(made).toMatchObject({ nameRelationBoard: 'Там', nameColumn: 'В работе' })
    expect((await relate(owner, { idRelationBoard: there.id })).status).toBe(422)
    expect((await owner.put(`${T}/relations/${made.id}`, { idColumn: here.idColumnNew })).status).toBe(422)
    await hands(owner).member(here.id, id('boris'))
    expect(good(await boris.get(`${T}/relations?filter[idBoard]=${here.id}`)).items).toHaveLength(1)
    expect((await boris.delete(`${T}/relations/${made.id}`)).status).toBe(403)
    expect((await relate(boris, { idRelationBoard: hidden.id })).status).toBe(403)
    expect((await owner.delete(`${T}/relations/${made.id}`)).status).toBe(204)
  })
})

const upload = async (who: Caller, name = 'план.txt'): Promise<{ id: number; key: string }> => {
  const form = new FormData()
  form.append('file', new File(['план работ'], name))
  return good(await who.post(`${T}/files`, form), 201)
}

describe('materials', () => {
  it.each([
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ url: '/tasks' }, 'url'],
    [{ url: 'data:text/html,x' }, 'url'],
    [{ url: 'просто слова' }, 'url'],
    [{}, 'url'],
    [{ url: '' }, 'url'],
  ])('refuse %j', async (body, field) => {
    const board = await hands(owner).board()
    const answer = await owner.post(`${T}/resources`, { name: 'Материал', idBoard: board.id, ...body })
    expect([answer.status, answer.body[0]?.field]).toEqual([422, field])
  })

  it.each(['https://clinic.ru/план', 'http://10.0.0.1:8080', 'ftp://files.ru', 'tel:+79991234567', 'mailto:a@b.ru'])(
    'accept %s',
    async (url) => {
      const board = await hands(owner).board()
      good(await owner.post(`${T}/resources`, { name: 'Ссылка', idBoard: board.id, url }), 201)
    },
  )

  it('are visible with their files to members of the workspace only, even if it is public', async () => {
    const board = await hands(owner).board({ isPublic: true })
    await hands(owner).member(board.id, id('anna'))
    const file = await upload(owner)
    const made = good(await owner.post(`${T}/resources`, { name: 'План', idBoard: board.id, idFile: file.id }), 201)
    const sees = async (who: Caller) => [
      (await who.get(`${T}/resources?filter[idBoard]=${board.id}`)).body.items.length,
      (await who.get(`/files/${file.id}`)).status,
    ]
    expect(await sees(anna)).toEqual([1, 200])
    expect(await sees(boris)).toEqual([0, 404])
    expect((await anna.put(`${T}/resources/${made.id}`, { name: 'Мой' })).status).toBe(403)
    // Attaching another person's file does not make it one's own.
    const own = await hands(boris).board()
    expect((await boris.post(`${T}/resources`, { name: 'Чужой', idBoard: own.id, idFile: file.id })).status).toBe(422)
    good(await owner.delete(`${T}/resources/${made.id}`), 204)
    expect(await sees(anna)).toEqual([0, 404])
    good(await owner.post(`${T}/resources/${made.id}/restore`))
    expect(await sees(anna)).toEqual([1, 200])
  })
})

describe('the archive of completed tasks', () => {
  it('takes completed tasks that the user may edit on this board, each with its line in history', async () => {
    const board = await hands(owner).board()
    const h = hands(owner)
    await h.member(board.id, id('anna'), { permissionToViewTasks: 'all', permissionToEditTasks: 'emptymy' })
    const [free, taken, open] = [
      await h.task(board.idColumnNew),
      await h.task(board.idColumnNew),
      await h.task(board.idColumnNew),
    ]
    const me = (await membersOf(board.id)).find((m) => m.idUser === id('owner'))
    good(await owner.post(`${T}/executors`, { idTask: taken.id, idMember: me?.id }), 201)
    await clinic.db.query(
      sql`update tasks_management_tasks set "isCompleted" = true where "id" in (${free.id}, ${taken.id})`,
    )
    const cards = {
      free: (await h.card(free.id)).id,
      taken: (await h.card(taken.id)).id,
      open: (await h.card(open.id)).id,
    }
    expect((await stranger.post(`${T}/boards/${board.id}/archive`)).status).toBe(404)
    expect(good(await anna.post(`${T}/boards/${board.id}/archive`))).toEqual({ ids: [cards.free] })
    expect(good(await owner.post(`${T}/boards/${board.id}/archive`))).toEqual({ ids: [cards.taken] })
    expect(good(await owner.post(`${T}/boards/${board.id}/archive`))).toEqual({ ids: [] })
    expect((await h.card(open.id)).isArchive).toBe(false)
    const { items } = good(await owner.get(`${T}/assigned/${cards.taken}/history`))
    expect(items[0]).toMatchObject({ action: 'update', idUser: id('owner'), changes: { isArchive: [false, true] } })
    good(await owner.put(`${T}/assigned/${cards.taken}`, { isArchive: false }))
  })
})

describe('counters per member', () => {
  it("use the user's own day boundaries, count only visible tasks, and are never negative", async () => {
    const board = await hands(owner).board()
    const h = hands(owner)
    const vera = await h.member(board.id, id('vera'))
    await h.member(board.id, id('anna'), { permissionToViewTasks: 'my' })
    const zones = ['Europe/Moscow', 'Asia/Kamchatka', 'America/New_York', 'Pacific/Auckland', 'UTC', 'Asia/Kathmandu']
    const dayIn = (zone: string, at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)
    const task = await h.task(board.idColumnNew)
    good(await owner.post(`${T}/executors`, { idTask: task.id, idMember: vera.id }), 201)
    const fields = 'id,tasksToday,tasksTomorrow,tasksYesterday,tasksOther'
    const counts = async (who: Caller) => good(await who.get(`${T}/members/${vera.id}?fields=${fields}`))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        fc.integer({ min: -3 * 96, max: 3 * 96 }),
        fc.constantFrom(-1, 0, 1),
        async (timeZone, quarters, ms) => {
          const now = Date.now()
          const end = new Date(Math.floor(now / 900_000) * 900_000 + quarters * 900_000 + ms)
          await clinic.db.query(sql`update users set "timeZone" = ${timeZone} where "id" = ${id('owner')}`)
          await clinic.db.query(sql`update tasks_management_tasks set "dateEnd" = ${end} where "id" = ${task.id}`)
          const days = Math.round(
            (Date.parse(dayIn(timeZone, end)) - Date.parse(dayIn(timeZone, new Date()))) / 86_400_000,
          )
          const { tasksToday, tasksTomorrow, tasksYesterday, tasksOther } = await counts(owner)
          expect([tasksToday, tasksTomorrow, tasksYesterday, tasksOther]).toEqual([
            Number(days === 0),
            Number(days === 1),
            Number(days === -1),
            Number(Math.abs(days) > 1),
          ])
        },
      ),
      { numRuns: runs(20, 500) },
    )
    const none = { tasksToday: 0, tasksTomorrow: 0, tasksYesterday: 0, tasksOther: 0 }
    expect(await counts(anna)).toMatchObject(none)
    await clinic.db.query(sql`update tasks_management_tasks set "dateEnd" = null where "id" = ${task.id}`)
    expect(await counts(owner)).toMatchObject({ ...none, tasksOther: 1 })
    await clinic.db.query(sql`update tasks_management_tasks set "isCompleted" = true where "id" = ${task.id}`)
    expect(await counts(owner)).toMatchObject(none)
  })
})

describe('unused files', () => {
  const aged = (table: string, row: number, column: string) =>
    clinic.db.query({
      text: `update ${table} set "${column}" = now() - interval '40 days' where id = $1`,
      values: [row],
    })
  const key = async (row: number) =>
    (await clinic.db.one<{ key: string }>(sql`select "key" from tasks_management_files where "id" = ${row}`))?.key ?? ''

  it('are deleted: first a file unattached for a day, later its bytes', async () => {
    const board = await hands(owner).board()
    const [loose, held, drawn, fresh] = [
      await upload(owner),
      await upload(owner),
      await upload(owner),
      await upload(owner),
    ]
    good(await owner.post(`${T}/resources`, { name: 'План', idBoard: board.id, idFile: held.id }), 201)
    await hands(owner).task(board.idColumnNew, { description: `<p><img src="/files/${drawn.id}"></p>` })
    for (const file of [loose, held, drawn]) await aged('tasks_management_files', file.id, 'dateCreate')
    const keys = { loose: await key(loose.id), held: await key(held.id) }
    await clinic.context.jobs.run('files.sweep')
    const statuses = async () =>
      Promise.all([loose, held, drawn, fresh].map(async ({ id: row }) => (await owner.get(`/files/${row}`)).status))
    expect(await statuses()).toEqual([404, 200, 200, 200])
    expect(await clinic.context.files.stat(keys.loose)).toBeDefined()

    await clinic.context.jobs.run('records.trash')
    await clinic.context.jobs.drain()
    expect(await clinic.context.files.stat(keys.loose), 'the trash still keeps it').toBeDefined()
    await aged('tasks_management_files', loose.id, '_deletedAt')
    await clinic.context.jobs.run('records.trash')
    await clinic.context.jobs.drain()
    expect(await key(loose.id)).toBe('')
    expect(await clinic.context.files.stat(keys.loose)).toBeUndefined()
    expect(await clinic.context.files.stat(keys.held)).toBeDefined()
  })
})
