/** Runs of regulations over HTTP: order of the steps, times, violations, rights; random marks keep the rule. */

import { type RunStepState, runStepStates, violationOf } from '@ordinator/model/areas/regulations/run'
import type { RegulationView, StageBody } from '@ordinator/model/areas/regulations/wire'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { allowOwnApproval, callers, desk } from './testing/desk.ts'

let clinic: Clinic
let check: Awaited<ReturnType<typeof answerCheck>>['check']
const ids: Record<string, number> = {}

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await allowOwnApproval(context)
      ids.writer = (await addPerson(context, 'writer', ['editScripts'])).id
      for (const login of ['walker', 'nurse', 'keeper', 'stranger'])
        ids[login] = (await addPerson(context, login, ['viewTasksManagement'])).id
      ids.reporter = (await addPerson(context, 'reporter', ['viewViolationsReport'])).id
    },
  })
  check = (await answerCheck(clinic)).check
})
afterAll(() => clinic.close())

const as = callers(() => clinic)
const writer = () => desk(as('writer'))
const outcomeOf = ({ status, body }: Answer) => [status, body?.message ?? body?.[0]?.message]

/** A regulation in force with these steps. */
async function inForce(stages: Partial<StageBody>[], more: object = {}): Promise<RegulationView> {
  const titled = stages.map((stage, at) => ({ title: `Шаг ${at + 1}`, ...stage }))
  const made = await writer().regulation({ stages: titled, ...more })
  return writer().enforce(made.id)
}

interface Step {
  id: number
  idStep: number
  state: RunStepState
  note: string | null
  dateStart: string | null
  dateEnd: string | null
  idUser: number | null
}

/** A run begun by this person, with helpers for its operations. */
async function begin(login: string, idRegulation: number, more: object = {}) {
  const answer = await as(login).post('/regulations/runs', { idRegulation, ...more })
  if (answer.status !== 201) throw new Error(answer.text)
  const run: { id: number } = answer.body
  const steps = async (): Promise<Step[]> =>
    (await as('writer').get(`/regulations/run-steps?filter[idRun]=${run.id}&sort=id&limit=500`)).body.items
  const rows = await steps()
  return {
    id: run.id,
    steps,
    mark: (at: number, body: object, by = login) => as(by).put(`/regulations/run-steps/${rows[at]?.id}`, body),
    end: (how: 'finish' | 'cancel', by = login) => as(by).post(`/regulations/runs/${run.id}/${how}`),
    violations: async () =>
      (await as('writer').get(`/regulations/violations?filter[idRun]=${run.id}&sort=id&limit=500`)).body.items,
    /** Moves the start of a step back by this time; the start of a finished one no longer matters. */
    age: (at: number, seconds: number) =>
      clinic.db.query({
        text: `update regulations_run_steps set "dateStart" = now() - make_interval(secs => $1) where id = $2 and "dateEnd" is null`,
        values: [seconds, rows[at]?.id],
      }),
  }
}

const violationNotices = async (login: string): Promise<string[]> =>
  (await as(login).get('/notifications?filter[kind]=regulation.violation&sort=id')).body.items.map(
    (one: { title: string; text: string }) => `${one.title}. ${one.text}`,
  )

describe('a run', () => {
  it('has its steps in order, with their times', async () => {
    const { id } = await inForce([{}, {}, {}])
    const run = await begin('walker', id)
    expect((await run.steps()).map(({ state, dateStart }) => [state, dateStart !== null])).toEqual([
      ['waiting', true],
      ['waiting', false],
      ['waiting', false],
    ])
    expect(outcomeOf(await run.mark(1, { state: 'done' }))).toEqual([409, 'Сначала отметьте шаг 1'])
    expect((await run.mark(0, { state: 'done', note: 'Сделано' })).status).toBe(200)
    const [first, second] = await run.steps()
    expect(first).toMatchObject({ state: 'done', note: 'Сделано', idUser: ids.walker, dateEnd: expect.any(String) })
    expect(second?.dateStart).toBe(first?.dateEnd)
    await run.mark(1, { state: 'done' })
    expect(outcomeOf(await run.mark(0, { state: 'waiting' }))).toEqual([
      409,
      'Изменить можно только последнюю отметку: шаг 2',
    ])
    expect(outcomeOf(await run.end('finish'))).toEqual([409, 'Не отмечено шагов: 1'])
    await run.mark(1, { state: 'waiting' })
    expect((await run.steps())[2]?.dateStart).toBeNull()
    await run.mark(1, { state: 'done' })
    await run.mark(2, { state: 'done' })
    const ended = await run.end('finish')
    check('POST', '/regulations/runs/{id}/finish', ended)
    expect(ended.body).toMatchObject({ state: 'finished', dateEnd: expect.any(String) })
    expect(outcomeOf(await run.mark(2, { state: 'waiting' }))).toEqual([409, 'Выполнение окончено: завершён'])
    expect((await run.end('cancel')).status).toBe(409)
    expect(await run.violations()).toEqual([])
  })

  it('needs a regulation in force', async () => {
    const draft = await writer().regulation()
    const refused = [422, 'Выполняют только действующий регламент']
    expect(outcomeOf(await as('writer').post('/regulations/runs', { idRegulation: draft.id }))).toEqual(refused)
    const { id } = await inForce([{}])
    const run = await begin('walker', id)
    await writer().go(id, 'archived')
    expect(outcomeOf(await as('writer').post('/regulations/runs', { idRegulation: id }))).toEqual(refused)
    // A started run can be finished.
    expect((await run.mark(0, { state: 'done' })).status).toBe(200)
    expect((await run.end('finish')).status).toBe(200)
  })

  it('is marked by the person who carries it out, and visible with the right', async () => {
    const { id } = await inForce([{}], { responsibleUser: ids.keeper })
    const run = await begin('walker', id)
    for (const by of ['writer', 'stranger', 'reporter']) {
      expect((await run.mark(0, { state: 'done' }, by)).status).toBeGreaterThanOrEqual(403)
      expect((await run.mark(0, { note: 'Чужое' }, by)).status).toBeGreaterThanOrEqual(403)
      expect((await run.end('cancel', by)).status).toBeGreaterThanOrEqual(403)
    }
    expect((await run.steps())[0]).toMatchObject({ state: 'waiting', note: null })
    const statusFor = async (login: string) => (await as(login).get(`/regulations/runs/${run.id}`)).status
    expect(await Promise.all(['walker', 'writer', 'reporter', 'keeper', 'stranger'].map(statusFor))).toEqual([
      200, 200, 200, 200, 404,
    ])
    expect((await as('walker').put(`/regulations/runs/${run.id}`, { state: 'finished' })).status).toBe(422)
    expect((await run.end('cancel')).body.state).toBe('cancelled')
  })

  it('of a task requires access to the task, and is visible with it', async () => {
    const { id } = await inForce([{}])
    const board = await desk(as('walker')).make('/tasks-management/boards', { name: 'Доска' })
    const column = (await as('walker').get(`/tasks-management/columns?filter[idBoard]=${board.id}`)).body.items[0].id
    const task = await desk(as('walker')).make('/tasks-management/tasks', { name: 'Задача', idColumn: column })
    expect((await as('stranger').post('/regulations/runs', { idRegulation: id, idTask: task.id })).body).toEqual([
      { field: 'idTask', message: 'Запись не найдена' },
    ])
    const run = await begin('walker', id, { idTask: task.id })
    const visible = async () => (await as('nurse').get(`/regulations/runs?filter[idTask]=${task.id}`)).body.items.length
    expect(await visible()).toBe(0)
    await desk(as('walker')).make('/tasks-management/members', {
      idBoard: board.id,
      idUser: ids.nurse,
      permissionToViewTasks: 'all',
    })
    expect(await visible()).toBe(1)
    expect((await run.mark(0, { state: 'done' }, 'nurse')).status).toBe(403)
    await run.mark(0, { state: 'skipped' })
    expect((await run.violations())[0]).toMatchObject({ source: 'task', level: 'high' })
  })
})

describe('violations of a run', () => {
  it('belong to the person responsible for the step, else to the runner; undoing a mark deletes them', async () => {
    const { id } = await inForce([
      { responsibles: [ids.nurse as number, ids.keeper as number], importance: 'high' },
      {},
      { timeEstimate: 1 },
    ])
    const run = await begin('walker', id)
    await run.mark(0, { state: 'failed', note: 'Нет реагента' })
    const brief = async () =>
      (await run.violations()).map((one: { idUser: number; level: string; description: string; source: string }) => [
        one.idUser,
        one.level,
        one.description,
        one.source,
      ])
    expect(await brief()).toEqual([
      [ids.nurse, 'critical', 'Шаг не выполнен: Нет реагента', 'check'],
      [ids.keeper, 'critical', 'Шаг не выполнен: Нет реагента', 'check'],
    ])
    await run.mark(0, { note: 'Кончился реагент' })
    expect((await brief())[0]?.[2]).toBe('Шаг не выполнен: Кончился реагент')
    expect(await violationNotices('nurse')).toEqual([])
    await run.mark(0, { state: 'waiting' })
    expect(await brief()).toEqual([])
    await run.mark(0, { state: 'failed', note: 'Нет реагента' })
    await run.mark(1, { state: 'skipped' })
    await run.age(2, 61)
    await run.mark(2, { state: 'done' })
    expect((await brief()).map(([who, level]: [number, string]) => [who, level])).toEqual([
      [ids.nurse, 'critical'],
      [ids.keeper, 'critical'],
      [ids.walker, 'high'],
      [ids.walker, 'medium'],
    ])
    await run.end('finish')
    expect(await violationNotices('nurse')).toEqual([
      'Нарушение регламента при выполнении. Регламент: Шаг не выполнен: Нет реагента',
    ])
    const stages = (await writer().view(id)).stages
    expect(stages.map(({ violations }) => violations.length)).toEqual([2, 1, 1])
  })

  it('skip people who have left', async () => {
    const gone = await addPerson(clinic.context, 'gone')
    const { id } = await inForce([{ responsibles: [gone.id] }])
    await clinic.db.query({ text: 'update users set "isBlocked" = true where id = $1', values: [gone.id] })
    const run = await begin('walker', id)
    await run.mark(0, { state: 'failed' })
    expect((await run.violations())[0].idUser).toBe(ids.walker)
  })
})

describe('any sequence of marks', () => {
  it('keeps the order and leaves the violations of the final states', async () => {
    const terms: Partial<StageBody>[] = [
      { status: 'critical' },
      { status: 'optional', timeEstimate: 1 },
      { importance: 'high', timeEstimate: 1 },
      { timeEstimate: 2 },
    ]
    const { id, stages } = await inForce(terms)
    const move = fc.record({
      at: fc.nat({ max: terms.length - 1 }),
      state: fc.constantFrom(...(Object.keys(runStepStates) as RunStepState[])),
      seconds: fc.constantFrom(0, 59, 61, 121),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
        const run = await begin('walker', id)
        for (const { at, state, seconds } of moves) {
          await run.age(at, seconds)
          const { status } = await run.mark(at, { state })
          expect([200, 409]).toContain(status)
        }
        const rows = await run.steps()
        const open = rows.findIndex(({ state }) => state === 'waiting')
        const done = open < 0 ? rows.length : open
        for (const [at, row] of rows.entries()) {
          expect(row.state === 'waiting').toBe(at >= done)
          expect(row.dateEnd !== null).toBe(at < done)
          expect(row.idUser).toBe(at < done ? ids.walker : null)
        }
        const expected = rows.flatMap((row, at) => {
          const seconds = (Date.parse(row.dateEnd ?? '') - Date.parse(row.dateStart ?? '')) / 1000
          const stage = stages[at] as RegulationView['stages'][number]
          const breach = violationOf(stage, { state: row.state, note: row.note, seconds })
          return breach ? [`${row.idStep} ${breach.level}`] : []
        })
        const found = (await run.violations()).map(
          (one: { idStep: number; level: string }) => `${one.idStep} ${one.level}`,
        )
        expect(found.sort()).toEqual(expected.sort())
        expect((await run.end('finish')).status).toBe(done === rows.length ? 200 : 409)
      }),
      { numRuns: runs(5, 60) },
    )
  })
})
