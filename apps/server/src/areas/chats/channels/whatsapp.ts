/** WhatsApp: the Cloud API (developers.facebook.com/documentation/business-messaging/whatsapp). */
import { createHmac } from 'node:crypto'
import { phoneOf } from '@ordinator/model/phone'
import { HttpError, ValidationError } from '#platform/errors.ts'
import {
  type ChannelAdapter,
  type ChannelEvent,
  halfSent,
  type Incoming,
  type IncomingFile,
  type MessengerUrls,
  type Outgoing,
  type Receipt,
  receiptOf as receiptEventOf,
  removalOf,
  type Sent,
} from './adapter.ts'
import type { ChannelSecret } from './secrets.ts'
import {
  ask,
  contactWords,
  fileName,
  isSame,
  type JsonObject,
  listOf,
  nameOf,
  objectOf,
  placeWords,
  UNSHOWN,
  unreachable,
  wasNeverOpened,
  wordsOf,
  wrongToken,
} from './wire.ts'

const SIGNATURE = 'x-hub-signature-256'
const MEGABYTE = 1024 * 1024
/** Temporary errors: of the service, of rate limits (…/support/error-codes). */
const PASSING = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131056, 133004])

const call = (config: MessengerUrls, token: string, path: string, body?: JsonObject | FormData, bytes = 0) =>
  ask(`${config.whatsappUrl}/${path}`, {
    ...(body && { body }),
    bytes,
    headers: { authorization: `Bearer ${token}` },
  })
type Answer = Awaited<ReturnType<typeof call>>

const errorOf = ({ body }: Answer): { code: number; message: string } => {
  const { code, message, error_data } = objectOf(body.error)
  return { code: Number(code) || 0, message: wordsOf(objectOf(error_data).details) || wordsOf(message) }
}

/** Default names of a patient's files by the type of the message. */
const USUAL: Readonly<Record<string, string>> = {
  image: 'Фото.jpg',
  document: 'Файл',
  audio: 'Голос.ogg',
  video: 'Видео.mp4',
  sticker: 'Стикер.webp',
}

function fileOf(type: string, part: JsonObject): IncomingFile | undefined {
  const [usual, id] = [USUAL[type], wordsOf(part.id)]
  return usual && id ? { id, name: fileName(part.filename, usual), size: Number(part.file_size) || 0 } : undefined
}

/** Text and files of a message of any type. */
function contentOf(message: JsonObject): Pick<Incoming, 'text' | 'files'> {
  const type = wordsOf(message.type)
  const part = objectOf(message[type])
  const file = fileOf(type, part)
  const [contact] = listOf(message.contacts)
  const [phone] = listOf(contact?.phones)
  const text =
    wordsOf(part.body) ||
    wordsOf(part.caption) ||
    wordsOf(part.text) ||
    wordsOf(objectOf(part.button_reply).title) ||
    wordsOf(objectOf(part.list_reply).title) ||
    (phone ? contactWords(wordsOf(phone.phone), wordsOf(objectOf(contact?.name).formatted_name)) : '') ||
    placeWords(part, wordsOf(part.name), wordsOf(part.address)) ||
    (file || QUIET.has(type) ? '' : UNSHOWN)
  return { text, files: file ? [file] : [] }
}
/** Message types that need no reply: a reaction, a changed number. */
const QUIET = new Set(['reaction', 'system'])

function eventOf(message: JsonObject, contacts: readonly JsonObject[]): ChannelEvent | undefined {
  const [idFrom, id] = [wordsOf(message.from), wordsOf(message.id)]
  if (!/^\d{5,20}$/.test(idFrom) || !id) return undefined
  if (message.type === 'revoke') {
    const idMessage = wordsOf(objectOf(message.revoke).original_message_id)
    return idMessage ? { idEvent: removalOf(idMessage), kind: 'removal', idFrom, idMessage } : undefined
  }
  const edit = objectOf(message.edit)
  const isEdit = message.type === 'edit'
  const { text, files } = contentOf(isEdit ? objectOf(edit.message) : message)
  const idMessage = isEdit ? wordsOf(edit.original_message_id) : id
  if (!idMessage || (text === '' && files.length === 0)) return undefined
  const person = contacts.find(({ wa_id }) => wa_id === idFrom)
  const name = nameOf(objectOf(person?.profile).name)
  const phone = phoneOf(`+${idFrom}`)
  return {
    idEvent: id,
    kind: isEdit ? 'edit' : 'message',
    idFrom,
    idMessage,
    name,
    text,
    files,
    ...(phone && { phone }),
  }
}

function receiptOf(status: JsonObject): Receipt | undefined {
  const [idFrom, idMessage, state] = [wordsOf(status.recipient_id), wordsOf(status.id), wordsOf(status.status)]
  const [error] = listOf(status.errors)
  const fate =
    state === 'read' ? 'read' : state === 'failed' ? { failure: refusal(errorOf({ status: 0, body: { error } })) } : ''
  return idFrom && idMessage && fate
    ? {
        idEvent: receiptEventOf(idMessage, fate === 'read' ? fate : 'failed'),
        kind: 'receipt',
        idFrom,
        idMessage,
        fate,
      }
    : undefined
}

const valuesOf = (update: JsonObject): JsonObject[] =>
  listOf(update.entry)
    .flatMap(({ changes }) => listOf(changes))
    .filter(({ field }) => field === 'messages')
    .map(({ value }) => objectOf(value))

/** The message type for a file, and its MIME type for WhatsApp. */
function kindOf(name: string, size: number): [kind: 'image' | 'audio' | 'document', type: string] {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const type = TYPES[extension] ?? 'application/octet-stream'
  if (/^image\/(jpeg|png)$/.test(type) && size <= 5 * MEGABYTE) return ['image', type]
  return [type === 'audio/ogg' ? 'audio' : 'document', type]
}
const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ogg: 'audio/ogg',
}

/** Uploads a file to WhatsApp. @returns its reference for a message */
async function upload(
  config: MessengerUrls,
  { token, sender }: ChannelSecret,
  { name, content }: Outgoing['files'][number],
) {
  const body = new FormData()
  const [, type] = kindOf(name, content.size)
  body.set('messaging_product', 'whatsapp')
  body.set('type', type)
  body.set('file', new Blob([content], { type }), name)
  return call(config, token, `${sender}/media`, body, content.size)
}

const say = (
  config: MessengerUrls,
  { token, sender }: ChannelSecret,
  to: string,
  message: JsonObject,
): Promise<Answer> =>
  call(config, token, `${sender}/messages`, {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    ...message,
  })

const idOf = ({ body }: Answer): string => wordsOf(listOf(body.messages)[0]?.id)

export const whatsapp: ChannelAdapter = {
  maxText: 4096,
  maxCaption: 1024,
  maxBytes: 50 * MEGABYTE,
  // Requests: the upload.
  isGenuine({ headers, bytes }, { appSecret }) {
    const ours = `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`
    return appSecret !== '' && isSame(headers[SIGNATURE], ours)
  },
  challenge: (query, { secret }) =>
    query['hub.mode'] === 'subscribe' && isSame(query['hub.verify_token'], secret)
      ? wordsOf(query['hub.challenge'])
      : undefined,
  read: (update, { sender }) =>
    valuesOf(update)
      .filter(({ metadata }) => objectOf(metadata).phone_number_id === sender)
      .flatMap(({ messages, statuses, contacts }) => [
        ...listOf(messages).map((message) => eventOf(message, listOf(contacts))),
        ...listOf(statuses).map(receiptOf),
      ])
      .filter((event) => event !== undefined),
  async send(config, access, { to, text, files }): Promise<Sent> {
    const ids: string[] = []
    const half = (isUnsure = false) => halfSent(ids, Math.min(ids.length, files.length), files.length, isUnsure)
    try {
      // A message has one file; the text is with the first.
      for (const file of files.length ? files : [undefined]) {
        // An unreferenced file is invisible, so an upload without a reply may be repeated.
        const uploaded = file && (await upload(config, access, file).catch(() => 'unheard' as const))
        if (uploaded === 'unheard') return ids.length > 0 ? half() : { outcome: 'later' }
        const answer =
          uploaded && !uploaded.body.id
            ? uploaded
            : await say(config, access, to, messageOf(file, uploaded, ids.length === 0 ? text : ''))
        if (!idOf(answer)) return ids.length > 0 ? half() : failed(answer)
        ids.push(idOf(answer))
        if (file && ids.length === 1 && text && kindOf(file.name, file.content.size)[0] === 'audio') {
          // A voice message has no text: the text follows it.
          const words = await say(config, access, to, { type: 'text', text: { body: text } })
          if (!idOf(words)) return half()
          ids.push(idOf(words))
        }
      }
      return { outcome: 'sent', id: ids.join(' ') }
    } catch (error) {
      if (ids.length > 0) return half(!wasNeverOpened(error))
      return { outcome: wasNeverOpened(error) ? 'later' : 'unknown' }
    }
  },
  botOf: ({ sender }) => sender,
  async fileUrl(config, { token }, idFile) {
    const answer = await call(config, token, encodeURIComponent(idFile))
    const url = wordsOf(answer.body.url)
    if (answer.status >= 500 || PASSING.has(errorOf(answer).code)) throw new Error(`whatsapp: media ${answer.status}`)
    if (!url) throw new HttpError(422, refusal(errorOf(answer)))
    return { url, authorization: `Bearer ${token}` }
  },
  async connect(config, { token, sender, appSecret }, { url, secret }) {
    if (!sender) throw wrong('sender', 'Впишите номер отправителя (Phone number ID)')
    if (!appSecret) throw wrong('appSecret', 'Впишите секрет приложения: без него события не проверить')
    try {
      const me = await call(config, token, `${sender}?fields=display_phone_number,verified_name`)
      if (me.status === 401 || errorOf(me).code === 190)
        throw wrongToken('WhatsApp не узнал токен: создайте новый у системного пользователя')
      const number = wordsOf(me.body.display_phone_number)
      if (!number) throw wrong('sender', 'Такого номера отправителя у этого токена нет')
      const set = await call(config, token, sender, {
        webhook_configuration: { override_callback_uri: url, verify_token: secret },
      })
      if (set.body.success !== true)
        throw wrongToken(`WhatsApp не принял адрес сервера: ${errorOf(set).message.slice(0, 200)}`)
      return [number, wordsOf(me.body.verified_name)].filter(Boolean).join(' · ').slice(0, 128)
    } catch (error) {
      throw unreachable(error, 'WhatsApp')
    }
  },
}

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

function messageOf(
  file: Outgoing['files'][number] | undefined,
  uploaded: Answer | undefined,
  text: string,
): JsonObject {
  if (!file) return { type: 'text', text: { body: text } }
  const [kind] = kindOf(file.name, file.content.size)
  const caption = kind !== 'audio' && text ? { caption: text } : {}
  const named = kind === 'document' ? { filename: file.name } : {}
  return { type: kind, [kind]: { id: wordsOf(uploaded?.body.id), ...caption, ...named } }
}

function failed(answer: Answer): Sent {
  const error = errorOf(answer)
  if (answer.status === 429 || answer.status >= 500 || PASSING.has(error.code)) return { outcome: 'later' }
  return { outcome: 'refused', reason: refusal(error) }
}

function refusal({ code, message }: { code: number; message: string }): string {
  if (code === 131047)
    return 'Прошло больше 24 часов с последнего сообщения посетителя: WhatsApp даст ответить, когда он напишет снова'
  if (code === 131026) return 'WhatsApp не смог доставить: у посетителя нет WhatsApp или он не принял его условия'
  if (code === 131050) return 'Посетитель запретил писать ему'
  if (code === 190 || code === 10 || code === 200) return 'Токен WhatsApp больше не действует или ему не хватает прав'
  return `WhatsApp отказал: ${message.slice(0, 200)}`
}
