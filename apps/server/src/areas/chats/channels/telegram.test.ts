import { afterEach, expect, it, vi } from 'vitest'
import type { Config } from '#platform/config.ts'
import { telegram } from './telegram.ts'

const config = { telegramUrl: 'http://127.0.0.1:1' } as Config
const EMPTY = { token: '', secret: '', confirmation: null, appSecret: '', sender: '' }
const send = (files: { name: string; content: Blob }[] = []) =>
  telegram.send(config, { ...EMPTY, token: '1:x' }, { key: 1, to: '5', text: 'Да', files })
const fails = (cause: Error) => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })))
const fault = (code: string, syscall = 'connect') => Object.assign(new Error(code), { code, syscall })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('resends when there was no connection, and never a message that may have been sent', async () => {
  const outcomes: [Error, string][] = [
    ...[
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'ENETUNREACH',
      'EHOSTUNREACH',
      'ETIMEDOUT',
      'UND_ERR_CONNECT_TIMEOUT',
    ].map((code): [Error, string] => [fault(code), 'later']),
    [Object.assign(new AggregateError([fault('ETIMEDOUT'), fault('ENETUNREACH')]), { code: 'ETIMEDOUT' }), 'later'],
    [fault('ETIMEDOUT', 'read'), 'unknown'],
    [fault('ECONNRESET', 'read'), 'unknown'],
    [new Error('aborted'), 'unknown'],
  ]
  for (const [cause, outcome] of outcomes) {
    fails(cause)
    expect([String(cause), await send()]).toEqual([String(cause), { outcome }])
  }
})

it('waits longer for larger messages', async () => {
  const waits = vi.spyOn(AbortSignal, 'timeout')
  vi.stubGlobal('fetch', async () => Response.json({ ok: true, result: { message_id: 7 } }))
  expect(await send()).toEqual({ outcome: 'sent', id: '7' })
  await send([{ name: 'Снимок.png', content: new Blob([new Uint8Array(1024 * 1024)]) }])
  expect(waits.mock.calls).toEqual([[15_000], [23_000]])
})

const read = (message: object) =>
  telegram.read(
    {
      update_id: 1,
      message: { message_id: 2, chat: { id: 5, type: 'private' }, from: { first_name: 'Вера' }, ...message },
    },
    {} as never,
  )

it('shows the address behind a link text, and the quoted message', () => {
  const link = { type: 'text_link', offset: 4, length: 5, url: 'https://example.ru/price' }
  expect(read({ text: 'Ваш прайс?', entities: [link] })).toMatchObject([
    { text: 'Ваш прайс (https://example.ru/price)?' },
  ])
  expect(read({ text: 'прайс', entities: [{ ...link, offset: 0 }] })).toMatchObject([
    { text: 'прайс (https://example.ru/price)' },
  ])
  // Bold text is ignored.
  expect(read({ text: 'Да', entities: [{ type: 'bold', offset: 0, length: 2 }] })).toMatchObject([{ text: 'Да' }])
  expect(read({ text: 'Да', reply_to_message: { text: 'Записать?\nНа завтра' } })).toMatchObject([
    { text: '> Записать?\n> На завтра\nДа' },
  ])
})

it('accepts a round video as a file and a sticker as its picture', () => {
  expect(read({ video_note: { file_id: 'f', file_size: 9 } })).toMatchObject([
    { text: '', files: [{ id: 'f', name: 'Кружок.mp4' }] },
  ])
  expect(read({ sticker: { file_id: 's', emoji: '👍' } })).toMatchObject([{ text: 'Стикер 👍', files: [] }])
})
