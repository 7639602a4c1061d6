import { createHmac } from 'node:crypto'
import type { LeadRequest } from '@ordinator/model/areas/sales/intake'
import type { Row } from '@ordinator/model/entity'
import { type Answer, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './deals.ts'

export interface Intake {
  id: number
  key: string
  secret: string
}

export type Request = Row<typeof LeadRequest>

export const sign = (secret: string, text: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

/** For tests: a clinic with intakes for requests from outside, people with several rights, and senders. */
export async function intakeClinic() {
  const clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'seller', ['editSalesManagement', 'editFunnels'])
      await addPerson(app, 'desk', ['editSalesManagement', 'viewCustomers', 'editCustomers'])
      await addPerson(app, 'reader', ['viewSalesManagement'])
      await addPerson(app, 'nobody')
    },
  })
  const seller = clinic.as('seller')
  const funnel = await deals(seller).funnel()
  await deals(seller).make('sources', { name: 'Яндекс Директ', UTM: 'yandex' })
  const { id: idSource }: { id: number } = await deals(seller).make('sources', { name: 'Прочее' })

  async function makeIntake(kind: 'webhook' | 'form', body: object = {}): Promise<Intake> {
    const made = await deals(seller).make('intakes', { name: 'Сайт', kind, ...body })
    const secret =
      kind === 'webhook' ? good(await seller.post(`/sales-management/intakes/${made.id}/secret`)).secret : ''
    return { ...made, secret }
  }

  let sent = 0
  /** A separate address for each sender, to avoid the rate limit. */
  const address = () => `10.0.${(++sent >> 8) & 255}.${sent & 255}`

  /** Sends raw bytes. */
  async function send(key: string, payload: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await clinic.app.server.inject({
      method: 'POST',
      url: `/intake/${key}`,
      payload,
      headers,
      remoteAddress: address(),
    })
    const json = String(response.headers['content-type']).includes('json') && response.payload
    return {
      status: response.statusCode,
      body: json ? JSON.parse(response.payload) : undefined,
      text: response.payload,
      bytes: response.rawPayload,
      headers: response.headers as Answer['headers'],
    }
  }

  const requestsOf = async ({ id }: Pick<Intake, 'id'>): Promise<Request[]> =>
    deals(seller).list(`requests?filter[idIntake]=${id}&limit=100`)

  return {
    clinic,
    seller,
    reader: clinic.as('reader'),
    desk: clinic.as('desk'),
    nobody: clinic.as('nobody'),
    funnel,
    idSource,
    makeIntake,
    send,
    webhook: ({ key, secret }: Intake, body: unknown, headers: Record<string, string> = {}) => {
      const text = JSON.stringify(body)
      return send(key, text, { 'content-type': 'application/json', 'x-signature': sign(secret, text), ...headers })
    },
    form: ({ key }: Pick<Intake, 'key'>, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      send(key, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      }),
    requestsOf,
    oneOf: async (intake: Intake): Promise<Request> => (await requestsOf(intake))[0] as Request,
  }
}
