/** Lifecycle of an import: running, stopped, cancelled and undone. */
import { afterAll, describe, expect, it } from 'vitest'
import { killRuns } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { csv } from '#testing/importFiles.ts'
import { type Body, importClinic, names, T } from './testing/boards.ts'

const { clinic, anna, begin, board, cards, owner, preview, take } = await importClinic()
afterAll(() => clinic.close())

describe('an import that runs', () => {
  const many = (count: number) => csv('Название', ...Array.from({ length: count }, (_, i) => `Задача ${i}`))

  it('creates each row once, with two processes on the job and one of them killed', async () => {
    const { id } = await board()
    const run = await begin(owner, good(await preview(owner, many(90), id)))
    const job = () => clinic.context.jobs.run('imports.run', { id: run.id })
    const dying = job().catch((error) => error)
    await expect
      .poll(
        async () =>
          (await clinic.db.one<Body>({ text: 'select done from imports where id = $1', values: [run.id] }))?.done,
        { interval: 5, timeout: 20_000 },
      )
      .toBeGreaterThan(0)
    // Only the import's own transaction writes; between two batches there is none.
    const kill = {
      text: `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`,
    }
    while ((await clinic.db.query(kill)).length === 0);
    expect(await dying).toBeInstanceOf(Error)
    const between = good(await owner.get(`/imports/${run.id}`))
    expect(between.state).toBe('running')
    expect(between.done).toBeLessThan(90)
    expect(await cards(owner, id)).toHaveLength(between.done)
    await Promise.all([job(), job()])
    expect(good(await owner.get(`/imports/${run.id}`))).toMatchObject({ state: 'done', done: 90, created: 90 })
    expect(names(await cards(owner, id))).toEqual(Array.from({ length: 90 }, (_, i) => `Задача ${i}`))
  })

  it('is cancelled between batches, and undone', async () => {
    const { id } = await board()
    const run = await begin(owner, good(await preview(owner, many(120), id)))
    const running = clinic.context.jobs.run('imports.run', { id: run.id })
    await expect
      .poll(async () => good(await owner.get(`/imports/${run.id}`)).done, { interval: 5, timeout: 20_000 })
      .toBeGreaterThan(0)
    expect(good(await owner.post(`/imports/${run.id}/cancel`)).state).toBe('reverting')
    await running
    await clinic.context.jobs.drain()
    const after = good(await owner.get(`/imports/${run.id}`))
    expect(after).toMatchObject({ state: 'cancelled', created: 0 })
    expect(after.done).toBeLessThan(120)
    expect(await cards(owner, id)).toEqual([])
    expect((await owner.post(`/imports/${run.id}/cancel`)).status).toBe(409)
  })

  it('creates each row once and is undone, at whichever step its server is killed', async () => {
    const { id: idBoard } = await board()
    const died = await killRuns(
      clinic,
      '^imports$',
      async () => (await begin(owner, good(await preview(owner, many(30), idBoard)))).id,
      async (id) => {
        expect(good(await owner.get(`/imports/${id}`))).toMatchObject({ state: 'done', done: 30, created: 30 })
        expect(await cards(owner, idBoard)).toHaveLength(30)
        good(await owner.post(`/imports/${id}/revert`, { force: true }))
        await clinic.context.jobs.drain()
        expect(await cards(owner, idBoard)).toEqual([])
      },
    )
    expect(died).toBeGreaterThan(5)
  })

  it('starts once from an upload, which is consumed', async () => {
    const { id } = await board()
    const previewed = good(await preview(owner, many(1), id))
    const body = { upload: previewed.upload, mapping: previewed.mapping }
    const answers = await Promise.all([1, 2, 3].map(() => owner.post('/imports', body)))
    expect(answers.map((one) => one.status).filter((status) => status === 201)).toHaveLength(1)
    await clinic.context.jobs.drain()
    expect(await cards(owner, id)).toHaveLength(1)
    expect(await clinic.context.files.stat(`imports/${previewed.upload}`)).toBeUndefined()
  })

  it('an upload without a start is deleted after an hour', async () => {
    const { id } = await board()
    const previewed = good(await preview(owner, many(1), id))
    await clinic.context.jobs.run('imports.sweep')
    expect(await clinic.context.files.stat(`imports/${previewed.upload}`)).toBeDefined()
    await clinic.db.query({
      text: `update import_uploads set "dateCreate" = now() - interval '61 minutes' where id = $1`,
      values: [previewed.upload],
    })
    await clinic.context.jobs.run('imports.sweep')
    await clinic.context.jobs.drain()
    expect(await clinic.context.files.stat(`imports/${previewed.upload}`)).toBeUndefined()
    expect((await owner.post('/imports', { upload: previewed.upload, mapping: previewed.mapping })).status).toBe(404)
  })
})

describe('an undo', () => {
  it('reports records changed by others, and deletes the rest', async () => {
    const { id } = await board({ permissionToViewTasks: 'all', permissionToEditTasks: 'all' })
    const run = await take(owner, csv('Название;Колонка', 'А;', 'Б;Новая', 'В;Новая'), id, {
      params: { createColumns: true },
    })
    const before = await cards(owner, id)
    const task = before.find((one) => one.task.name === 'Б') as Body
    good(await anna.put(`${T}/tasks/${task.idTask}`, { importance: 9 }))
    good(await owner.put(`${T}/tasks/${before[0]?.idTask}`, { importance: 9 }))
    const changed = good(await owner.get(`/imports/${run.id}/changed`))
    expect(changed).toEqual({
      total: 1,
      items: [{ path: `${T.slice(1)}/tasks`, idEntity: task.idTask, title: 'Б', user: 'Иванова Анна' }],
    })
    const asked = await owner.post(`/imports/${run.id}/revert`, {})
    expect([asked.status, asked.body.code]).toEqual([409, 'changed'])
    good(await owner.post(`/imports/${run.id}/revert`, { force: false }))
    await clinic.context.jobs.drain()
    const after = good(await owner.get(`/imports/${run.id}`))
    // The changed task, and its column.
    expect(after).toMatchObject({ state: 'reverted', created: 2 })
    expect(names(await cards(owner, id))).toEqual(['Б'])
    expect((await owner.post(`/imports/${run.id}/revert`, {})).status).toBe(409)
    const trash = good(await owner.get(`${T}/tasks?deleted=1&limit=100&sort=-id`)).items
    expect(trash.map((one: Body) => one.name)).toContain('В')
  })

  it('deletes everything with force, including created columns', async () => {
    const { id } = await board({ permissionToViewTasks: 'all', permissionToEditTasks: 'all' })
    const run = await take(owner, csv('Название;Колонка', 'А;Новая'), id, { params: { createColumns: true } })
    const [card] = await cards(owner, id)
    good(await anna.put(`${T}/tasks/${card?.idTask}`, { importance: 9 }))
    good(await owner.post(`/imports/${run.id}/revert`, { force: true }))
    await clinic.context.jobs.drain()
    expect(await cards(owner, id)).toEqual([])
    const columns = good(await owner.get(`${T}/columns?filter[idBoard]=${id}`)).items
    expect(columns.map((one: Body) => one.name)).not.toContain('Новая')
  })
})
