/** A clinic with an open site, its writers and visitors. */

import { newBlock } from '@ordinator/model/areas/site/blocks'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

export let clinic: Clinic
export let keeper: Caller
export let writer: Caller
export let stranger: Caller
export let filial: number
export const P = '/client/pages'

export const visit = (path: string, headers: Record<string, string> = {}) =>
  clinic.anonymous.get(`/site${path}`, { headers })
let serial = 0
export const address = (): string => `stranica-${++serial}`
export const text = (html: string) => ({ ...newBlock('text', []), values: { title: null, text: html } })
export const draft = async (body: object = {}, as: Caller = writer) =>
  good(await as.post(P, { title: 'Страница', slug: address(), blocks: [text('<p>Слова</p>')], ...body }), 201)
export const publish = (page: { id: number; _version: number }, as: Caller = writer) =>
  as.post(`${P}/${page.id}/publish`, { _version: page._version })
export const published = async (body: object = {}) => {
  const page = await draft(body)
  return good(await publish(page))
}
/** Waits until cached pages are gone: a change is visible within a minute, normally at once. */
export const eventually = (path: string, check: (answer: Answer) => void) =>
  vi.waitFor(async () => check(await visit(path)), { timeout: 30_000, interval: 50 })

/** Registers the set-up of the file's tests. */
export function openSiteClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      prepare: async (app) => {
        await addPerson(app, 'keeper', [
          'mainSettings',
          'editServices',
          'editUsers',
          'editNews',
          'editFunnels',
          'editSalesManagement',
          'editMembershipTypes',
        ])
        await addPerson(app, 'writer', ['editShopContent'])
        await addPerson(app, 'looker', ['showShopContent'])
        await addPerson(app, 'stranger', ['viewServices'])
      },
    })
    keeper = clinic.as('keeper')
    writer = clinic.as('writer')
    stranger = clinic.as('stranger')
    expect((await visit('/')).status).toBe(503)
    good(await writer.put('/client/theme/1', { isActive: true }))
    filial = good(
      await keeper.post('/filials', {
        nameFilial: 'Ленинский',
        filialAddressFact: 'ул. Ленина, 5',
        filialPhone: '+78462000000',
        latitude: 53.2,
        longitude: 50.1,
        workingHours: { monday: { start: '08:00', end: '20:00' } },
      }),
      201,
    ).id
  })
  afterAll(() => clinic.close())
}
