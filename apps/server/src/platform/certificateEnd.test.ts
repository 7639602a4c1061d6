import { afterAll, beforeAll, expect, it } from 'vitest'
import { END, startSecureServer } from '#testing/secureServer.ts'
import type { Simulator } from '#testing/simulator.ts'
import { certificateEnd, earliestEnd } from './certificateEnd.ts'

let server: Simulator
let port: string

beforeAll(async () => {
  server = await startSecureServer()
  port = new URL(server.url).port
})
afterAll(() => server.close())

it('is read of what an address shows, also where no proxy is trusted', async () => {
  const end = await certificateEnd(`https://clinic.test:${port}/hooks`, async () => '127.0.0.1')
  expect(end?.toISOString()).toBe(END)
})

it('is unknown of what shows none, does not answer, or must not be spoken to', async () => {
  expect(await certificateEnd(`http://127.0.0.1:${port}/`)).toBeUndefined()
  expect(await certificateEnd('https://127.0.0.1:1/')).toBeUndefined()
  const refuse = async () => {
    throw new Error('inside')
  }
  expect(await certificateEnd(`https://127.0.0.1:${port}/`, refuse)).toBeUndefined()
})

it('of several is the earliest', async () => {
  const [soon, late] = [new Date('2027-01-01'), new Date('2028-01-01')]
  const ends = [late, undefined, soon].map((end) => Promise.resolve(end))
  expect(await earliestEnd(ends)).toEqual(soon)
  expect(await earliestEnd([])).toBeUndefined()
})
