import { expect, it } from 'vitest'
import { chatSourceLabel } from './source.ts'

it('names where a visitor writes from, and calls the rest a widget', () => {
  const sources = ['whatsapp', 'android', 'ios', 'vk', 'VKontakte', 'telegram', 'instagram', 'max', 'widget', '', null]
  expect(sources.map(chatSourceLabel)).toEqual([
    'WhatsApp',
    'Android',
    'IOS',
    'VKontakte',
    'VKontakte',
    'Telegram',
    'Instagram',
    'MAX',
    'Виджет',
    'Виджет',
    'Виджет',
  ])
})
