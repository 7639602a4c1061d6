import { expect, it } from 'vitest'
import { simulator } from '#testing/simulator.ts'
import { telegram } from './telegram.ts'
import { answerSeconds } from './wire.ts'

const EMPTY = { token: '', secret: '', confirmation: null, appSecret: '', sender: '' }
const send = (telegramUrl: string) =>
  telegram.send(
    { telegramUrl, vkUrl: '', maxUrl: '', whatsappUrl: '' },
    { ...EMPTY, token: '1:x' },
    { key: 1, to: '5', text: 'Да', files: [] },
  )

it('resends when there was no connection, and never a message that may have been sent', async () => {
  expect(await send('http://127.0.0.1:1')).toEqual({ outcome: 'later' })
  expect(await send('http://no-such-host.invalid')).toEqual({ outcome: 'later' })
  const dropping = await simulator({ routes: (request) => request.socket.destroy() })
  expect(await send(dropping.url)).toEqual({ outcome: 'unknown' })
  await dropping.close()
})

it('waits longer for larger messages', () => {
  expect([answerSeconds(0), answerSeconds(1024 * 1024)]).toEqual([15, 23])
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
