/** A clinic with people who sign in. */

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

export let clinic: Clinic
let people = 0

/** A new person for each test. */
export async function person(...permissions: Parameters<typeof addPerson>[2] & object) {
  const login = `person${++people}`
  const { id } = await addPerson(clinic.context, login, permissions)
  return { login, id }
}

export type Body = Record<string, unknown>
export const signIn = (body: Body, where: Clinic = clinic, cookies: Record<string, string> = {}) =>
  where.anonymous.post('/auth/login', body, { cookies })

interface Cookie {
  value: string
  text: string
}

export function cookie(answer: Answer, name: string): Cookie | undefined {
  const set = [answer.headers['set-cookie'] ?? []].flat()
  const text = set.find((line) => line.startsWith(`${name}=`))
  return text === undefined
    ? undefined
    : { text, value: decodeURIComponent(text.slice(name.length + 1).split(';')[0] as string) }
}
export const refreshOf = (answer: Answer) => cookie(answer, 'ordinator_refresh')?.value as string
export const refresh = (value: string, where: Clinic = clinic) =>
  where.anonymous.post('/auth/refresh-token', undefined, { cookies: { ordinator_refresh: value } })
export const account = (token: string, where: Clinic = clinic) => where.withToken(token).post('/common/get-account', {})

export const openCount = async (idUser: number) =>
  (
    await clinic.db.one<{ n: number }>({
      text: 'select count(*) as n from sessions where "idUser" = $1 and "endedAt" is null',
      values: [idUser],
    })
  )?.n

/** Registers the set-up of the file's tests. */
export function openAuthClinic(): void {
  beforeAll(async () => {
    clinic = await testApp()
  })
  afterAll(() => clinic.close())
  // Throttling of one test must not affect the next.
  beforeEach(() => clinic.db.query({ text: 'delete from login_attempts' }))
}
