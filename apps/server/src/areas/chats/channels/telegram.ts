/** Telegram: the Bot API (core.telegram.org/bots/api). */
import { timingSafeEqual } from 'node:crypto'
import { phoneOf } from '@ordinator/model/phone'
import type { Config } from '../../../platform/config.ts'
import { HttpError, ValidationError } from '../../../platform/errors.ts'
import { answerSeconds, type ChannelAdapter, type Incoming, type Outgoing, type Sent } from './adapter.ts'

const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

interface Said {
  ok: boolean
  /** Of several files an array of messages. */
  result?: Record<string, unknown> | Record<string, unknown>[]
  error_code?: number
  description?: string
  parameters?: { retry_after?: number }
}

async function ask(config: Config, token: string, method: string, body: object | FormData, bytes = 0): Promise<Said> {
  const isForm = body instanceof FormData
  const answer = await fetch(`${config.telegramUrl}/bot${token}/${method}`, {
    method: 'POST',
    signal: AbortSignal.timeout(answerSeconds(bytes) * 1000),
    redirect: 'error',
    ...(!isForm && { headers: { 'content-type': 'application/json' } }),
    body: isForm ? body : JSON.stringify(body),
  })
  return (await answer.json()) as Said
}

type Part = Record<string, unknown>
const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {})
const words = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): string => (Number.isSafeInteger(value) ? String(value) : '')

function fileOf(message: Part): Incoming['file'] {
  const photos = Array.isArray(message.photo) ? (message.photo as unknown[]) : []
  const [kind, one] = photos.length
    ? (['photo', partOf(photos.at(-1))] as const)
    : ((['document', 'voice', 'audio', 'video'] as const)
        .map((name) => [name, partOf(message[name])] as const)
        .find(([, part]) => part.file_id !== undefined) ?? (['photo', {} as Part] as const))
  if (typeof one.file_id !== 'string') return undefined
  const name =
    words(one.file_name) ||
    { photo: 'Фото.jpg', voice: 'Голос.ogg', audio: 'Звук.ogg', video: 'Видео.mp4', document: 'Файл' }[kind]
  return { id: one.file_id, name: name.slice(0, 200), size: Number(one.file_size) || 0 }
}

/** What a chat cannot show, told in words; empty: nothing that a patient has said. */
function inWords(message: Part): string {
  const contact = partOf(message.contact)
  const phone = words(contact.phone_number)
  if (phone) {
    const name = [words(contact.first_name), words(contact.last_name)].filter(Boolean).join(' ')
    return `Контакт: ${[phoneOf(phone) ?? phone, name].filter(Boolean).join(', ')}`
  }
  const { latitude, longitude } = partOf(message.location)
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    const venue = partOf(message.venue)
    return `Геопозиция: ${[latitude, longitude, words(venue.title), words(venue.address)].filter((part) => part !== '').join(', ')}`
  }
  return UNSHOWN.some((kind) => message[kind] !== undefined) ? '[Сообщение, которое чат не показывает]' : ''
}
/** Kinds of messages (core.telegram.org/bots/api#message); the rest of them tell of the chat and not of the patient. */
const UNSHOWN = ['sticker', 'video_note', 'animation', 'poll', 'dice', 'story', 'game', 'paid_media', 'checklist']

/** The method that takes so many files at once, and its form; the words stand under the first. */
function formOf(to: string, text: string, files: Outgoing['files']): [method: string, form: FormData] {
  const form = new FormData()
  form.set('chat_id', to)
  const [first, ...rest] = files
  if (first && rest.length === 0) {
    form.set('document', first.content, first.name)
    if (text) form.set('caption', text)
    return ['sendDocument', form]
  }
  const media = files.map((_file, at) => ({
    type: 'document',
    media: `attach://file${at}`,
    ...(at === 0 && text && { caption: text }),
  }))
  form.set('media', JSON.stringify(media))
  for (const [at, { name, content }] of files.entries()) form.set(`file${at}`, content, name)
  return ['sendMediaGroup', form]
}

export const telegram: ChannelAdapter = {
  maxText: 4096,
  maxCaption: 1024,
  maxBytes: 50 * 1024 * 1024,
  isGenuine(headers, secret) {
    const told = Buffer.from(String(headers[SECRET_HEADER] ?? ''))
    const ours = Buffer.from(secret)
    return told.length === ours.length && timingSafeEqual(told, ours)
  },
  read(update) {
    const isEdit = update.edited_message !== undefined
    const message = partOf(isEdit ? update.edited_message : update.message)
    const chat = partOf(message.chat)
    const from = partOf(message.from)
    const [idEvent, idFrom, idMessage] = [number(update.update_id), number(chat.id), number(message.message_id)]
    // Groups and other bots are no patients.
    if (!idEvent || !idFrom || !idMessage || chat.type !== 'private' || from.is_bot === true) return undefined
    const file = fileOf(message)
    const text = words(message.text) || words(message.caption) || (file ? '' : inWords(message))
    if (text === '' && !file) return undefined
    const name = [words(from.first_name), words(from.last_name)].filter(Boolean).join(' ').trim().slice(0, 128)
    return { idEvent, kind: isEdit ? 'edit' : 'message', idFrom, idMessage, name, text, ...(file && { file }) }
  },
  async send(config, token, { to, text, files }): Promise<Sent> {
    try {
      const said = files.length
        ? await ask(config, token, ...formOf(to, text, files), sumOf(files))
        : await ask(config, token, 'sendMessage', { chat_id: Number(to), text })
      if (said.ok) return { outcome: 'sent', id: number([said.result].flat()[0]?.message_id) }
      if (isPassing(said))
        return { outcome: 'later', ...(said.parameters?.retry_after && { after: said.parameters.retry_after }) }
      return { outcome: 'refused', reason: refusal(said) }
    } catch (error) {
      return { outcome: wasNeverOpened(error) ? 'later' : 'unknown' }
    }
  },
  botOf: (token) => token.split(':')[0] ?? '',
  async fileUrl(config, token, idFile) {
    const said = await ask(config, token, 'getFile', { file_id: idFile })
    if (isPassing(said)) throw new Error(`telegram: getFile ${said.error_code}`)
    const path = words(partOf(said.result).file_path)
    if (!said.ok || path === '') throw new HttpError(422, refusal(said))
    return `${config.telegramUrl}/file/bot${token}/${path}`
  },
  async connect(config, token, { url, secret }) {
    try {
      const me = await ask(config, token, 'getMe', {})
      if (!me.ok) throw wrong('Telegram не узнал токен: скопируйте его ещё раз у @BotFather')
      const set = await ask(config, token, 'setWebhook', {
        url,
        secret_token: secret,
        allowed_updates: ['message', 'edited_message'],
      })
      if (!set.ok) throw wrong(`Telegram не принял адрес сервера: ${(set.description ?? '').slice(0, 200)}`)
      return `@${words(partOf(me.result).username)}`
    } catch (error) {
      if (error instanceof ValidationError) throw error
      throw wrong('Telegram не отвечает. Проверьте, есть ли у сервера выход к нему')
    }
  },
}

const sumOf = (files: Outgoing['files']): number => files.reduce((sum, { content }) => sum + content.size, 0)

const UNOPENED = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** A line that was never opened has carried nothing. Of several addresses that were tried each says what it was. */
function wasNeverOpened(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException | AggregateError }
  const faults = cause instanceof AggregateError ? (cause.errors as NodeJS.ErrnoException[]) : cause ? [cause] : []
  return (
    faults.length > 0 &&
    faults.every(
      ({ code = '', syscall }: NodeJS.ErrnoException) =>
        UNOPENED.has(code) || (code === 'ETIMEDOUT' && syscall === 'connect'),
    )
  )
}

/** It will not do it now, and may another time. */
const isPassing = ({ ok, error_code = 500 }: Said): boolean => !ok && (error_code === 429 || error_code >= 500)

const wrong = (message: string) => new ValidationError([{ field: 'token', message }])

function refusal({ error_code, description = '' }: Said): string {
  if (error_code === 403) return 'Посетитель заблокировал бота'
  if (error_code === 401 || error_code === 404) return 'Токен бота больше не действует'
  return `Telegram отказал: ${description.slice(0, 200)}`
}
