import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsIn } from './asr.ts'
import { linesOf } from './lines.ts'
import { isSpoken, piecesOf, type Samples, samplesOf, speechIn, waveOf } from './sound.ts'

const RATE = 8_000
/** Seconds of tone at these times, with line noise everywhere. */
function sound(seconds: number, spoken: readonly [number, number][], noise = 0): Samples {
  const samples = new Float32Array(seconds * RATE)
  for (let i = 0; i < samples.length; i++) {
    const at = i / RATE
    samples[i] =
      noise * Math.sin(i * 12.9898) + (spoken.some(([from, to]) => at >= from && at < to) ? 0.4 * Math.sin(i / 3) : 0)
  }
  return samples
}

describe('speech', () => {
  it('is detected at its place, above line noise', () => {
    for (const noise of [0, 0.004]) {
      const spans = speechIn(
        sound(
          10,
          [
            [1, 2],
            [5, 8],
          ],
          noise,
        ),
        RATE,
      )
      expect(spans).toHaveLength(2)
      expect(spans[0]?.from).toBeCloseTo(0.88, 1)
      expect(spans[1]?.to).toBeCloseTo(8.12, 1)
    }
  })
  it.each([0, 0.003])('is not detected in silence (noise %s), nor in a click', (noise) => {
    expect(speechIn(sound(5, [[2, 2.05]], noise), RATE)).toEqual([])
  })
  it('is split into pieces of limited length', () => {
    expect(
      piecesOf(
        [
          { from: 0, to: 4 },
          { from: 5, to: 9 },
          { from: 12, to: 30 },
        ],
        10,
      ),
    ).toEqual([
      { from: 0, to: 9 },
      { from: 12, to: 22 },
      { from: 22, to: 30 },
    ])
  })
  it('is preserved when written as a recording', () => {
    const samples = sound(2, [[0.5, 1.5]])
    const read = samplesOf(waveOf(samples, RATE, { from: 0.5, to: 1.5 }))
    expect([read.rate, read.samples.length]).toEqual([RATE, RATE])
    expect(read.samples[100]).toBeCloseTo(samples[RATE / 2 + 100] as number, 3)
  })
})

describe('words', () => {
  it('of a response keep their times; segments share their time', () => {
    expect(wordsIn('{"text":"а б","words":[{"word":"б","start":1,"end":2},{"word":"а","start":0,"end":1}]}')).toEqual([
      { word: 'а', from: 0, to: 1 },
      { word: 'б', from: 1, to: 2 },
    ])
    expect(wordsIn('{"text":"а б","segments":[{"text":" а б","start":2,"end":4}]}')).toEqual([
      { word: 'а', from: 2, to: 3 },
      { word: 'б', from: 3, to: 4 },
    ])
    expect(wordsIn('{"text":"  "}')).toEqual([])
  })
  it.each([
    '<html>',
    '{}',
    '{"text":5}',
    '{"text":"слова без мест"}',
    '{"text":"а","words":[{"word":"а","start":"x"}]}',
    'null',
  ])('none in %s', (text) => expect(wordsIn(text)).toBeUndefined())
  it('in silence are dropped, and so are typical hallucinations', () => {
    const speech = [{ from: 1, to: 3 }]
    const words = [
      { word: 'да', from: 1.2, to: 1.6 },
      { word: 'нет', from: 8, to: 8.4 },
    ]
    expect(linesOf('operator', words, speech).map(({ text }) => text)).toEqual(['да'])
    expect(
      linesOf(
        'operator',
        [
          { word: 'Продолжение', from: 1, to: 1.5 },
          { word: 'следует...', from: 1.5, to: 2 },
        ],
        speech,
      ),
    ).toEqual([])
  })
})

it('lines contain every spoken word, in order and within their limits', () => {
  const words = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 30 }), length: fc.integer({ min: 1, max: 10 }) }), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(words, (steps) => {
      let at = 0
      const words = steps.map(({ gap, length }, number) => {
        const from = at + gap / 10
        at = from + length / 10
        return { word: `слово${number}`, from, to: at }
      })
      const speech = [{ from: 0, to: at + 1 }]
      const lines = linesOf('customer', words, speech)
      expect(lines.flatMap(({ words: own }) => own.map(([, , word]) => word))).toEqual(words.map(({ word }) => word))
      for (const { fromMs, toMs, words: own } of lines) {
        expect(own[0]?.[0]).toBe(fromMs)
        expect(own.at(-1)?.[1]).toBeLessThanOrEqual(toMs)
        expect(isSpoken(speech, fromMs / 1000)).toBe(true)
      }
    }),
    { numRuns: 40 },
  )
})
