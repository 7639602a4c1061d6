import { describe, expect, it } from 'vitest'
import { bigEndian } from './cryptoPro.ts'
import { SigningError, signingError } from './plugin.ts'

describe('messages of the plugin', () => {
  it.each([
    ['Ошибка: операция была отменена пользователем (0x000004C7)', 'Вы отменили подписание', true],
    ['SignHash failed 0x80070057', 'Плагин не смог подписать', false],
    ['Параметр задан неверно', 'Плагин не смог подписать', false],
    ['A certificate chain could not be built (0x800B010A)', 'Корневой сертификат не установлен', false],
    ['Набор ключей не существует (0x80090016)', 'Ключ этого сертификата не найден', false],
    ['Плагин недоступен', 'КриптоПро ЭЦП Browser plug-in не отвечает', false],
  ])('%s becomes what to do', (words, message, isRefusal) => {
    const error = signingError(new Error(words))
    expect([error.message, error.isRefusal]).toEqual([message, isRefusal])
    expect(error.mend.length).toBeGreaterThan(10)
  })

  it('of an unknown code keeps the code, and of our own error all', () => {
    expect(signingError('что-то 0xDEADBEEF').message).toBe('Не удалось подписать (0xDEADBEEF)')
    const own = new SigningError('Нет', 'Так', true)
    expect(signingError(own)).toBe(own)
  })
})

it('turns a signature of CryptoAPI into the order of XMLDSig', () => {
  expect(bigEndian('01 02\nFF')).toBe(btoa('\u00ff\u0002\u0001'))
})
