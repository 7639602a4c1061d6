import { describe, expect, test } from 'vitest'
import { inTurn } from './inTurn.ts'

describe('what is asked for one visit', () => {
  test('is sent one after another, and after what was refused too', async () => {
    const sent: string[] = []
    const answer =
      (name: string, ok = true) =>
      async () => {
        sent.push(name)
        await Promise.resolve()
        sent.push(`${name} answered`)
        if (!ok) throw new Error(name)
      }
    const asked = [inTurn(1, answer('a', false)), inTurn(1, answer('b')), inTurn(1, answer('c'))]
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(sent).toEqual(['a', 'a answered', 'b', 'b answered', 'c', 'c answered'])
  })
})
