/** A clinic with a site, its operators, and visitors of the widget. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

export const CONSULTED = 2

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

export let clinic: Clinic
export let alina: Caller
export let kirill: Caller
export let keeper: Caller
export let reader: Caller
export let outsider: Caller
export let idAlina: number
export let idKirill: number
export let idOutsider: number
export let key: string
export let idSite: number

export const version = { 'x-client-version': '3' }
export const enter = (body: object = {}, headers: Record<string, string> = {}, site = key) =>
  clinic.anonymous.post(
    `/live-assist?token=${site}`,
    { name: 'Вера', responseId: randomUUID(), consent: { version: 1 }, ...body },
    { headers: { ...version, ...headers } },
  )

/** A visitor with consent. */
export async function visitor(body: object = {}) {
  const { token } = good(await enter(body))
  const headers = { ...version, authorization: `Visitor ${token}` }
  const as = clinic.anonymous
  return {
    token,
    headers,
    say: (text: string, clientId: string = randomUUID()) =>
      as.post('/live-assist/visitor/messages', { clientId, text }, { headers }),
    news: async (after = 0, wait = 0) =>
      good(await as.get(`/live-assist/visitor/messages?after=${after}&wait=${wait}`, { headers })),
    post: (path: string, data: object) => as.post(`/live-assist/visitor/${path}`, data, { headers }),
    file: (clientId: string = randomUUID()) => {
      const form = new FormData()
      form.set('file', new Blob([PIXEL]), 'анализ.png')
      return as.post(`/live-assist/visitor/files?clientId=${clientId}`, form, { headers })
    },
  }
}

let spoken = 0
/** A visitor with a new chat. */
export async function begun(text = 'Здравствуйте') {
  const name = `Вера ${++spoken}`
  const guest = await visitor({ name })
  good(await guest.say(text), 201)
  const { items } = good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(name)}`))
  return { guest, id: items[0].id as number, name }
}

export const view = async (id: number, who: Caller = alina) => good(await who.get(`/live-assist/${id}`))
export const reply = (who: Caller, idLiveAssist: number, message: string, more: object = {}) =>
  who.post('/live-assist/messages', { idLiveAssist, clientId: randomUUID(), message, ...more })

/** Registers the set-up of the file's tests. */
export function openChatClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      prepare: async (app) => {
        idAlina = (await addPerson(app, 'alina', ['supportOperator'])).id
        idKirill = (await addPerson(app, 'kirill', ['supportOperator'])).id
        await addPerson(app, 'keeper', ['editLiveAssistDomainMap', 'editLiveAssistSuggestion'])
        await addPerson(app, 'reader', ['displayTableLiveAssist'])
        idOutsider = (await addPerson(app, 'outsider', ['viewCustomers'])).id
      },
    })
    ;[alina, kirill, keeper, reader, outsider] = ['alina', 'kirill', 'keeper', 'reader', 'outsider'].map((login) =>
      clinic.as(login),
    ) as [Caller, Caller, Caller, Caller, Caller]
    await Promise.all([alina, kirill, keeper, reader, outsider].map((caller) => caller.token()))
    const site = good(await keeper.post('/live-assist/domains', { name: 'Clinic.test', sourceName: 'Сайт' }), 201)
    ;({ key, id: idSite } = site)
  })
  afterAll(() => clinic.close())
}
