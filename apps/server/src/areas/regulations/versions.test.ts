import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { allowOwnApproval, callers, desk } from './testing/desk.ts'

const today = () => dayIn(commonSettings.timeZone.byDefault, Date.now())

let clinic: Clinic
const as = callers(() => clinic)
let check: Awaited<ReturnType<typeof answerCheck>>['check']
const ids: Record<string, number> = {}

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await allowOwnApproval(context)
      for (const login of ['writer', 'keeper']) ids[login] = (await addPerson(context, login, ['editScripts'])).id
      for (const login of ['checker', 'second', 'approver', 'stranger'])
        ids[login] = (await addPerson(context, login)).id
    },
  })
  check = (await answerCheck(clinic)).check
})
afterAll(() => clinic.close())

const hand = (login: string) => desk(as(login))
const writer = () => hand('writer')
const outcomeOf = ({ status, body }: Answer) => [status, body?.message ?? body?.[0]?.message]
const notices = async (login: string, idEntity: number): Promise<string[]> =>
  (await as(login).get(`/notifications?filter[idEntity]=${idEntity}&sort=id`)).body.items.map(
    (one: { kind: string; title: string }) => `${one.kind}: ${one.title}`,
  )
const names = (...logins: [login: string, kind: string][]) =>
  logins.map(([login, kind]) => ({ idUser: ids[login], kind }))

/** A draft with these reviewers. */
async function checked(...logins: [login: string, kind: string][]): Promise<RegulationView> {
  const made = await writer().regulation({ responsibleUser: ids.keeper })
  for (const reviewer of names(...logins))
    await writer().make('/regulations/reviewers', { idRegulation: made.id, ...reviewer })
  return made
}

describe('transitions', () => {
  it('lead from a draft into force and to the archive, step by step', async () => {
    const { id } = await writer().regulation({ reviewMonths: 12 })
    expect(outcomeOf(await writer().go(id, 'approved'))).toEqual([
      409,
      'Из статуса «Черновик» нельзя перейти в «Утвержден»',
    ])
    const review = await writer().go(id, 'review')
    check('POST', '/regulations/model/transition', review)
    expect(review.body).toMatchObject({ status: 'review', canEdit: false })
    expect(review.body.transitions).toEqual([
      { to: 'approved', label: 'Утвердить', needsReason: false },
      { to: 'template', label: 'Вернуть в черновики', needsReason: true },
    ])
    expect((await writer().go(id, 'approved')).body.dateApproved).not.toBeNull()
    const active = (await writer().go(id, 'active')).body
    expect(active).toMatchObject({ status: 'active', newVersion: true })
    expect(active.dateReview).toBe(`${Number(today().slice(0, 4)) + 1}${today().slice(4).replace('02-29', '02-28')}`)
    expect(outcomeOf(await writer().go(id, 'template', { reason: 'Нет' }))[0]).toBe(409)
    expect((await writer().go(id, 'archived')).body).toMatchObject({ status: 'archived', transitions: [] })
  })

  it('require a step for review, and a reason for going back', async () => {
    const empty = await writer().regulation({ stages: [] })
    expect(outcomeOf(await writer().go(empty.id, 'review'))).toEqual([422, 'Добавьте хотя бы один шаг'])
    const { id } = await writer().regulation({ responsibleUser: ids.keeper })
    await writer().go(id, 'review')
    expect((await writer().go(id, 'template')).body).toEqual([{ field: 'reason', message: 'Укажите причину' }])
    const back = (await writer().go(id, 'template', { reason: '  Уточнить шаг 1 ' })).body
    expect(back).toMatchObject({ status: 'template', rejectionReason: 'Уточнить шаг 1', canEdit: true })
    expect(await notices('keeper', id)).toEqual(['regulation.decided: Регламент возвращён в черновики'])
    expect((await writer().go(id, 'review')).body.rejectionReason).toBeNull()
  })

  it('fix the content, in every call', async () => {
    const { id, stages } = await writer().regulation({ stages: [{ title: 'Шаг', scripts: [] }, { title: 'Второй' }] })
    const step = stages[0]?.id as number
    const other = await writer().regulation()
    const calls: [method: string, path: string, body?: object][] = [
      ['PUT', `/regulations/${id}`, { name: 'Другой' }],
      ['POST', `/regulations/${id}`, { test: { questions: [] } }],
      ['PUT', `/regulations/steps/${step}`, { title: 'Другой' }],
      ['DELETE', `/regulations/steps/${step}`],
      ['POST', '/regulations/steps', { idRegulation: id, title: 'Ещё' }],
      ['POST', `/regulations/steps/${step}/move`, { at: 'last' }],
      ['POST', '/regulations/steps/batch', { update: [{ id: step, title: 'Другой' }] }],
      ['POST', '/regulations/step-responsibles', { idStep: step, idUser: ids.writer }],
      ['POST', `/regulations/model/set-step-responsibles?stepId=${step}`, { userIds: [ids.writer] }],
      ['POST', `/regulations/model/update?id=${id}`, { name: 'Регламент', stages: [] }],
      ['POST', `/regulations/model/update?id=${id}`, { name: 'Другой' }],
    ]
    const before = await writer().enforce(id)
    for (const [method, path, body] of calls) {
      const answer = await as('writer').call(method, path, body)
      expect([path, ...outcomeOf(answer)]).toEqual([path, 409, 'Действующий регламент меняется только новой версией'])
    }
    expect(await writer().view(id)).toEqual(before)
    // A deleted step cannot be restored into a version in force either.
    const { id: late, stages: steps } = await writer().regulation({ stages: [{ title: 'А' }, { title: 'Б' }] })
    await as('writer').delete(`/regulations/steps/${steps[0]?.id}`)
    await writer().enforce(late)
    expect((await as('writer').post(`/regulations/steps/${steps[0]?.id}/restore`)).status).toBe(409)
    // The status cannot be set by an ordinary write, nor can a step move to another regulation.
    expect((await as('writer').put(`/regulations/${other.id}`, { status: 'active' })).status).toBe(422)
    expect((await as('writer').put(`/regulations/steps/${other.stages[0]?.id}`, { idRegulation: id })).status).toBe(422)
  })

  it('leave the terms of reading editable until the archive', async () => {
    const { id } = await writer().regulation()
    await writer().enforce(id)
    const changed = await as('writer').put(`/regulations/${id}`, { readDays: 3, reviewMonths: 1 })
    expect(changed.body).toMatchObject({ readDays: 3, reviewMonths: 1, dateReview: expect.any(String) })
    expect((await as('writer').put(`/regulations/${id}`, { reviewMonths: 0 })).body.dateReview).toBeNull()
    // A full body without changes of the content is accepted.
    const { name, stages } = await writer().view(id)
    expect((await writer().save(id, { name, stages, readDays: 5 })).readDays).toBe(5)
    await writer().make('/regulations/audience', { idRegulation: id, idUser: ids.checker })
    await writer().go(id, 'archived')
    const refused = [409, 'Архивный регламент не меняется: создайте новую версию']
    expect(outcomeOf(await as('writer').put(`/regulations/${id}`, { readDays: 4 }))).toEqual(refused)
    const late = { idRegulation: id, idUser: ids.second }
    expect(outcomeOf(await as('writer').post('/regulations/audience', late))).toEqual(refused)
  })

  it('prevent a delete', async () => {
    const { id } = await writer().regulation()
    await writer().enforce(id)
    for (const path of [`/regulations/model/delete?id=${id}`, `/regulations/${id}`])
      expect(outcomeOf(await as('writer').delete(path))).toEqual([
        409,
        'Действующий регламент нельзя удалить: сначала отправьте его в архив',
      ])
    await writer().go(id, 'archived')
    expect((await as('writer').delete(`/regulations/model/delete?id=${id}`)).status).toBe(204)
  })
})

describe('reviewers', () => {
  it('agree in order, approvers last; the last one approves it', async () => {
    const { id } = await checked(['checker', 'reviewer'], ['second', 'reviewer'], ['approver', 'approver'])
    expect((await hand('checker').view(id)).status).toBe('template')
    expect(outcomeOf(await hand('checker').decide(id, 'approved'))).toEqual([409, 'Решают, пока регламент на проверке'])
    await writer().go(id, 'review')
    expect(await notices('checker', id)).toEqual(['regulation.review: Проверьте регламент'])
    expect(await notices('approver', id)).toEqual([])
    expect(outcomeOf(await hand('approver').decide(id, 'approved'))).toEqual([409, 'Сначала решают те, кто проверяет'])
    expect(outcomeOf(await hand('keeper').decide(id, 'approved'))).toEqual([403, 'Вы не согласуете этот регламент'])
    expect((await hand('stranger').decide(id, 'approved')).status).toBe(404)
    expect(outcomeOf(await writer().go(id, 'approved'))[1]).toMatch(/^Ещё не согласовали: .*second/)
    const first = await hand('checker').decide(id, 'approved', 'Хорошо')
    check('POST', '/regulations/model/decide', first)
    expect(first.body.reviewers[0]).toMatchObject({ decision: 'approved', comment: 'Хорошо', idUser: ids.checker })
    expect(outcomeOf(await hand('checker').decide(id, 'approved'))).toEqual([409, 'Вы уже согласовали этот регламент'])
    expect((await writer().view(id)).transitions.map(({ to }) => to)).toEqual(['template'])
    await hand('second').decide(id, 'approved')
    expect(await notices('approver', id)).toEqual(['regulation.review: Утвердите регламент'])
    expect((await hand('approver').decide(id, 'approved')).body.status).toBe('approved')
    expect(await notices('keeper', id)).toEqual(['regulation.decided: Регламент утверждён'])
  })

  it('return it with a remark, and decide again', async () => {
    const { id } = await checked(['checker', 'reviewer'], ['second', 'reviewer'])
    await writer().go(id, 'review')
    await hand('second').decide(id, 'approved')
    expect((await hand('checker').decide(id, 'rejected', ' ')).body).toEqual([
      { field: 'comment', message: 'Укажите, что исправить' },
    ])
    const back = (await hand('checker').decide(id, 'rejected', 'Нет шага про паспорт')).body
    expect(back).toMatchObject({ status: 'template', rejectionReason: 'Нет шага про паспорт' })
    const again = (await writer().go(id, 'review')).body
    expect(again.reviewers.map(({ decision, comment }) => [decision, comment])).toEqual([
      ['none', null],
      ['none', null],
    ])
  })
})

describe('versions', () => {
  it('copy everything, and replace the one in force', async () => {
    const script = await writer().make('/old-scripts', { name: 'Скрипт' })
    const file = await writer().picture()
    const test = {
      questions: [
        {
          text: 'Кто?',
          options: [
            { text: 'Я', isRight: true },
            { text: 'Он', isRight: false },
          ],
        },
      ],
    }
    const { id } = await writer().regulation({
      test,
      description: 'О чём',
      reviewMonths: 6,
      stages: [
        {
          title: 'А',
          scripts: [script.id],
          images: [{ idFile: file.id, description: 'Подпись' }],
          documents: [file.id],
        },
        { title: 'Б', timeEstimate: 5, responsibles: [ids.keeper] },
      ],
    })
    await writer().make('/regulations/reviewers', { idRegulation: id, idUser: ids.checker, kind: 'reviewer' })
    await writer().make('/regulations/audience', { idRegulation: id, idUser: ids.stranger })
    await writer().go(id, 'review')
    await hand('checker').decide(id, 'approved')
    const one = (await writer().go(id, 'active')).body
    const made = await writer().version(id)
    check('POST', '/regulations/model/new-version', made)
    expect(made.status).toBe(201)
    const two = made.body
    expect(two).toMatchObject({
      version: 2,
      idFirst: id,
      status: 'template',
      test,
      description: 'О чём',
      reviewMonths: 6,
    })
    const content = ({ stages }: RegulationView) =>
      stages.map(({ title, timeEstimate, scripts, responsibles, images, documents }) => ({
        title,
        timeEstimate,
        scripts,
        responsibles,
        images: images.map(({ idFile, description }) => ({ idFile, description })),
        documents: documents.map(({ idFile }) => idFile),
      }))
    expect(content(two)).toEqual(content(one))
    expect(two.reviewers).toMatchObject([{ idUser: ids.checker, decision: 'none', dateDecision: null }])
    expect(two.audience).toMatchObject([{ idUser: ids.stranger }])
    expect(two.versions.map(({ version, status }) => `${version} ${status}`)).toEqual(['2 template', '1 active'])

    const twice = await writer().version(id)
    expect([twice.status, twice.body]).toMatchObject([409, { code: `version:${two.id}` }])
    expect((await writer().view(id)).newVersion).toBe(false)
    expect((await hand('stranger').view(id)).versions.map(({ version }) => version)).toEqual([1])

    await writer().save(two.id, { stages: [{ ...two.stages[1], title: 'Б, но лучше' }, two.stages[0], { title: 'В' }] })
    const compared = await as('writer').get(`/regulations/model/compare?id=${two.id}&with=${id}`)
    check('GET', '/regulations/model/compare', compared)
    expect(compared.body.stages.map((step: { state: string }) => step.state)).toEqual(['changed', 'moved', 'added'])

    for (const to of ['review', 'template']) await writer().go(two.id, to, { reason: 'Проба' })
    await writer().go(two.id, 'review')
    await hand('checker').decide(two.id, 'approved')
    await writer().go(two.id, 'active')
    expect(await writer().view(id)).toMatchObject({ status: 'archived', dateArchived: expect.any(String) })
    const listed = (await writer().index()).filter((line) => line.id === id || line.idFirst === id)
    expect(listed.map((line) => line.version)).toEqual([2])
    expect((await writer().index('status=archived')).some((line) => line.id === id)).toBe(true)
    // Also from the archive; the number continues.
    expect((await writer().version(id)).body).toMatchObject({ version: 3, idFirst: id })
    const strange = await writer().regulation()
    expect((await as('writer').get(`/regulations/model/compare?id=${id}&with=${strange.id}`)).status).toBe(400)
  })

  it('are created one at a time, under concurrent requests', async () => {
    const { id } = await writer().regulation()
    await writer().enforce(id)
    const answers = await Promise.all([1, 2, 3].map((n) => hand(n % 2 ? 'writer' : 'keeper').version(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('scheduled changes', () => {
  const inDays = (days: number) => plusDays(today(), days)
  const setDay = (id: number, field: string, day: string) =>
    clinic.db.query({ text: `update regulations set "${field}" = $1 where id = $2`, values: [day, id] })

  it('an approved version comes into force on its day, once', async () => {
    const { id } = await writer().regulation({ responsibleUser: ids.keeper })
    await writer().enforce(id)
    const { id: next } = (await writer().version(id)).body
    await writer().go(next, 'review')
    await writer().go(next, 'approved')
    const waits = (await writer().go(next, 'active', { dateEffective: inDays(2) })).body
    expect(waits).toMatchObject({ status: 'approved', dateEffective: inDays(2) })
    const second = await clinic.secondProcess()
    const run = () => Promise.all([clinic, second].map(({ context }) => context.jobs.run('regulations.effective')))
    await run()
    expect((await writer().view(next)).status).toBe('approved')
    await setDay(next, 'dateEffective', today())
    await run()
    await second.close()
    expect((await writer().view(next)).status).toBe('active')
    expect((await writer().view(id)).status).toBe('archived')
    expect(await notices('keeper', next)).toEqual([
      'regulation.decided: Регламент утверждён',
      'regulation.active: Регламент вступил в силу',
    ])
  })

  it('a review is reminded of once, two weeks before', async () => {
    const { id } = await writer().regulation({ responsibleUser: ids.keeper, reviewMonths: 6 })
    await writer().enforce(id)
    const remind = async () => {
      await Promise.all([1, 2].map(() => clinic.context.jobs.run('regulations.review')))
      return (await notices('keeper', id)).filter((line) => line.startsWith('regulation.periodic')).length
    }
    await setDay(id, 'dateReview', inDays(15))
    expect(await remind()).toBe(0)
    await setDay(id, 'dateReview', inDays(14))
    expect([await remind(), await remind()]).toEqual([1, 1])
    await setDay(id, 'dateReview', inDays(10))
    expect(await remind()).toBe(2)
  })

  it('a review without changes is postponed by its period, and reminded of again', async () => {
    const { id } = await writer().regulation({ responsibleUser: ids.keeper, reviewMonths: 6 })
    const reviewed = (login: string) => as(login).post(`/regulations/model/reviewed?id=${id}`)
    expect((await reviewed('writer')).status).toBe(409)
    const { dateReview } = await writer().enforce(id)
    await setDay(id, 'dateReview', inDays(3))
    await clinic.context.jobs.run('regulations.review')
    expect((await reviewed('stranger')).status).toBe(403)
    expect((await reviewed('writer')).body.dateReview).toBe(dateReview)
    await setDay(id, 'dateReview', inDays(3))
    await clinic.context.jobs.run('regulations.review')
    expect((await notices('keeper', id)).filter((line) => line.startsWith('regulation.periodic'))).toHaveLength(2)
  })
})

describe('unless the clinic allows own approval', () => {
  const setting = (regulationsOwnApproval: boolean) =>
    clinic.db.query(
      sql`update common_settings set "value" = ${JSON.stringify(regulationsOwnApproval)}::jsonb where "name" = 'regulationsOwnApproval'`,
    )
  const refused = [409, 'Утвердить должен другой сотрудник: на проверку регламент отправили вы']
  beforeAll(() => setting(false))
  afterAll(() => setting(true))

  it('another person approves', async () => {
    const { id } = await writer().regulation()
    good(await writer().go(id, 'review'))
    expect(outcomeOf(await writer().go(id, 'approved'))).toEqual(refused)
    expect((await writer().view(id)).status).toBe('review')
    expect(good(await hand('keeper').go(id, 'approved')).status).toBe('approved')
  })

  it('the sender does not count as another person, even as an approver', async () => {
    const { id } = await checked(['writer', 'approver'])
    good(await writer().go(id, 'review'))
    expect(outcomeOf(await writer().decide(id, 'approved'))).toEqual(refused)
  })

  it('one requested reviewer who has agreed is enough', async () => {
    const { id } = await checked(['checker', 'reviewer'], ['writer', 'approver'])
    good(await writer().go(id, 'review'))
    good(await hand('checker').decide(id, 'approved'))
    expect(good(await writer().decide(id, 'approved')).status).toBe('approved')
  })
})
