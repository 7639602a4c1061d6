import { type RegulationStatus, whyKept } from '@ordinator/model/areas/regulations/status'
import type { RegulationView, UserRegulation } from '@ordinator/model/areas/regulations/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { allowOwnApproval, callers, desk } from './testing/desk.ts'

/**
 * Visibility of versions. Each person has one relation to all regulations below: the reader has read the archived one,
 * the keeper is responsible for all, the checker reviews all.
 */
const people = ['stranger', 'reader', 'keeper', 'checker', 'writer'] as const
type Person = (typeof people)[number]
const sees: Record<string, readonly Person[]> = {
  template: ['keeper', 'checker', 'writer'],
  review: ['keeper', 'checker', 'writer'],
  approved: ['keeper', 'checker', 'writer'],
  active: ['stranger', 'reader', 'keeper', 'checker', 'writer'],
  archived: ['reader', 'keeper', 'checker', 'writer'],
}

let clinic: Clinic
const as = callers(() => clinic)
const ids = {} as Record<Person, number>
const made: Record<string, RegulationView & { file: number; audience: { id: number }[] }> = {}

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await allowOwnApproval(context)
      for (const login of people)
        ids[login] = (await addPerson(context, login, login === 'writer' ? ['editScripts'] : [])).id
    },
  })
  const writer = desk(as('writer'))
  const script = await writer.make('/old-scripts', { name: 'Скрипт' })
  for (const status of Object.keys(sees)) {
    const file = await writer.picture()
    const { id } = await writer.regulation({
      name: `Регламент ${status}`,
      responsibleUser: ids.keeper,
      test: {
        questions: [
          {
            text: 'Кто?',
            options: [
              { text: 'Я', isRight: true },
              { text: 'Он', isRight: false },
            ],
          },
        ],
      },
      stages: [
        { title: `Шаг ${status}`, images: [{ idFile: file.id }], scripts: [script.id], responsibles: [ids.keeper] },
      ],
    })
    await writer.make('/regulations/reviewers', { idRegulation: id, idUser: ids.checker, kind: 'reviewer' })
    await writer.make('/regulations/audience', { idRegulation: id, idUser: ids.reader })
    if (status !== 'template') await writer.go(id, 'review')
    if (['approved', 'active', 'archived'].includes(status)) await desk(as('checker')).decide(id, 'approved')
    if (['active', 'archived'].includes(status)) await writer.go(id, 'active')
    if (status === 'archived') {
      await clinic.db.query({
        text: `insert into regulations_reads ("idRegulation", "idUser", "dateRead") values ($1, $2, now())
          on conflict ("idRegulation", "idUser") where not "deleted" do update set "dateRead" = now()`,
        values: [id, ids.reader],
      })
      await writer.go(id, 'archived')
    }
    made[status] = Object.assign(await writer.view(id), { file: file.id })
  }
})
afterAll(() => clinic.close())

/** Every call that could reveal a regulation, with the ids that it returns. */
const callsOf = (person: Person, { id, stages, file }: (typeof made)[string]) => {
  const caller = as(person)
  const idStep = stages[0]?.id as number
  const one = (path: string) => async () => (await caller.get(path)).status === 200
  const listed =
    (path: string, mine: number, of = 'id') =>
    async () =>
      (await caller.get(path)).body.items.some((row: Record<string, number>) => row[of] === mine)
  return {
    view: one(`/regulations/model/view?id=${id}`),
    record: one(`/regulations/${id}`),
    history: one(`/regulations/${id}/history?parts=1`),
    'record of a step': one(`/regulations/steps/${idStep}`),
    'scripts of a step': one(`/regulations/model/get-step-scripts?stepId=${idStep}`),
    'people of a step': one(`/regulations/model/get-step-responsibles?stepId=${idStep}`),
    'comparison with itself': one(`/regulations/model/compare?id=${id}&with=${id}`),
    picture: one(`/files/${file}`),
    index: listed(`/regulations/model/index?limit=500&status=${Object.keys(sees)}`, id),
    list: listed('/regulations?limit=500', id),
    search: listed(`/regulations?filter[stages.title]=${encodeURIComponent(stages[0]?.title as string)}`, id),
    'list of steps': listed('/regulations/steps?limit=500', id, 'idRegulation'),
    'list of pictures': listed('/regulations/step-images?limit=500', idStep, 'idStep'),
    'list of files': listed('/regulations/files?limit=500', file),
    'list of reviewers': listed('/regulations/reviewers?limit=500', id, 'idRegulation'),
    'list of the audience': listed('/regulations/audience?limit=500', id, 'idRegulation'),
  }
}

describe.each(people)('visibility for a %s', (person) => {
  it.each(Object.keys(sees))('of one in the status %s, through every call', async (status) => {
    const visible: Record<string, boolean> = {}
    for (const [name, open] of Object.entries(callsOf(person, made[status] as never))) visible[name] = await open()
    const expected = sees[status]?.includes(person)
    expect(visible).toEqual(Object.fromEntries(Object.keys(visible).map((name) => [name, expected])))
  })
})

it('without editScripts nothing can be changed, and the right answers stay hidden', async () => {
  const { id, stages, reviewers, audience } = made.active as (typeof made)[string]
  const draft = made.template as (typeof made)[string]
  const step = stages[0]?.id
  const calls: [method: string, path: string, body?: object][] = [
    ['POST', '/regulations/model/create', { name: 'А' }],
    ['POST', `/regulations/model/update?id=${draft.id}`, { name: 'А' }],
    ['DELETE', `/regulations/model/delete?id=${draft.id}`],
    ['POST', `/regulations/model/transition?id=${draft.id}`, { to: 'review' }],
    ['POST', `/regulations/model/new-version?id=${id}`],
    ['POST', `/regulations/model/set-step-scripts?stepId=${draft.stages[0]?.id}`, { scriptIds: [] }],
    ['POST', `/regulations/model/set-step-responsibles?stepId=${draft.stages[0]?.id}`, { userIds: [] }],
    ['GET', '/regulations/model/get-scripts'],
    ['POST', '/regulations', { name: 'А' }],
    ['PUT', `/regulations/${draft.id}`, { name: 'А' }],
    ['DELETE', `/regulations/${draft.id}`],
    ['POST', `/regulations/${draft.id}/restore`],
    ['POST', '/regulations/steps', { idRegulation: draft.id, title: 'А' }],
    ['PUT', `/regulations/steps/${step}`, { title: 'А' }],
    ['POST', `/regulations/steps/${step}/move`, { at: 'first' }],
    ['DELETE', `/regulations/reviewers/${reviewers[0]?.id}`],
    ['POST', '/regulations/audience', { idRegulation: id, idUser: ids.stranger }],
    ['DELETE', `/regulations/audience/${audience[0]?.id}`],
    ['DELETE', `/regulations/files/${(made.active as (typeof made)[string]).file}`],
  ]
  const before = await desk(as('writer')).view(draft.id)
  for (const person of people.filter((one) => one !== 'writer')) {
    for (const [method, path, body] of calls)
      expect([person, path, (await as(person).call(method, path, body)).status]).toEqual([person, path, 403])
    for (const path of [
      `/regulations/model/view?id=${id}`,
      `/regulations/${id}`,
      `/regulations/${id}/history?parts=1&limit=500`,
      `/regulations/model/compare?id=${id}&with=${id}`,
      '/regulations?limit=500',
    ])
      expect((await as(person).get(path)).text).not.toContain('isRight')
    expect((await as(person).get(`/regulations/${id}?fields=test`)).status).toBe(400)
    expect((await as(person).get(`/regulations/model/view?id=${id}`)).body).toMatchObject({
      hasTest: 1,
      canEdit: false,
      newVersion: false,
      transitions: [],
    })
  }
  expect(await desk(as('writer')).view(draft.id)).toEqual(before)
  for (const path of ['/regulations/model/index', '/regulations/roles/index', `/regulations/model/view?id=${id}`])
    expect((await clinic.anonymous.get(path)).status).toBe(401)
})

it("one's own list contains what one must read, is responsible for or reviews now", async () => {
  const { check } = await answerCheck(clinic)
  const own = async (person: Person): Promise<string[]> => {
    const answer = await as(person).get<UserRegulation[]>('/regulations/model/get-user-regulations')
    check('GET', '/regulations/model/get-user-regulations', answer)
    return answer.body.map(({ status, decision }) => `${status} ${decision}`).sort()
  }
  expect(await own('stranger')).toEqual([])
  expect(await own('reader')).toEqual(['active null'])
  expect(await own('checker')).toEqual(['review none'])
  expect(await own('keeper')).toEqual(['active null', 'approved null', 'review null', 'template null'])
  expect(await own('writer')).toEqual([])
})

it('violations are shown to those they concern', async () => {
  const writer = as('writer')
  const { id, stages } = made.active as (typeof made)[string]
  for (const person of ['reader', 'stranger'] as const) {
    const body = { idRegulation: id, idStep: stages[0]?.id, idUser: ids[person], level: 'high', description: person }
    expect((await writer.post('/regulations/violations', body)).status).toBe(201)
  }
  const { check } = await answerCheck(clinic)
  const count = async (person: Person, query = '') =>
    (await as(person).get(`/regulations/model/get-violations-count?id=${id}${query}`)).body.count
  expect(await Promise.all((['writer', 'keeper', 'reader', 'checker'] as const).map((one) => count(one)))).toEqual([
    2, 2, 1, 0,
  ])
  expect(await count('writer', `&user_id=${ids.reader}`)).toBe(1)
  const own = await as('reader').get(`/regulations/model/get-violations?id=${id}`)
  check('GET', '/regulations/model/get-violations', own)
  expect(own.body.map(({ description }: { description: string }) => description)).toEqual(['reader'])
  const view = (await as('stranger').get<RegulationView>(`/regulations/model/view?id=${id}`)).body
  expect(view.stages[0]?.violations.map(({ description }) => description)).toEqual(['stranger'])
})

/** Last: it deletes the records of the tests above. */
it('a delete is refused exactly in the statuses with a stated reason', async () => {
  for (const status of Object.keys(sees) as RegulationStatus[]) {
    const { id } = made[status] as RegulationView
    const { status: answered } = await as('writer').delete(`/regulations/model/delete?id=${id}`)
    const stays = ['review', 'approved', 'active'].includes(status)
    expect([status, answered, whyKept[status] !== undefined]).toEqual([status, stays ? 409 : 204, stays])
  }
})
