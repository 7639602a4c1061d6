import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
const people = {
  seller: ['editSalesManagement', 'editFunnels'],
  anna: ['viewSalesManagement'],
  boris: ['viewSalesManagement'],
  out: [],
}
let clinic: Clinic
const ids: Record<string, number> = {}
const as = (login: string): Caller => clinic.as(login)

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      for (const [login, rights] of Object.entries(people))
        ids[login] = (await addPerson(app, login, rights as never)).id
    },
  })
})
afterAll(() => clinic.close())

const newDeal = () => deals(as('seller')).deal(undefined)
const say = (login: string, idLead: number, message = '<p>слово</p>', more: object = {}) =>
  as(login).post(`${S}/lead-comments`, { idLead, message, ...more })
const posted = async (...args: Parameters<typeof say>) => good(await say(...args), 201)
const noticesOf = async (login: string, idLead: number): Promise<string[]> =>
  good(await as(login).get(`/notifications?filter[idEntity]=${idLead}&sort=id&limit=100`)).items.map(
    (notice: { kind: string }) => notice.kind,
  )
const mention = (login: string) =>
  `<p><span data-type="mention" data-id="${ids[login]}" data-label="${login}">@${login}</span> взгляните</p>`

describe('a comment of a deal', () => {
  it('is written by users who see deals only', async () => {
    const deal = await newDeal()
    expect((await posted('anna', deal.id)).idUser).toBe(ids.anna)
    expect((await say('out', deal.id)).status).toBe(403)
  })

  it('is edited by its author only, and shows the time', async () => {
    const deal = await newDeal()
    const comment = await posted('anna', deal.id)
    expect(comment.dateChange).toBeNull()
    for (const other of ['boris', 'seller'])
      expect((await as(other).put(`${S}/lead-comments/${comment.id}`, { message: '<p>иное</p>' })).status, other).toBe(
        403,
      )
    const changed = good(await as('anna').put(`${S}/lead-comments/${comment.id}`, { message: '<p>иное</p>' }))
    expect(changed.dateChange).not.toBeNull()
  })

  it('is deleted by its author or an editor of deals', async () => {
    const deal = await newDeal()
    const [one, two] = [await posted('anna', deal.id), await posted('anna', deal.id)]
    expect((await as('boris').delete(`${S}/lead-comments/${one.id}`)).status).toBe(403)
    good(await as('anna').delete(`${S}/lead-comments/${one.id}`), 204)
    good(await as('seller').delete(`${S}/lead-comments/${two.id}`), 204)
  })

  it('replies to a comment of the same deal, one level deep', async () => {
    const [deal, other] = [await newDeal(), await newDeal()]
    const root = await posted('anna', deal.id)
    const reply = await posted('boris', deal.id, '<p>ответ</p>', { idComment: root.id })
    expect((await posted('anna', deal.id, '<p>и ещё</p>', { idComment: reply.id })).idComment).toBe(root.id)
    expect((await say('anna', other.id, '<p>нет</p>', { idComment: root.id })).body).toEqual([
      { field: 'idComment', message: 'Ответить можно на комментарий этой же сделки' },
    ])
  })

  it('notifies the responsible, those mentioned once, and the author of the thread', async () => {
    const deal = await newDeal()
    const root = await posted('anna', deal.id, mention('boris'))
    expect(await noticesOf('boris', deal.id)).toEqual(['lead.mention'])
    expect(await noticesOf('seller', deal.id)).toEqual(['lead.comment'])
    await posted('boris', deal.id, '<p>вижу</p>', { idComment: root.id })
    expect(await noticesOf('anna', deal.id)).toEqual(['lead.comment'])
    expect(await noticesOf('boris', deal.id)).toEqual(['lead.mention'])
    await as('anna').put(`${S}/lead-comments/${root.id}`, { message: mention('seller') })
    expect(await noticesOf('seller', deal.id)).toContain('lead.mention')
  })

  it('notifies no one without access to deals', async () => {
    const deal = await newDeal()
    await posted('anna', deal.id, mention('out'))
    expect(await noticesOf('out', deal.id)).toEqual([])
  })
})
