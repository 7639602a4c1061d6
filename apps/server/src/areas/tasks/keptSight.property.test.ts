/** Stored task visibility equals a recount, after writes by every path: calls, bulk statements, the trash. */
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'
import { lockWaits } from '#testing/locks.ts'
import { addPeople, good } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let idBob: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      const people = await addPeople(app, { ann: ['bypassTaskRights'], bob: [] })
      idBob = people.bob as number
    },
  })
})
afterAll(() => clinic.close())

const doings = [
  'task',
  'card',
  'executor',
  'responsible',
  'unassign',
  'unassign in bulk',
  'move in bulk',
  'template',
  'creator',
  'delete task',
  'restore task',
  'delete card',
  'remove card',
  'member leaves',
  'member returns',
  'delete column',
  'restore column',
  'delete board',
  'restore board',
  'purge task',
] as const
const doing = fc.record({ what: fc.constantFrom(...doings), one: fc.nat(20), other: fc.nat(20) })

it('stored visibility equals a recount after any writes', async () => {
  const { db } = clinic
  const ann = clinic.as('ann')
  const board = async () => {
    const made = good(await ann.post(`${T}/boards`, { name: 'Смены' }), 201)
    const member = good(await ann.post(`${T}/members`, { idBoard: made.id, idUser: idBob }), 201)
    const columns = good(await ann.get(`${T}/columns?filter[idBoard]=${made.id}&fields=id`)).items
    return { id: made.id as number, member: member.id as number, columns: columns.map((c: { id: number }) => c.id) }
  }
  const boards = [await board(), await board()]
  const allColumns: number[] = boards.flatMap((one) => one.columns)
  const tasks: number[] = []

  const write: Record<(typeof doings)[number], (task: number, one: number, other: number) => Promise<unknown>> = {
    task: async (_task, one) => {
      const made = await ann.post(`${T}/tasks`, { name: 'а', idColumn: allColumns[one % allColumns.length] })
      // Its column may be deleted.
      if (made.status === 201) tasks.push(made.body.id)
    },
    card: (idTask, one) => ann.post(`${T}/assigned`, { idTask, idColumn: allColumns[one % allColumns.length] }),
    executor: (idTask, one) => ann.post(`${T}/executors`, { idTask, idMember: boards[one % 2]?.member }),
    responsible: (idTask, one) => ann.post(`${T}/responsible`, { idTask, idMember: boards[one % 2]?.member }),
    unassign: (idTask) => db.query(sql`delete from tasks_management_executors where "idTask" = ${idTask}`),
    'unassign in bulk': (_task, one) =>
      db.query(sql`delete from tasks_management_responsible where "idMember" = ${boards[one % 2]?.member}`),
    'move in bulk': (_task, one, other) =>
      db.query(sql`update tasks_management_assigned set "idColumn" = ${allColumns[one % allColumns.length]}
        where "idColumn" = ${allColumns[other % allColumns.length]}`),
    template: (id, one) =>
      db.query(sql`update tasks_management_tasks set "isTemplate" = ${one % 2 === 0} where "id" = ${id}`),
    creator: (id) => db.query(sql`update tasks_management_tasks set "idUser" = ${idBob} where "id" = ${id}`),
    'delete task': (id) => ann.delete(`${T}/tasks/${id}`),
    'restore task': (id) => ann.post(`${T}/tasks/${id}/restore`, {}),
    'delete card': (idTask) =>
      db.query(sql`update tasks_management_assigned set "deleted" = not "deleted" where "idTask" = ${idTask}`),
    'remove card': (idTask) => db.query(sql`delete from tasks_management_assigned where "idTask" = ${idTask}`),
    'member leaves': (_task, one) => ann.delete(`${T}/members/${boards[one % 2]?.member}`),
    'member returns': (_task, one) =>
      db.query(
        sql`update tasks_management_members set "deleted" = not "deleted" where "id" = ${boards[one % 2]?.member}`,
      ),
    'delete column': (_task, one) =>
      db.query(
        sql`update tasks_management_columns set "deleted" = true where "id" = ${allColumns[one % allColumns.length]}`,
      ),
    'restore column': (_task, one) =>
      db.query(
        sql`update tasks_management_columns set "deleted" = false where "id" = ${allColumns[one % allColumns.length]}`,
      ),
    'delete board': (_task, one) => ann.delete(`${T}/boards/${boards[one % 2]?.id}`),
    'restore board': (_task, one) => ann.post(`${T}/boards/${boards[one % 2]?.id}/restore`, {}),
    'purge task': async (id) => {
      for (const part of ['assigned', 'executors', 'responsible'])
        await db.query({ text: `delete from tasks_management_${part} where "idTask" = $1`, values: [id] })
      await db.query(sql`delete from tasks_management_tasks where "id" = ${id}`).catch(() => undefined)
    },
  }
  const recount = async () =>
    db.query(sql`(select 'too much' as what, k.* from (table tasks_management_sights except all table tasks_management_sights_due) k)
      union all (select 'missing', k.* from (table tasks_management_sights_due except all table tasks_management_sights) k)`)

  await fc.assert(
    fc.asyncProperty(fc.array(doing, { minLength: 5, maxLength: 25 }), async (list) => {
      for (const table of ['boards', 'columns', 'members'])
        await db.query({ text: `update tasks_management_${table} set "deleted" = false where "deleted"` })
      await write.task(0, 1, 0)
      for (const { what, one, other } of list) {
        await write[what](tasks[(one * 7 + other) % tasks.length] as number, one, other)
        expect([what, await recount()]).toEqual([what, []])
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 12) },
  )
})

it('two concurrent removals of the last people leave the task to those who see unassigned ones', async () => {
  const { db } = clinic
  const ann = clinic.as('ann')
  const board = good(await ann.post(`${T}/boards`, { name: 'Вдвоём' }), 201)
  const task = good(await ann.post(`${T}/tasks`, { name: 'б', idColumn: board.idColumnNew }), 201)
  const member = good(await ann.post(`${T}/members`, { idBoard: board.id, idUser: idBob }), 201)
  await ann.post(`${T}/executors`, { idTask: task.id, idMember: member.id })
  await ann.post(`${T}/responsible`, { idTask: task.id, idMember: member.id })
  let removed = 0
  // Both have removed, or one waits for the other, before either is committed.
  const both = async () => {
    removed++
    await lockWaits(db, 1, () => removed === 2)
  }
  const take = (table: string) =>
    db.tx(async (tx) => {
      await tx.query({ text: `delete from tasks_management_${table} where "idTask" = $1`, values: [task.id] })
      await both()
    })
  await Promise.all([take('executors'), take('responsible')])
  const kept = await db.query<{ who: string }>(
    sql`select ("principal" & 4294967295)::text as who from tasks_management_sights where "idTask" = ${task.id} order by 1`,
  )
  expect(kept.map(({ who }) => who)).toEqual(['0', '4294967295'])
})
