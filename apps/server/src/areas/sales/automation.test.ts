/** Actions of a stage when a deal enters it, and reminders. */
import type { LeadComment } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
let clinic: Clinic
let seller: Caller
let other: number
let idSeller: number
let idPlanner: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      idSeller = (await addPerson(app, 'seller', ['editSalesManagement', 'editFunnels', 'viewTasksManagement'])).id
      idPlanner = (await addPerson(app, 'planner', ['viewSalesManagement', 'editFunnels'])).id
      await addPerson(app, 'mover', ['editSalesManagement'])
      await addPerson(app, 'owner', ['viewTasksManagement'])
      other = (await addPerson(app, 'other', ['viewSalesManagement'])).id
    },
  })
  seller = clinic.as('seller')
})
afterAll(() => clinic.close())

describe('automation', () => {
  it('assigns, reminds and creates a task on entering the stage, once each time, and is logged', async () => {
    const { stages } = await deals(seller).funnel()
    const [a, b] = stages as [number, number]
    const board = good(await seller.post('/tasks-management/boards', { name: 'Доска' }), 201)
    const task = good(
      await seller.post('/tasks-management/tasks', {
        name: 'Подготовить договор',
        idColumn: board.idColumnNew,
        isTemplate: true,
      }),
      201,
    )
    const [card] = good(await seller.get(`/tasks-management/assigned?filter[idTask]=${task.id}`)).items
    const act = (body: object) => deals(seller).make('stage-actions', { idStage: b, ...body })
    expect((await seller.post(`${S}/stage-actions`, { idStage: b, type: 'task' })).body).toEqual([
      { field: 'idTemplate', message: 'Обязательное поле' },
    ])
    await act({ type: 'responsible', idUser: other })
    await act({ type: 'remind', hours: 0, text: 'Перезвонить <сегодня>' })
    await act({ type: 'task', idTemplate: card.id })
    await act({ type: 'responsible', idUser: other, isActive: false })
    const deal = await deals(seller).deal(a)
    good(await deals(seller).go(deal.id, b))
    const comments = await deals(seller).list(`lead-comments?filter[idLead]=${deal.id}`)
    expect(
      comments.map((c: Row<typeof LeadComment>) => [c.isSystem, c.message.replace(/ \d\d\.\d\d\.\d{4} \d\d:\d\d/, '')]),
    ).toEqual([
      [true, '<p>Автоматически: назначен ответственный: other Тест</p>'],
      [true, expect.stringContaining('напоминание на: Перезвонить ')],
      [true, '<p>Автоматически: создана задача «Подготовить договор»</p>'],
    ])
    const [line] = good(await seller.get(`${S}/leads/${deal.id}/logs`)).items
    expect(line).toMatchObject({
      method: 'automation',
      methodAlias: 'Автоматически: создана задача «Подготовить договор»',
    })
    const [linked] = await deals(seller).list(`lead-tasks?filter[idLead]=${deal.id}&expand=assigned`)
    expect(linked.assigned).toMatchObject({ idColumn: board.idColumnNew })
    const made = good(await seller.get(`/tasks-management/tasks/${linked.assigned.idTask}`))
    expect(made).toMatchObject({ name: 'Подготовить договор', isTemplate: false })
    expect(await deals(clinic.as('other')).notices('lead.responsible')).toMatchObject([
      { text: 'Сделка', idEntity: deal.id },
    ])

    await clinic.context.jobs.run('sales.remind')
    await clinic.context.jobs.run('sales.remind')
    expect(await deals(clinic.as('other')).notices('lead.remind')).toMatchObject([
      {
        title: 'Перезвонить <сегодня>',
        idEntity: deal.id,
        link: expect.stringContaining(`/deals?lead=${deal.id}&funnel=`),
      },
    ])
    // A move within the stage is no entry.
    good(await seller.post(`${S}/leads/${deal.id}/move`, { at: 'first' }))
    expect(await deals(seller).list(`lead-comments?filter[idLead]=${deal.id}`)).toHaveLength(3)
    // A deleted template does not block the move.
    await seller.delete(`/tasks-management/tasks/${task.id}`)
    const late = await deals(seller).deal(b)
    const [last]: Row<typeof LeadComment>[] = await deals(seller).list(
      `lead-comments?filter[idLead]=${late.id}&sort=-id`,
    )
    expect(last?.message).toBe('<p>Автоматически: не выполнено: шаблон задачи не найден</p>')
  })

  it("creates tasks with the rights of the action's author, whoever moves the deal", async () => {
    const { stages } = await deals(seller).funnel()
    const [a, b] = stages as [number, number]
    const owner = clinic.as('owner')
    const board = good(await owner.post('/tasks-management/boards', { name: 'Чужая доска' }), 201)
    const { id: idMember } = good(
      await owner.post('/tasks-management/members', {
        idBoard: board.id,
        idUser: idSeller,
        permissionToViewTasks: 'all',
      }),
      201,
    )
    const body = { name: 'Шаблон', idColumn: board.idColumnNew, isTemplate: true }
    const task = good(await owner.post('/tasks-management/tasks', body), 201)
    const [card] = good(await owner.get(`/tasks-management/assigned?filter[idTask]=${task.id}`)).items
    const may = (canCreateTask: boolean) => owner.put(`/tasks-management/members/${idMember}`, { canCreateTask })
    good(await may(false))
    const action = { idStage: b, type: 'task', idTemplate: card.id }
    expect((await seller.post(`${S}/stage-actions`, action)).body).toEqual([
      { field: 'idTemplate', message: 'В рабочем пространстве этого шаблона вам нельзя создавать задачи' },
    ])
    good(await may(true))
    const { id: idAction, idAuthor } = await deals(seller).make('stage-actions', action)
    expect(idAuthor).toBe(idSeller)
    const lastWord = async () => {
      const deal = await deals(clinic.as('mover')).deal(a)
      good(await deals(clinic.as('mover')).go(deal.id, b))
      const [last] = await deals(seller).list(`lead-comments?filter[idLead]=${deal.id}&sort=-id`)
      return last?.message
    }
    expect(await lastWord()).toBe('<p>Автоматически: создана задача «Шаблон»</p>')
    const [made] = good(await owner.get('/tasks-management/tasks?filter[name]=Шаблон&filter[isTemplate]=0')).items
    expect(made.idUser).toBe(idSeller)
    // A revoked right is checked when the deal enters.
    good(await may(false))
    const refused = 'настроившему действие нельзя создавать задачи в этом рабочем пространстве'
    expect(await lastWord()).toBe(`<p>Автоматически: не выполнено: ${refused}</p>`)
    // After an edit by another person the action runs with that person's rights.
    good(await clinic.as('planner').put(`${S}/stage-actions/${idAction}`, { type: 'responsible', idUser: other }))
    expect(good(await seller.get(`${S}/stage-actions/${idAction}`)).idAuthor).toBe(idPlanner)
  })

  it('cancels a reminder when the deal leaves the stage', async () => {
    const { stages } = await deals(seller).funnel()
    const [a, b] = stages as [number, number]
    const { id } = await deals(seller).make('stage-actions', { idStage: a, type: 'remind', hours: 0, text: 'Не нужно' })
    const deal = await deals(seller).deal(a)
    good(await deals(seller).go(deal.id, b))
    good(await seller.put(`${S}/stage-actions/${id}`, { isActive: false }))
    good(await deals(seller).go(deal.id, a))
    await clinic.context.jobs.run('sales.remind')
    expect((await deals(seller).notices('lead.remind')).filter((n) => n.idEntity === deal.id)).toEqual([])
  })
})

it('the next step is reminded of once, and again when its time changes', async () => {
  const { stages } = await deals(seller).funnel()
  const [a, , , done] = stages as number[]
  const past = new Date(Date.now() - 60_000).toISOString()
  const deal = await deals(seller).deal(a, { nextStep: 'Уточнить дату', dateNextStep: past })
  const closed = await deals(seller).deal(done, { dateNextStep: past })
  const future = await deals(seller).deal(a, { dateNextStep: new Date(Date.now() + 3_600_000).toISOString() })
  const remindersOf = async (id: number) =>
    (await deals(seller).notices('lead.nextStep')).filter((n) => n.idEntity === id)
  expect(good(await seller.get('/common/badges')).deals).toBe(1)
  const run = () => clinic.context.jobs.run('sales.nextStep')
  await Promise.all([run(), run()])
  await run()
  expect(await remindersOf(deal.id)).toMatchObject([{ title: 'Следующий шаг: Уточнить дату', text: 'Сделка' }])
  expect([await remindersOf(closed.id), await remindersOf(future.id)]).toEqual([[], []])
  expect(
    good(await seller.put(`${S}/leads/${deal.id}`, { dateNextStep: past.replace('Z', '+00:00') })).dateReminded,
  ).not.toBeNull()
  const again = new Date(Date.now() - 30_000).toISOString()
  expect(good(await seller.put(`${S}/leads/${deal.id}`, { dateNextStep: again })).dateReminded).toBeNull()
  await run()
  expect(await remindersOf(deal.id)).toHaveLength(2)
})
