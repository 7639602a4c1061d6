import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const S = '/sales-management'
const steps = [{ key: 'a', title: 'Начало', text: 'Здравствуйте!', answers: [{ text: 'Да', next: null }] }]
let clinic: Clinic
let check: Awaited<ReturnType<typeof answerCheck>>['check']

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await addPerson(context, 'writer', ['editScripts'])
      await addPerson(context, 'both', ['editScripts', 'editSalesManagement', 'editFunnels'])
      await addPerson(context, 'seller', ['viewSalesManagement'])
      await addPerson(context, 'nobody')
    },
  })
  check = (await answerCheck(clinic)).check
})
afterAll(() => clinic.close())

const script = async (body: object = {}): Promise<number> =>
  good(await clinic.as('both').post('/old-scripts', { name: 'Скрипт', ...body }), 201).id
const attach = async (idScript: number, name: string) => {
  const funnel = good(await clinic.as('both').post(`${S}/funnels`, { name }), 201)
  const link = good(await clinic.as('both').post(`${S}/funnel-scripts`, { idFunnel: funnel.id, idScript }), 201)
  return { idFunnel: funnel.id as number, idLink: link.id as number }
}
const regulation = async (idScript: number, name: string) =>
  good(
    await clinic.as('both').post('/regulations/model/create', {
      name,
      stages: [{ title: 'Поздороваться', scripts: [idScript] }],
    }),
    201,
  )
const usedBy = (caller: Caller, id: number) => caller.get(`/old-scripts/${id}/used`)
const counts = async (id: number) =>
  good(
    await clinic.as('writer').get(`/old-scripts/${id}?fields=stepsCount,funnelsCount,regulationStepsCount`),
  ) as Record<string, number>

describe('the uses of a script', () => {
  it('are named with the right to see them, and counted without it', async () => {
    const id = await script({ params: { steps } })
    expect(await counts(id)).toMatchObject({ stepsCount: 1, funnelsCount: 0, regulationStepsCount: 0 })
    const { idFunnel } = await attach(id, 'Первичные')
    const made = await regulation(id, 'Приём')
    const answer = await usedBy(clinic.as('both'), id)
    check('GET', '/old-scripts/{id}/used', answer)
    expect(good(answer)).toEqual({
      funnels: [{ id: idFunnel, name: 'Первичные' }],
      steps: [{ id: made.stages[0].id, title: 'Поздороваться', idRegulation: made.id, regulation: 'Приём' }],
      hidden: { funnels: 0, steps: 0 },
    })
    expect(good(await usedBy(clinic.as('writer'), id))).toMatchObject({
      funnels: [],
      steps: [{ regulation: 'Приём' }],
      hidden: { funnels: 1, steps: 0 },
    })
    expect(await counts(id)).toMatchObject({ stepsCount: 1, funnelsCount: 1, regulationStepsCount: 1 })
  })

  it('exclude detached and deleted ones', async () => {
    const id = await script()
    const first = await attach(id, 'Снят')
    const second = await attach(id, 'Удалена')
    const third = await regulation(id, 'Удалён')
    await clinic.as('both').delete(`${S}/funnel-scripts/${first.idLink}`)
    await clinic.as('both').delete(`${S}/funnels/${second.idFunnel}`)
    await clinic.as('both').delete(`/regulations/${third.id}`)
    const nothing = { funnels: [], steps: [], hidden: { funnels: 0, steps: 0 } }
    expect(good(await usedBy(clinic.as('both'), id))).toEqual(nothing)
    expect(await counts(id)).toMatchObject({ funnelsCount: 0, regulationStepsCount: 0 })
  })

  it.each([
    ['seller', 403],
    ['nobody', 403],
  ])('%s returns %d', async (login, status) => {
    expect((await usedBy(clinic.as(login), await script())).status).toBe(status)
  })

  it('return 404 for a missing script', async () => {
    const id = await script()
    await clinic.as('both').delete(`/old-scripts/${id}?sure=1`)
    expect((await usedBy(clinic.as('writer'), id)).status).toBe(404)
  })
})

it('scripts are counted by group, and separately without one', async () => {
  const group = good(await clinic.as('writer').post('/script-groups', { name: 'Звонки' }), 201)
  const of = async (idGroup: number | null) => {
    const answer = await clinic.as('seller').get('/old-scripts/counts')
    check('GET', '/old-scripts/counts', answer)
    return good(answer).find((one: { idGroup: number | null }) => one.idGroup === idGroup)?.count ?? 0
  }
  const before = await of(null)
  await script({ idGroup: group.id })
  const gone = await script({ idGroup: group.id })
  await script()
  expect([await of(group.id), await of(null)]).toEqual([2, before + 1])
  await clinic.as('both').delete(`/old-scripts/${gone}?sure=1`)
  expect(await of(group.id)).toBe(1)
  expect((await clinic.as('nobody').get('/old-scripts/counts')).status).toBe(403)
})

it('a group is moved under another and out again', async () => {
  const make = async (name: string, idParentGroup?: number) =>
    good(await clinic.as('writer').post('/script-groups', { name, idParentGroup }), 201)
  const top = await make('Верхняя')
  const inner = await make('Вложенная', top.id)
  const other = await make('Соседняя')
  const move = good(
    await clinic
      .as('writer')
      .post(`/script-groups/${other.id}/move`, { before: inner.id, to: { idParentGroup: top.id } }),
  )
  expect(move.idParentGroup).toBe(top.id)
  expect(move.order).toBeLessThan(inner.order)
  expect(good(await clinic.as('writer').put(`/script-groups/${inner.id}`, { idParentGroup: null })).idParentGroup).toBe(
    null,
  )
})
