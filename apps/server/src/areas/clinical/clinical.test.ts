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
