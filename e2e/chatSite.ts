import { ChatDomain } from '@ordinator/model/areas/chats/chatSettings'
import type { Clinic } from './support.ts'

/**
 * Gives the first site of the clinic, which the demo page takes, the usual greeting: a clinic's own one is not translated.
 * @returns gives the former greeting back
 */
export async function withUsualGreeting(clinic: Pick<Clinic, 'call'>): Promise<() => Promise<unknown>> {
  const { items } = await clinic.call('GET', '/live-assist/domains?sort=id&limit=1')
  const path = `/live-assist/domains/${items[0].id}`
  const { greeting, _version } = await clinic.call('GET', path)
  const usual = ChatDomain.fields.greeting.options.default
  const { _version: changed } = await clinic.call('PUT', path, { greeting: usual, _version })
  return () => clinic.call('PUT', path, { greeting, _version: changed })
}
