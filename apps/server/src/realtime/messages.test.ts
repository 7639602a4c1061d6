import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageError, readFilter, readMessage } from './messages.ts'

const read = (message: unknown) => readMessage(JSON.stringify(message), 3)
const add = (data: unknown) => read({ controller: 'system', action: 'addListener', data })

test('reads each action', () => {
  expect(read({ controller: 'system', action: 'ping' })).toEqual({ action: 'ping' })
  expect(add({ path: 'users', id: 5, since: '77' })).toMatchObject({
    action: 'addListener',
    wishes: [{ path: 'users', id: 5, since: 77n }],
  })
  const many = { listeners: [{ path: 'users' }, { path: 'roles', since: 9 }], since: '8' }
  expect(read({ controller: 'system', action: 'addListeners', data: many })).toMatchObject({
    wishes: [
      { path: 'users', since: 8n },
      { path: 'roles', since: 9n },
    ],
  })
  expect(read({ controller: 'system', action: 'removeListener', data: { path: 'users' } })).toMatchObject({
    listener: { path: 'users' },
  })
})

test.each([
  ['{', 'Сообщение — не JSON'],
  ['[]', 'Сообщение: нужен объект'],
  ['null', 'Сообщение: нужен объект'],
  ['{"controller":"users","action":"ping"}', 'Неизвестный контроллер «users»: есть только «system»'],
  [
    '{"controller":"system","action":"fly"}',
    'Неизвестное действие «fly»: есть ping, addListener, addListeners, removeListener',
  ],
  ['{"controller":"system","action":"ping","x":1}', 'Сообщение: неизвестное поле «x»'],
  ['{"controller":"system","action":"addListener"}', 'path: нужна строка с путём записей'],
  ['{"controller":"system","action":"addListener","data":{"path":"a","id":0}}', 'id: нужно целое положительное число'],
  [
    '{"controller":"system","action":"addListener","data":{"path":"a","id":"1"}}',
    'id: нужно целое положительное число',
  ],
  [
    '{"controller":"system","action":"addListener","data":{"path":"a","since":"x"}}',
    'since: нужен курсор из meta.cursor',
  ],
  ['{"controller":"system","action":"addListener","data":{"path":"a","y":1}}', 'подписка: неизвестное поле «y»'],
  [
    '{"controller":"system","action":"addListener","data":{"path":"a","filter":{"b":null}}}',
    'filter[b]: нужна строка, число',
  ],
  ['{"controller":"system","action":"addListeners","data":{"listeners":[]}}', 'data.listeners: нужен непустой список'],
  ['{"controller":"system","action":"addListeners","data":{"listeners":[1]}}', 'data.listeners[0]: нужен объект'],
  [
    '{"controller":"system","action":"addListeners","data":{"listeners":[{"path":"a"},{"path":"b"},{"path":"c"},{"path":"d"}]}}',
    'data.listeners: не больше 3 подписок',
  ],
])('refuses %s', (text, message) => {
  expect(() => readMessage(text, 3)).toThrow(message)
})

test('an error is answered under the action that was asked', () => {
  const error = (() => {
    try {
      add({})
    } catch (e) {
      return e as MessageError
    }
  })()
  expect(error).toMatchObject({ action: 'addListener', status: 400 })
})

test('every spelling of a filter is the list parameter', () => {
  const expected = { 'filter[idColumn]': '5', 'filter[isArchive]': '0', 'filter[name][ilike]': 'а' }
  expect(readFilter({ name: { ilike: 'а' }, idColumn: 5, isArchive: false })).toEqual(expected)
  expect(readFilter({ 'filter[idColumn]': '5', 'name[ilike]': 'а', isArchive: '0' })).toEqual(expected)
  expect(readFilter({ id: { in: [1, 2] } })).toEqual({ 'filter[id][in]': '1,2' })
  expect(readFilter({})).toBeUndefined()
})

test('equal listeners have equal keys, others not', () => {
  const key = (data: unknown) => {
    const message = add(data)
    return 'wishes' in message ? message.wishes[0]?.key : undefined
  }
  expect(key({ path: 'a', filter: { b: 1, c: '2' } })).toBe(
    key({ path: 'a', filter: { 'filter[c]': 2, 'filter[b]': '1' } }),
  )
  expect(
    new Set([key({ path: 'a' }), key({ path: 'a', id: 1 }), key({ path: 'a', filter: { id: 1 } }), key({ path: 'b' })])
      .size,
  ).toBe(4)
})

test('whatever comes is read or refused by a MessageError', () => {
  const near = fc.record(
    {
      controller: fc.oneof(fc.constant('system'), fc.anything()),
      action: fc.oneof(fc.constantFrom('ping', 'addListener', 'addListeners', 'removeListener'), fc.anything()),
      data: fc.oneof(
        fc.anything(),
        fc.record(
          { path: fc.anything(), id: fc.anything(), filter: fc.anything(), since: fc.anything() },
          { requiredKeys: [] },
        ),
        fc.record({ listeners: fc.array(fc.anything()), since: fc.anything() }, { requiredKeys: [] }),
      ),
    },
    { requiredKeys: [] },
  )
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    near.map((message) => text(message)),
  )
  fc.assert(
    fc.property(texts, (given) => {
      try {
        readMessage(given, 500)
      } catch (error) {
        expect(error).toBeInstanceOf(MessageError)
        expect((error as MessageError).message).toMatch(/[а-я]/i)
      }
    }),
    { numRuns: runs(500, 20_000) },
  )
})

function text(message: unknown): string {
  try {
    return JSON.stringify(message) ?? 'undefined'
  } catch {
    return '{'
  }
}
