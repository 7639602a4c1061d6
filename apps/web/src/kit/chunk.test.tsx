import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { part } from './chunk.ts'

const Named = ({ name }: { name: string }) => <b>{name}</b>

test('a part is drawn at once when its program has come, and until then its placeholder', async () => {
  const Part = part(
    async () => ({ default: Named }),
    ({ name }) => <i>{name}</i>,
  )
  expect(renderToStaticMarkup(<Part name="Осмотр" />)).toBe('<i>Осмотр</i>')
  await Part.load()
  expect(renderToStaticMarkup(<Part name="Осмотр" />)).toBe('<b>Осмотр</b>')
})

test('what did not come ahead is asked for again', async () => {
  let asked = 0
  const Part = part(async () => {
    asked++
    if (asked === 1) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: Named }
  })
  await Part.load()
  expect(renderToStaticMarkup(<Part name="Осмотр" />)).toBe('')
  await Part.load()
  await Part.load()
  expect(asked).toBe(2)
  expect(renderToStaticMarkup(<Part name="Осмотр" />)).toBe('<b>Осмотр</b>')
})
