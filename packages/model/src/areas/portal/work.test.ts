import { expect, it } from 'vitest'
import { solveWork, workResult, zeroBits } from './work.ts'

it('counts the zero bits at the beginning', () => {
  const bits = (...bytes: number[]) => zeroBits(Uint8Array.from(bytes))
  expect([bits(0xff), bits(0x7f), bits(0x01, 0xff), bits(0, 0x40), bits(0, 0)]).toEqual([0, 1, 7, 9, 16])
})

it('finds a nonce that serves, and no smaller batch holds one', async () => {
  const work = { challenge: 'a challenge', bits: 5, iterations: 10 }
  const { nonce } = await solveWork(work)
  const serves = async (at: number) =>
    zeroBits(await workResult({ challenge: work.challenge, nonce: at }, work.iterations)) >= work.bits
  expect(await serves(nonce)).toBe(true)
  for (let at = 0; at < nonce; at++) expect(await serves(at)).toBe(false)
})
