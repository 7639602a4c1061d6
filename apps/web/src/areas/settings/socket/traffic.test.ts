import { expect, test } from 'vitest'
import { filterLines, linesText, MAX_LINES, readData, Traffic } from './traffic.ts'

const message = (controller: string, action: string, isError = false) => JSON.stringify({ controller, action, isError })

test('keeps the last lines, the newest first', () => {
  const traffic = new Traffic()
  for (let n = 0; n < MAX_LINES + 10; n++) traffic.add('in', message('users', `a${n}`))
  expect(traffic.lines()).toHaveLength(MAX_LINES)
  expect(traffic.lines()[0]?.subject).toBe(`users / a${MAX_LINES + 9}`)
  traffic.clear()
  expect(traffic.lines()).toEqual([])
})

test('counts what comes while paused', () => {
  const traffic = new Traffic()
  traffic.pause(true)
  traffic.add('in', message('users', 'update'))
  expect([traffic.lines().length, traffic.missed]).toEqual([0, 1])
  traffic.pause(false)
  traffic.add('out', 'not json')
  expect([traffic.lines()[0]?.isError, traffic.missed]).toEqual([true, 0])
})

test('filters by text, direction and heartbeats', () => {
  const traffic = new Traffic()
  traffic.add('out', message('system', 'ping'))
  traffic.add('in', message('system', 'pong'))
  traffic.add('in', message('users', 'update'))
  const found = (filter: Partial<Parameters<typeof filterLines>[1]>) =>
    filterLines(traffic.lines(), { text: '', direction: 'all', quiet: false, ...filter }).map((line) => line.subject)
  expect(found({})).toEqual(['users / update', 'system / pong', 'system / ping'])
  expect(found({ quiet: true })).toEqual(['users / update'])
  expect(found({ direction: 'out' })).toEqual(['system / ping'])
  expect(found({ text: ' USERS ' })).toEqual(['users / update'])
  expect(linesText(traffic.lines()).split('\n')[0]).toMatch(/^\d{4}-.*Z -> {"controller":"system","action":"ping"/)
})

test.each([
  ['', { ok: true, data: undefined }],
  ['{"path":"users"}', { ok: true, data: { path: 'users' } }],
  ['[]', { ok: false, message: 'Нужен объект JSON, например {"path": "users"}' }],
  ['{path}', { ok: false, message: 'Это не JSON: проверьте кавычки и запятые' }],
])('data %s', (text, result) => {
  expect(readData(text)).toEqual(result)
})
