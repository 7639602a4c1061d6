/** Selection of recommendations in an examination, and answers to their criteria. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
let admin: Caller
let owner: Caller
let idExamination: number

beforeAll(async () => {
  clinic = await testApp({ demo: true })
  admin = clinic.as('admin')
  const found = await clinic.db.one<{ id: number; login: string }>({
    text: `select e."id"::int as id, u."login" from examinations e join users u on u."id" = e."idUser"
      where not e."deleted" and e."status" = 'draft' and u."login" is not null and u."login" <> 'admin'
        and not exists (select from clinical_recommendations_choices c where c."idExamination" = e."id") order by e."id" limit 1`,
  })
  if (!found) throw new Error('the demo has no examination')
  idExamination = found.id
  owner = clinic.as(found.login)
})
afterAll(() => clinic.close())

const refused = ({ status, body }: { status: number; body: { field: string }[] }) => [status, body[0]?.field]

it('lets only the doctor of the examination select and answer', async () => {
  const make = (number: string) =>
    admin.post('/clinical-recommendations', { number, name: `КР ${number}`, codes: 'j20 – J22' })
  const { id: idRecommendation } = good(await make('т_1'), 201)
  const { id: idOther } = good(await make('т_2'), 201)
  expect(
    refused(await admin.post('/clinical-recommendations', { number: 'т_3', name: 'КР', codes: 'что-то' })),
  ).toEqual([422, 'codes'])
  const criterion = async (of: number) =>
    good(await admin.post('/clinical-recommendations/criteria', { idRecommendation: of, text: 'Осмотрен' }), 201).id
  const [idCriterion, idForeign] = [await criterion(idRecommendation), await criterion(idOther)]
  const chosen = { idExamination, idRecommendation }
  expect((await admin.post('/clinical-recommendations/choices', chosen)).status).toBe(403)
  const { id: idChoice } = good(await owner.post('/clinical-recommendations/choices', chosen), 201)
  const answer = (body: object) => owner.post('/clinical-recommendations/answers', { idChoice, ...body })
  expect(refused(await answer({ idCriterion, result: 'no' }))).toEqual([422, 'reason'])
  expect(refused(await answer({ idCriterion: idForeign, result: 'yes' }))).toEqual([422, 'idCriterion'])
  const { id } = good(await answer({ idCriterion, result: 'notApplicable', reason: 'Аллергия' }), 201)
  expect((await admin.put(`/clinical-recommendations/answers/${id}`, { result: 'yes' })).status).toBe(403)
  good(await owner.put(`/clinical-recommendations/answers/${id}`, { result: 'yes', reason: null }))
  expect(refused(await owner.put(`/clinical-recommendations/answers/${id}`, { result: 'no' }))).toEqual([422, 'reason'])
})

it('is in both reports what was answered, also after answers are changed and taken back', async () => {
  const { id: idRecommendation } = good(
    await admin.post('/clinical-recommendations', { number: 'т_9', name: 'КР т_9', codes: 'J20' }),
    201,
  )
  const criteria: number[] = []
  for (const text of ['Первый', 'Второй', 'Третий', 'Четвёртый', 'Пятый'])
    criteria.push(
      good(
        await admin.post('/clinical-recommendations/criteria', { idRecommendation, text, order: criteria.length }),
        201,
      ).id,
    )
  await clinic.db.query({ text: `update examinations set "code" = 'J20' where "id" = $1`, values: [idExamination] })
  const { id: idChoice } = good(
    await owner.post('/clinical-recommendations/choices', { idExamination, idRecommendation }),
    201,
  )
  const is = `from=2015-01-01&until=2034-12-31&is=recommendation:${idRecommendation}`
  const counts = async () => {
    const [general, detail] = await Promise.all(
      ['general', 'detail'].map(
        async (name) => good(await admin.get(`/reports/clinical-recommendations/${name}?${is}`)).total.values,
      ),
    )
    expect([general.applicable, general.met, general.kept]).toEqual([detail.applicable, detail.met, detail.kept])
    return [detail.answers, detail.applicable, detail.met, detail.kept]
  }
  const answers: { id: number }[] = []
  for (const [at, result] of (['yes', 'no', 'notApplicable', 'yes', 'yes'] as const).entries())
    answers.push(
      good(
        await owner.post('/clinical-recommendations/answers', {
          idChoice,
          idCriterion: criteria[at],
          result,
          ...(result === 'yes' ? {} : { reason: 'Аллергия' }),
        }),
        201,
      ),
    )
  expect(await counts()).toEqual([5, 4, 3, 0.75])
  const [first, second] = answers
  good(await owner.put(`/clinical-recommendations/answers/${first?.id}`, { result: 'notApplicable', reason: 'Отказ' }))
  expect(await counts()).toEqual([5, 3, 2, 0.6667])
  good(await owner.put(`/clinical-recommendations/answers/${second?.id}`, { result: 'yes', reason: null }))
  expect(await counts()).toEqual([5, 3, 3, 1])
})
