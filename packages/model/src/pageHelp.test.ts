import { expect, test } from 'vitest'
import { pageHelp } from './pageHelp.ts'
import { type PageKey, pages } from './pages.ts'

/** Pages without «?»: outside of the frame, or only the state of the connection, or a yes/no question. */
const plain: readonly PageKey[] = [
  ...['login', 'error', 'customerCalls', 'customerChats', 'incomingCall'],
  ...['socket', 'invitation'],
] as PageKey[]

test('«?» says of every page how one works on it', () => {
  const silent = pages.map(({ key }) => key as PageKey).filter((key) => !pageHelp[key]?.length)
  expect(silent.toSorted()).toEqual([...plain].toSorted())
})

test('its lines are whole sentences, short enough to be read, each told once, and more than the page’s own line', () => {
  const lines = Object.values(pageHelp).flat()
  expect(lines.filter((line) => !line.endsWith('.') || line.length > 190)).toEqual([])
  expect(new Set(lines).size).toBe(lines.length)
  expect(pages.filter(({ key, help }) => pageHelp[key as PageKey]?.some((line) => line === `${help}.`))).toEqual([])
})
