import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const { resolve } = createRequire(import.meta.url)
const textOf = (name: string) => readFileSync(resolve(`@mantine/core/${name}`), 'utf8')

it('styles of components are in the order of their makers: the underline of a link would be lost to its text', () => {
  const theme = readFileSync(new URL('./theme.css', import.meta.url), 'utf8')
  const whole = textOf('styles.layer.css')
  const places = [...theme.matchAll(/"@mantine\/core\/(styles\/\w+\.layer\.css)"/g)].flatMap(([, name = '']) => {
    const own = /\.m_[0-9a-f]+/.exec(textOf(name))?.[0]
    return own ? [{ name, at: whole.indexOf(own) }] : []
  })
  expect(places.length).toBeGreaterThan(30)
  expect(places.map(({ name }) => name)).toEqual(places.toSorted((a, b) => a.at - b.at).map(({ name }) => name))
})
