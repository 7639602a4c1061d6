/** A gain or loss of access to tasks is announced over the socket, in every process. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

interface Message {
  controller: string
  action: string
  data: { paths?: string[] }
}

it('a person added to or removed from a task reloads tasks, in the other process too', async () => {
  const other = await clinic.secondProcess()
  const address = await other.listen()
  const admin = clinic.as('admin')
  const nurse = other.as('nurse')
  const board = (await admin.post('/tasks-management/boards', { name: 'Смены' })).body
  const { items } = (await admin.get('/users?filter[login]=nurse&fields=id')).body
  const member = (await admin.post('/tasks-management/members', { idBoard: board.id, idUser: items[0].id })).body
  const task = (await admin.post('/tasks-management/tasks', { name: 'Ночная смена', idColumn: board.idColumnNew })).body

  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${await nurse.token()}`)
  const messages: Message[] = []
  const next = async (match: (message: Message) => boolean) => {
    for (let i = 0; i < 2_000; i++) {
      const found = messages.findIndex(match)
      if (found >= 0) return messages.splice(found, 1)[0]
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`not received: ${JSON.stringify(messages)}`)
  }
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(
    JSON.stringify({ controller: 'system', action: 'addListener', data: { path: 'tasks-management/assigned' } }),
  )
  await next((m) => m.action === 'addListener')

  const sees = async () => (await nurse.get(`/tasks-management/tasks/${task.id}`)).status === 200
  const reset = (m: Message) => m.action === 'reset' && m.data.paths?.includes('tasks-management/assigned') === true
  expect(await sees()).toBe(false)
  const executor = (await admin.post('/tasks-management/executors', { idTask: task.id, idMember: member.id })).body
  await next(reset)
  expect(await sees()).toBe(true)
  await admin.delete(`/tasks-management/executors/${executor.id}`)
  await next(reset)
  expect(await sees()).toBe(false)
  await admin.put(`/tasks-management/members/${member.id}`, { permissionToViewTasks: 'all' })
  await next(reset)
  expect(await sees()).toBe(true)
  await admin.delete(`/tasks-management/members/${member.id}`)
  await next(reset)
  expect(await sees()).toBe(false)
  socket.close()
  await other.close()
})
