/** Telegram: the Bot API (core.telegram.org/bots/api). */
import { HttpError } from '#platform/errors.ts'
import type { ChannelAdapter, IncomingFile, MessengerUrls, Outgoing, Sent } from './adapter.ts'
import {
  ask,
  contactWords,
  fileName,
  isSame,
  type JsonObject,
  listOf,
  nameOf,
  numberOf,
  objectOf,
  placeWords,
  sumOf,
  UNSHOWN,
  unreachable,
  wasNeverOpened,
  wordsOf,
  wrongToken,
} from './wire.ts'

const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

interface TelegramAnswer {
  ok: boolean
  /** An array of messages for several files. */
  result?: Record<string, unknown> | Record<string, unknown>[]
  error_code?: number
  description?: string
  parameters?: { retry_after?: number }
}

async function call(
  config: MessengerUrls,
  token: string,
  method: string,
  body: JsonObject | FormData,
  bytes = 0,
): Promise<TelegramAnswer> {
  const { body: json } = await ask(`${config.telegramUrl}/bot${token}/${method}`, { body, bytes })
  return json as unknown as TelegramAnswer
}

function filesOf(message: JsonObject): IncomingFile[] {
  const photo = listOf(message.photo).at(-1)
  const [kind, one] = photo
    ? (['photo', photo] as const)
    : ((['document', 'voice', 'audio', 'video', 'video_note'] as const)
        .map((name) => [name, objectOf(message[name])] as const)
        .find(([, part]) => part.file_id !== undefined) ?? (['photo', {} as JsonObject] as const))
  if (typeof one.file_id !== 'string') return []
  const usual = {
    photo: 'Фото.jpg',
    voice: 'Голос.ogg',
    audio: 'Звук.ogg',
    video: 'Видео.mp4',
    video_note: 'Кружок.mp4',
    document: 'Файл',
  }[kind]
  return [{ id: one.file_id, name: fileName(one.file_name, usual), size: Number(one.file_size) || 0 }]
}

/** Describes content that a chat cannot show; empty if it is no message of a patient. */
function inWords(message: JsonObject): string {
  const contact = objectOf(message.contact)
  const phone = wordsOf(contact.phone_number)
  if (phone) return contactWords(phone, nameOf(contact.first_name, contact.last_name))
  const venue = objectOf(message.venue)
  const place = placeWords(objectOf(message.location), wordsOf(venue.title), wordsOf(venue.address))
  if (place) return place
  const sticker = objectOf(message.sticker)
  if (message.sticker !== undefined) return `Стикер ${wordsOf(sticker.emoji)}`.trim()
  return STRANGE.some((kind) => message[kind] !== undefined) ? UNSHOWN : ''
}
/** Kinds of messages (core.telegram.org/bots/api#message); the others are about the chat, not the patient. */
const STRANGE = ['animation', 'poll', 'dice', 'story', 'game', 'paid_media', 'checklist']

/** Text with the addresses of its links: `прайс (https://example.ru/price)`. */
function withLinks(message: JsonObject): string {
  const text = wordsOf(message.text)
  const [written, entities] = text ? [text, message.entities] : [wordsOf(message.caption), message.caption_entities]
  // Offsets count UTF-16 units, as strings here do; processed from the end, so that they stay valid.
  return listOf(entities)
    .filter(({ type, url }) => type === 'text_link' && wordsOf(url))
    .sort((a, b) => Number(b.offset) - Number(a.offset))
    .reduce((text, { offset, length, url }) => {
      const end = Number(offset) + Number(length)
      return text.slice(Number(offset), end) === wordsOf(url)
        ? text
        : `${text.slice(0, end)} (${wordsOf(url)})${text.slice(end)}`
    }, written)
}

const QUOTED = 200

/** The quoted message, as a line before the reply. */
function quoteOf(message: JsonObject): string {
  const former = objectOf(message.reply_to_message)
  const quoted = wordsOf(objectOf(message.quote).text) || wordsOf(former.text) || wordsOf(former.caption)
  return quoted ? `> ${quoted.slice(0, QUOTED).replaceAll('\n', '\n> ')}\n` : ''
}

/** The method for this number of files, and its form; the text is with the first. */
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
  isGenuine: ({ headers }, { secret }) => isSame(headers[SECRET_HEADER], secret),
  read(update) {
    const isEdit = update.edited_message !== undefined
    const message = objectOf(isEdit ? update.edited_message : update.message)
    const chat = objectOf(message.chat)
    const from = objectOf(message.from)
    const [idEvent, idFrom, idMessage] = [numberOf(update.update_id), numberOf(chat.id), numberOf(message.message_id)]
    // Groups and other bots are ignored.
    if (!idEvent || !idFrom || !idMessage || chat.type !== 'private' || from.is_bot === true) return []
    const files = filesOf(message)
    const words = withLinks(message) || (files.length ? '' : inWords(message))
    if (words === '' && files.length === 0) return []
    const text = words && quoteOf(message) + words
    const name = nameOf(from.first_name, from.last_name)
    return [{ idEvent, kind: isEdit ? 'edit' : 'message', idFrom, idMessage, name, text, files }]
  },
  async send(config, { token }, { to, text, files }): Promise<Sent> {
    try {
      const answer = files.length
        ? await call(config, token, ...formOf(to, text, files), sumOf(files))
        : await call(config, token, 'sendMessage', { chat_id: Number(to), text })
      if (answer.ok)
        return {
          outcome: 'sent',
          id: [answer.result]
            .flat()
            .map((one) => numberOf(one?.message_id))
            .join(' '),
        }
      if (isPassing(answer))
        return { outcome: 'later', ...(answer.parameters?.retry_after && { after: answer.parameters.retry_after }) }
      return { outcome: 'refused', reason: refusal(answer) }
    } catch (error) {
      return { outcome: wasNeverOpened(error) ? 'later' : 'unknown' }
    }
  },
  edit: (config, { token }, { to, ids: [id], withFiles }, text) =>
    again(config, token, withFiles ? 'editMessageCaption' : 'editMessageText', {
      chat_id: Number(to),
      message_id: Number(id),
      ...(withFiles ? { caption: text } : { text }),
    }),
  remove: (config, { token }, { to, ids }) =>
    again(config, token, 'deleteMessages', { chat_id: Number(to), message_ids: ids.map(Number) }),
  botOf: ({ token }) => token.split(':')[0] ?? '',
  async fileUrl(config, { token }, idFile) {
    const answer = await call(config, token, 'getFile', { file_id: idFile })
    if (isPassing(answer)) throw new Error(`telegram: getFile ${answer.error_code}`)
    const path = wordsOf(objectOf(answer.result).file_path)
    if (!answer.ok || path === '') throw new HttpError(422, refusal(answer))
    return { url: `${config.telegramUrl}/file/bot${token}/${path}` }
  },
  async connect(config, { token }, { url, secret }) {
    try {
      const me = await call(config, token, 'getMe', {})
      if (!me.ok) throw wrongToken('Telegram не узнал токен: скопируйте его ещё раз у @BotFather')
      const set = await call(config, token, 'setWebhook', {
        url,
        secret_token: secret,
        allowed_updates: ['message', 'edited_message'],
      })
      if (!set.ok) throw wrongToken(`Telegram не принял адрес сервера: ${(set.description ?? '').slice(0, 200)}`)
      return `@${wordsOf(objectOf(me.result).username)}`
    } catch (error) {
      throw unreachable(error, 'Telegram')
    }
  },
}

/** Repeats a change; an unchanged message counts as done. */
async function again(config: MessengerUrls, token: string, method: string, body: JsonObject): Promise<Sent> {
  try {
    const answer = await call(config, token, method, body)
    if (answer.ok || answer.description?.includes('message is not modified')) return { outcome: 'sent', id: '' }
    return isPassing(answer) ? { outcome: 'later' } : { outcome: 'refused', reason: refusal(answer) }
  } catch (error) {
    return { outcome: wasNeverOpened(error) ? 'later' : 'unknown' }
  }
}

/** A temporary refusal. */
const isPassing = ({ ok, error_code = 500 }: TelegramAnswer): boolean =>
  !ok && (error_code === 429 || error_code >= 500)

function refusal({ error_code, description = '' }: TelegramAnswer): string {
  if (error_code === 403) return 'Посетитель заблокировал бота'
  if (error_code === 401 || error_code === 404) return 'Токен бота больше не действует'
  return `Telegram отказал: ${description.slice(0, 200)}`
}
