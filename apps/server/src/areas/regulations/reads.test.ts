/** Reading regulations over HTTP: duties, the test, reminders, and the daily job. */

import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { allowOwnApproval, desk } from './testing/desk.ts'

const today = () => dayIn(commonSettings.timeZone.byDefault, Date.now())

let clinic: Clinic
let check: Awaited<ReturnType<typeof answerCheck>>['check']
let idRole: number
const ids: Record<string, number> = {}

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await allowOwnApproval(context)
      ids.writer = (await addPerson(context, 'writer', ['editScripts'])).id
      for (const login of ['nurse', 'sister', 'doctor', 'keeper', 'stranger'])
        ids[login] = (await addPerson(context, login)).id
    },
  })
  check = (await answerCheck(clinic)).check
  idRole = (
    await clinic.db.one<{ id: number }>({ text: `insert into roles ("name") values ('Пост') returning id`, values: [] })
  )?.id as number
  for (const login of ['nurse', 'sister']) await giveRole(login)
})
afterAll(() => clinic.close())

const as = (login: string) => clinic.as(login)
const writer = () => desk(as('writer'))
const outcomeOf = ({ status, body }: Answer) => [status, body?.message ?? body?.[0]?.message]
const run = (text: string, ...values: unknown[]) => clinic.db.query({ text, values })
const giveRole = (login: string) =>
  run('insert into user_roles ("idUser", "idRole") values ($1, $2)', ids[login], idRole)
const inDays = (days: number) => plusDays(today(), days)

const TEST = {
  questions: [
    {
      text: 'Сколько?',
      options: [
        { text: 'Два', isRight: true },
        { text: 'Три', isRight: false },
      ],
    },
    {
      text: 'Что?',
      options: [
        { text: 'Перчатки', isRight: true },
        { text: 'Маска', isRight: true },
        { text: 'Шляпа', isRight: false },
      ],
    },
  ],
}

/** A regulation in force that the role and these people must read. */
async function toRead(people: string[] = [], body: object = {}, ofRole = true): Promise<RegulationView> {
  const { id } = await writer().regulation({ readDays: 5, responsibleUser: ids.keeper, ...body })
  await audience(id, ofRole ? ['Пост'] : [], ...people)
  return writer().enforce(id)
}

const audience = async (id: number, roles: string[], ...people: string[]) => {
  const idUsers = people.map((login) => ids[login])
  const answer = await as('writer').post(`/regulations/model/set-audience?id=${id}`, { roles, idUsers })
  check('POST', '/regulations/model/set-audience', answer)
  return answer.body
}

interface Duty {
  id: number
  idUser: number
  dateDue: string
  dateRead: string | null
}
const duties = async (id: number, by = 'writer'): Promise<Duty[]> =>
  (await as(by).get(`/regulations/reads?filter[idRegulation]=${id}&sort=idUser&limit=500`)).body.items
const readers = async (id: number, by = 'writer') => (await duties(id, by)).map(({ idUser }) => idUser)
const noticesOf = async (login: string, id: number): Promise<string[]> =>
  (await as(login).get(`/notifications?filter[idEntity]=${id}&filter[kind]=regulation.read&sort=id`)).body.items.map(
    (one: { title: string }) => one.title,
  )
const confirm = (login: string, id: number, body: object = {}) =>
  as(login).post(`/regulations/model/confirm?id=${id}`, body)
const human = (day: string) => day.split('-').reverse().join('.')

describe('duties to read', () => {
  it('are created when the version comes into force, for active people of the audience, with a notice', async () => {
    const { id } = await writer().regulation({ readDays: 5 })
    await audience(id, ['Пост'], 'doctor')
    expect(await duties(id)).toEqual([])
    await run('update users set "isBlocked" = true where id = $1', ids.sister)
    await writer().enforce(id)
    await run('update users set "isBlocked" = false where id = $1', ids.sister)
    expect((await duties(id)).map(({ idUser, dateDue }) => [idUser, dateDue])).toEqual([
      [ids.nurse, inDays(5)],
      [ids.doctor, inDays(5)],
    ])
    expect(await noticesOf('nurse', id)).toEqual([`Ознакомьтесь с регламентом до ${human(inDays(5))}`])
  })

  it('follow the audience; completed ones stay', async () => {
    const { id } = await toRead(['doctor'])
    expect(await readers(id)).toEqual([ids.nurse, ids.sister, ids.doctor])
    await confirm('nurse', id)
    await audience(id, [], 'doctor')
    expect(await readers(id)).toEqual([ids.nurse, ids.doctor])
    await writer().make('/regulations/audience', { idRegulation: id, idUser: ids.sister })
    expect(await readers(id)).toEqual([ids.nurse, ids.sister, ids.doctor])
    expect(await audience(id, ['Нет такой'])).toEqual([{ field: 'roles', message: 'Нет роли «Нет такой»' }])
    expect((await noticesOf('sister', id)).length).toBe(2)
  })

  it('start again with each version', async () => {
    const { id } = await toRead()
    await confirm('nurse', id)
    const { id: next } = (await writer().version(id)).body
    expect(await duties(next)).toEqual([])
    await writer().enforce(next)
    expect((await duties(next)).map(({ dateRead }) => dateRead)).toEqual([null, null])
    expect((await duties(id)).map(({ idUser }) => idUser)).toEqual([ids.nurse])
    expect(outcomeOf(await confirm('sister', id))[0]).toBe(404)
  })

  it('are visible to their people, the responsible user and the writers', async () => {
    const { id } = await toRead()
    const visible = async (login: string) => (await duties(id, login)).length
    expect(await Promise.all(['nurse', 'keeper', 'writer', 'stranger'].map(visible))).toEqual([1, 2, 2, 0])
    const [duty] = await duties(id)
    expect((await as('nurse').put(`/regulations/reads/${duty?.id}`, { dateRead: new Date() })).status).toBe(403)
  })
})

describe('confirming', () => {
  it('without a test is one click, done once', async () => {
    const toDo = async () => (await as('nurse').get('/common/badges')).body.regulations ?? 0
    const before = await toDo()
    const { id } = await toRead()
    expect(await toDo()).toBe(before + 1)
    const first = await confirm('nurse', id)
    expect(await toDo()).toBe(before)
    check('POST', '/regulations/model/confirm', first)
    expect(first.body).toEqual({ dateRead: expect.any(String), score: null, passed: true, attempts: 1 })
    expect((await confirm('nurse', id)).body).toEqual(first.body)
    expect(outcomeOf(await confirm('stranger', id))).toEqual([403, 'Вам не назначено ознакомление с этим регламентом'])
  })

  it('with a test requires the score', async () => {
    const { id } = await toRead([], { test: TEST, passScore: 80 })
    const questions = await as('nurse').get(`/regulations/model/test?id=${id}`)
    check('GET', '/regulations/model/test', questions)
    expect(questions.body).toEqual({
      passScore: 80,
      questions: [
        { text: 'Сколько?', options: ['Два', 'Три'], several: false },
        { text: 'Что?', options: ['Перчатки', 'Маска', 'Шляпа'], several: true },
      ],
    })
    const wrong: [answers: unknown, field: string, message: string][] = [
      [undefined, 'answers.0', 'Ответьте на вопрос 1'],
      [[[0]], 'answers.1', 'Ответьте на вопрос 2'],
      [[[0], [3]], 'answers.1', 'Вопрос 2: такого ответа нет'],
      [[[0, 0], [1]], 'answers.0', 'Вопрос 1: такого ответа нет'],
      [[[0], [1], [1]], 'answers', 'Ответов больше, чем вопросов: 3 на 2'],
    ]
    for (const [answers, field, message] of wrong) {
      const answer = await confirm('nurse', id, { answers })
      expect([answer.status, answer.body]).toEqual([422, [{ field, message }]])
    }
    for (const answers of ['0', [['0'], [1]], [[-1], [0]]])
      expect((await confirm('nurse', id, { answers })).status).toBe(422)
    expect((await duties(id))[0]).toMatchObject({ attempts: 0, score: null, dateRead: null })
    expect((await confirm('nurse', id, { answers: [[0], [0]] })).body).toEqual({
      dateRead: null,
      score: 50,
      passed: false,
      attempts: 1,
    })
    expect((await confirm('nurse', id, { answers: [[0], [1, 0]] })).body).toMatchObject({
      dateRead: expect.any(String),
      score: 100,
      passed: true,
      attempts: 2,
    })
    // After passing, a worse attempt changes nothing.
    expect((await confirm('nurse', id, { answers: [[1], [2]] })).body).toMatchObject({ score: 100, attempts: 2 })
  })
})

describe('reminders', () => {
  it('by hand go to people who have not read, chosen or all, once an hour', async () => {
    const { id } = await toRead(['doctor'])
    await confirm('doctor', id)
    const remind = (login: string, body: object = {}) => as(login).post(`/regulations/model/remind?id=${id}`, body)
    expect((await remind('nurse')).status).toBe(403)
    expect((await remind('keeper', { idUsers: [ids.nurse, ids.doctor] })).body).toEqual({ count: 1 })
    expect((await remind('writer')).body).toEqual({ count: 1 })
    expect((await remind('writer')).body).toEqual({ count: 0 })
    expect([
      (await noticesOf('nurse', id)).length,
      (await noticesOf('sister', id)).length,
      (await noticesOf('doctor', id)).length,
    ]).toEqual([2, 2, 1])
  })

  it('by the server come daily from two days before, once with any number of servers', async () => {
    const { id } = await toRead(['doctor'], {}, false)
    const second = await clinic.secondProcess()
    const daily = async () => {
      const before = (await noticesOf('doctor', id)).length
      await Promise.all([clinic, second].map(({ context }) => context.jobs.run('regulations.reads')))
      return (await noticesOf('doctor', id)).slice(before)
    }
    const yesterday = () =>
      run(
        `update regulations_reads set "dateCreate" = "dateCreate" - interval '1 day', "dateReminded" = "dateReminded" - interval '1 day'
         where "idRegulation" = $1`,
        id,
      )
    const due = (day: string) => run('update regulations_reads set "dateDue" = $2 where "idRegulation" = $1', id, day)
    await yesterday()
    await due(inDays(3))
    expect(await daily()).toEqual([])
    await due(inDays(2))
    expect(await daily()).toEqual([`Ознакомьтесь с регламентом до ${human(inDays(2))}`])
    expect(await daily()).toEqual([])
    await yesterday()
    await due(inDays(-1))
    expect(await daily()).toEqual([`Вы не ознакомились с регламентом: срок был ${human(inDays(-1))}`])
    await yesterday()
    await confirm('doctor', id)
    expect(await daily()).toEqual([])
    await second.close()
  })

  it('the same job includes new people of the role, and drops those who left', async () => {
    const { id } = await toRead()
    await giveRole('stranger')
    await run('update users set "isBlocked" = true where id = $1', ids.sister)
    await clinic.context.jobs.run('regulations.reads')
    expect(await readers(id)).toEqual([ids.nurse, ids.stranger])
    expect((await noticesOf('stranger', id)).length).toBe(1)
    await run('update users set "isBlocked" = false where id = $1', ids.sister)
  })
})
