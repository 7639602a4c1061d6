/** Violations over HTTP: manual ones, explanations by their people, decisions by writers of regulations. */
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { allowOwnApproval, desk } from './testing/desk.ts'

let clinic: Clinic
let active: RegulationView
const ids: Record<string, number> = {}

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await allowOwnApproval(context)
      for (const login of ['writer', 'second']) ids[login] = (await addPerson(context, login, ['editScripts'])).id
      for (const login of ['nurse', 'keeper', 'stranger']) ids[login] = (await addPerson(context, login)).id
      ids.reporter = (await addPerson(context, 'reporter', ['viewViolationsReport'])).id
    },
  })
  active = await writer().regulation({ responsibleUser: ids.keeper })
  await writer().enforce(active.id)
})
afterAll(() => clinic.close())

const V = '/regulations/violations'
const as = (login: string) => clinic.as(login)
const writer = () => desk(as('writer'))
const outcomeOf = ({ status, body }: Answer) => [status, body?.message ?? body?.[0]?.message]
const body = (more: object = {}) => ({
  idRegulation: active.id,
  idStep: active.stages[0]?.id,
  idUser: ids.nurse,
  level: 'high',
  description: 'Без перчаток',
  ...more,
})
const note = (more: object = {}): Promise<{ id: number }> => writer().make(V, body(more))
const put = (login: string, id: number, values: object) => as(login).put(`${V}/${id}`, values)
const noticesOf = async (login: string): Promise<string[]> =>
  (await as(login).get('/notifications?filter[kind]=regulation.violation&sort=-id&limit=1')).body.items.map(
    (one: { title: string; text: string }) => `${one.title}. ${one.text}`,
  )

describe('a manual violation', () => {
  it('names its author and notifies its person', async () => {
    const { id } = await note()
    expect((await as('nurse').get(`${V}/${id}`)).body).toMatchObject({
      idAuthor: ids.writer,
      source: 'manual',
      state: 'new',
      explanation: null,
    })
    expect(await noticesOf('nurse')).toEqual(['Вам отметили нарушение регламента. Регламент: Без перчаток'])
  })

  it('requires a step of a regulation that was in force', async () => {
    const other = await writer().regulation()
    const refused = async (more: object) => outcomeOf(await as('writer').post(V, body(more)))
    expect(await refused({ idStep: other.stages[0]?.id })).toEqual([422, 'Это шаг другого регламента'])
    expect(await refused({ idRegulation: other.id, idStep: null })).toEqual([422, 'Регламент ещё не вступал в силу'])
    expect(await refused({ explanation: 'Так вышло' })).toEqual([422, 'Объяснение пишет сам сотрудник'])
    expect((await as('nurse').post(V, body())).status).toBe(403)
  })

  it('is visible to its person and the monitoring users, and colours the step until it is withdrawn', async () => {
    const { id } = await note()
    const statusFor = async (login: string) => (await as(login).get(`${V}/${id}`)).status
    expect(await Promise.all(['nurse', 'writer', 'reporter', 'keeper', 'stranger'].map(statusFor))).toEqual([
      200, 200, 200, 200, 404,
    ])
    const shown = async () => (await writer().view(active.id)).stages[0]?.violations.some((one) => one.id === id)
    expect(await shown()).toBe(true)
    await put('writer', id, { state: 'rejected' })
    expect(await shown()).toBe(false)
  })
})

describe('an explanation', () => {
  it('is editable by its person only, until the decision', async () => {
    const { id } = await note()
    for (const login of ['writer', 'keeper', 'reporter'])
      expect((await put(login, id, { explanation: 'За неё' })).status).toBeGreaterThanOrEqual(403)
    expect((await put('nurse', id, { explanation: 'Кончились' })).body).toMatchObject({
      explanation: 'Кончились',
      state: 'explained',
    })
    expect(await noticesOf('writer')).toEqual(['Нарушение регламента объяснили. Регламент: Кончились'])
    expect((await put('nurse', id, { explanation: null })).body.state).toBe('new')
    await put('nurse', id, { explanation: 'Кончились' })
    await put('second', id, { state: 'confirmed' })
    expect(await noticesOf('nurse')).toEqual(['Нарушение регламента: подтверждено. Регламент: Без перчаток'])
    expect(outcomeOf(await put('nurse', id, { explanation: 'Ещё' }))).toEqual([
      409,
      'Решение уже принято: подтверждено',
    ])
  })

  it('gives its person no other right', async () => {
    const { id } = await note()
    for (const values of [
      { state: 'rejected' },
      { level: 'medium' },
      { description: 'Ничего' },
      { state: 'explained' },
    ])
      expect((await put('nurse', id, values)).status).toBe(403)
    expect((await put('nurse', id, { explanation: 'Вот', state: 'fixed' })).status).toBe(403)
    expect((await as('nurse').delete(`${V}/${id}`)).status).toBe(403)
    expect((await put('nurse', id, { explanation: 'Вот', state: 'explained' })).status).toBe(200)
    expect((await put('stranger', id, { explanation: 'Чужое' })).status).toBe(404)
  })
})
