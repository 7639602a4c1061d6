import { expect, it } from 'vitest'
import { mentionsOf, wordsOfHtml } from './mentions.ts'

const mention = (id: unknown) => `<span data-type="mention" data-id="${id}" data-label="Имя">@Имя</span>`

it.each([
  [null, []],
  ['<p>слово</p>', []],
  [`<p>${mention(7)} и ${mention(12)}, снова ${mention(7)}</p>`, [7, 12]],
  [`<p><span data-id="5" data-label="Имя" data-type="mention">@Имя</span></p>`, [5]],
  [`<p>${mention('0')}${mention('-1')}${mention('1e9')}${mention('')}${mention('5;drop')}</p>`, []],
  ['<p>&lt;span data-type="mention" data-id="7"&gt;</p>', []],
  ['<span data-type="taskItem" data-id="7">x</span>', []],
])('finds whom %j names', (html, ids) => {
  expect(mentionsOf(html)).toEqual(ids)
})

it.each([
  [null, ''],
  ['<p>Раз</p><p>два&nbsp;&amp;lt; <b>три</b></p>', 'Раз два &lt; три'],
  [`<ul><li>${mention(7)}</li><li>б&lt;в</li></ul>`, '@Имя б<в'],
])('reads the words of %j', (html, words) => {
  expect(wordsOfHtml(html)).toBe(words)
})

it('reads a text of nothing but openings in time', () => {
  const began = performance.now()
  for (const text of ['<', '<br', '<span '].map((opening) => opening.repeat(200_000 / opening.length)))
    expect([wordsOfHtml(text).length, mentionsOf(text)]).toEqual([text.trim().length, []])
  expect(performance.now() - began).toBeLessThan(5_000)
})
