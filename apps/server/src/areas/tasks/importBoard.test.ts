import { describe, expect, it } from 'vitest'
import { simpleHtml } from './importBoard.ts'

describe('the text of a card', () => {
  it.each([
    [
      '[сайт](https://a.example/b "имя") и **два**',
      '<p><a href="https://a.example/b">сайт</a> и <strong>два</strong></p>',
    ],
    ['[[раз](https://a.example/b)', '<p>[<a href="https://a.example/b">раз</a></p>'],
    ['[раз](javascript:x)', '<p>[раз](javascript:x)</p>'],
  ])('%s', (words, html) => {
    expect(simpleHtml(words)).toBe(html)
  })

  it('is parsed in bounded time for any input', () => {
    const began = performance.now()
    for (const part of ['[', '[a](http:x ', '[a](http:', '`', '**', '_('])
      simpleHtml(part.repeat(150_000 / part.length))
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
