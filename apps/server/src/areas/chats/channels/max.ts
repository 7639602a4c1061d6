/** MAX: the bot API (dev.max.ru/docs-api). */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChannelAdapter,
  halfSent,
  type IncomingFile,
  type MessengerUrls,
  type Outgoing,
  removalOf,
  type Sent,
} from './adapter.ts'
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
  UNSHOWN,
  unreachable,
  wasNeverOpened,
  wordsOf,
  wrongToken,
} from './wire.ts'

const SECRET_HEADER = 'x-max-bot-api-secret'
const UPDATES = ['message_created', 'message_edited', 'message_removed'] as const
/** Attempts to send a file that MAX is still processing, and milliseconds between them. */
const READY_TRIES = 5
const READY_MS = 700
const MAX_URL = 2000

const call = (config: MessengerUrls, token: string, path: string, body?: JsonObject, method?: 'PUT' | 'DELETE') =>
  ask(`${config.maxUrl}${path}`, {
    ...(body && { body }),
    ...(method && { method }),
    headers: { authorization: token },
  })

type Answer = Awaited<ReturnType<typeof call>>

const USUAL: Readonly<Record<string, string>> = {
  image: 'Фото.jpg',
  audio: 'Голос.mp3',
  video: 'Видео.mp4',
  file: 'Файл',
}

function fileOf({ type, payload, filename, size }: JsonObject): IncomingFile | undefined {
  const [usual, url] = [USUAL[wordsOf(type)], wordsOf(objectOf(payload).url)]
  if (!usual || !url || url.length > MAX_URL) return undefined
  return { id: url, name: fileName(filename, usual), size: Number(size) || 0 }
}

/** Describes attachments that a chat cannot show. */
function inWords(attachments: readonly JsonObject[]): string {
  for (const attachment of attachments) {
    const { vcf_info, max_info } = objectOf(attachment.payload)
    const phone = /^TEL[^:]*:\s*([+\d() -]+)/im.exec(wordsOf(vcf_info))?.[1]?.trim()
    const person = objectOf(max_info)
    if (phone) return contactWords(phone, wordsOf(person.name) || nameOf(person.first_name, person.last_name))
    const place = placeWords(attachment)
    if (place) return place
  }
  return attachments.length > 0 ? UNSHOWN : ''
}

/** Uploads a file to MAX. @returns its reference for a message */
async function upload(
  config: MessengerUrls,
  token: string,
  { name, content }: Outgoing['files'][number],
): Promise<Answer> {
  const where = await call(config, token, '/uploads?type=file', {})
  const url = wordsOf(where.body.url)
  if (url === '') return where
  const body = new FormData()
  body.set('data', content, name)
  return ask(url, { body, bytes: content.size })
}

/** An unreferenced file is invisible, so an upload without a reply may be repeated. */
const uploadedOf = (...given: Parameters<typeof upload>): Promise<Answer | 'unheard'> =>
  upload(...given).catch(() => 'unheard' as const)

/** Sends one message; its file may still be in processing for a moment. */
async function say(config: MessengerUrls, token: string, to: string, text: string, file?: string): Promise<Answer> {
  const attachments = file ? [{ type: 'file', payload: { token: file } }] : []
  for (let tries = 1; ; tries++) {
    const answer = await call(config, token, `/messages?user_id=${to}`, { text: text || null, attachments })
    if (answer.body.code !== 'attachment.not.ready' || tries === READY_TRIES) return answer
    await sleep(READY_MS)
  }
}

const idOf = ({ body }: Answer): string => wordsOf(objectOf(objectOf(body.message).body).mid)

export const max: ChannelAdapter = {
  maxText: 4000,
  maxCaption: 4000,
  maxBytes: 50 * 1024 * 1024,
  // Requests: the upload address, the upload itself, and the message until the file is ready.
  isGenuine: ({ headers }, { secret }) => isSame(headers[SECRET_HEADER], secret),
  read(update) {
    if (update.update_type === 'message_removed') {
      const [idMessage, idFrom] = [wordsOf(update.message_id), numberOf(update.user_id)]
      return idMessage && idFrom ? [{ idEvent: removalOf(idMessage), kind: 'removal', idFrom, idMessage }] : []
    }
    const kind = UPDATES.indexOf(update.update_type as (typeof UPDATES)[number])
    const message = objectOf(update.message)
    const [sender, recipient, body] = [objectOf(message.sender), objectOf(message.recipient), objectOf(message.body)]
    const [idFrom, idMessage] = [numberOf(sender.user_id), wordsOf(body.mid)]
    // Groups and other bots are ignored.
    if (kind < 0 || !idFrom || !idMessage || recipient.chat_type !== 'dialog' || sender.is_bot === true) return []
    const attachments = listOf(body.attachments)
    const files = attachments.map(fileOf).filter((file) => file !== undefined)
    const text = wordsOf(body.text) || (files.length ? '' : inWords(attachments))
    if (text === '' && files.length === 0) return []
    const name = nameOf(sender.first_name, sender.last_name) || nameOf(sender.name)
    const isEdit = kind === 1
    // Events have no ids: a message occurs once, an edit is identified by its time.
    const idEvent = isEdit ? `${idMessage}:${numberOf(update.timestamp)}` : idMessage
    return [{ idEvent, kind: isEdit ? 'edit' : 'message', idFrom, idMessage, name, text, files }]
  },
  async send(config, { token }, { to, text, files }): Promise<Sent> {
    const ids: string[] = []
    const half = (isUnsure = false) => halfSent(ids, ids.length, files.length, isUnsure)
    try {
      // A message has one file; the text is with the first.
      for (const file of files.length ? files : [undefined]) {
        const uploaded = file && (await uploadedOf(config, token, file))
        // Nothing was sent yet.
        if (uploaded === 'unheard') return ids.length > 0 ? half() : { outcome: 'later' }
        const answer =
          uploaded && !uploaded.body.token
            ? uploaded
            : await say(config, token, to, ids.length === 0 ? text : '', wordsOf(uploaded?.body.token))
        if (!idOf(answer)) return ids.length > 0 ? half() : failed(answer)
        ids.push(idOf(answer))
      }
      return { outcome: 'sent', id: ids.join(' ') }
    } catch (error) {
      if (ids.length > 0) return half(!wasNeverOpened(error))
      return { outcome: wasNeverOpened(error) ? 'later' : 'unknown' }
    }
  },
  // Of several messages the text is in the first; attachments not listed stay.
  edit: (config, { token }, { ids: [id = ''] }, text) =>
    again(() => call(config, token, `/messages?message_id=${encodeURIComponent(id)}`, { text }, 'PUT')),
  async remove(config, { token }, { ids }) {
    let sent: Sent = { outcome: 'sent', id: '' }
    for (const id of ids)
      if (sent.outcome === 'sent')
        sent = await again(() =>
          call(config, token, `/messages?message_id=${encodeURIComponent(id)}`, undefined, 'DELETE'),
        )
    return sent
  },
  // A removal does not contain it.
  botOf: (_access, { message }) => numberOf(objectOf(objectOf(message).recipient).user_id),
  // Files are referenced by their addresses.
  fileUrl: (_config, _access, url) => Promise.resolve({ url }),
  async connect(config, { token }, { url, secret }) {
    try {
      const me = await call(config, token, '/me')
      if (me.status !== 200) throw wrongToken('MAX не узнал токен: скопируйте его ещё раз на платформе MAX для бизнеса')
      const set = await call(config, token, '/subscriptions', { url, secret, update_types: [...UPDATES] })
      if (set.body.success !== true)
        throw wrongToken(`MAX не принял адрес сервера: ${wordsOf(set.body.message).slice(0, 200)}`)
      const username = wordsOf(me.body.username)
      return username ? `@${username}` : nameOf(me.body.first_name, me.body.name)
    } catch (error) {
      throw unreachable(error, 'MAX')
    }
  },
}

/** Repeats a change; a missing message counts as done. */
async function again(change: () => Promise<Answer>): Promise<Sent> {
  try {
    const answer = await change()
    return answer.body.success === true || answer.status === 404 ? { outcome: 'sent', id: '' } : failed(answer)
  } catch (error) {
    return { outcome: wasNeverOpened(error) ? 'later' : 'unknown' }
  }
}

function failed({ status, body }: Answer): Sent {
  const code = wordsOf(body.code)
  if (status === 429 || status >= 500 || code === 'attachment.not.ready') return { outcome: 'later' }
  if (status === 403 || code === 'chat.denied') return { outcome: 'refused', reason: 'Посетитель заблокировал бота' }
  if (status === 401) return { outcome: 'refused', reason: 'Токен бота больше не действует' }
  return { outcome: 'refused', reason: `MAX отказал: ${wordsOf(body.message).slice(0, 200)}` }
}
