/** ВКонтакте: the Callback API and the messages of a community (dev.vk.com/api/callback/getting-started). */
import type { ChannelAdapter, Incoming, IncomingFile, MessengerUrls, Outgoing, Post, Sent } from './adapter.ts'
import {
  ask,
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

const VERSION = '5.199'
/** Title of our address in the community's list. */
const TITLE = 'Ординатор'
/** Upper limit of a message's random id: 31 bits. */
const MOST_RANDOM = 2 ** 31 - 1
/** Temporary errors: unknown, too many calls, flood, VK internal (dev.vk.com/reference/errors). */
const PASSING = new Set([1, 6, 9, 10])

/** A refusal with the API's message. */
class Refused extends Error {
  readonly code: number
  constructor({ error_code, error_msg }: JsonObject) {
    super(wordsOf(error_msg).slice(0, 200))
    this.code = Number(error_code) || 1
  }
}

/** @throws Refused */
async function call(
  config: MessengerUrls,
  token: string,
  method: string,
  params: Record<string, string>,
): Promise<unknown> {
  const body = new URLSearchParams({ ...params, access_token: token, v: VERSION })
  const { status, body: json } = await ask(`${config.vkUrl}/method/${method}`, { body })
  if (json.error !== undefined) throw new Refused(objectOf(json.error))
  // A gateway before the service refuses in its own words: error codes of https://dev.vk.com/ru/reference/errors.
  if (status === 401) throw new Refused({ error_code: 5 })
  if (status === 429) throw new Refused({ error_code: 6 })
  if (json.response === undefined) throw new Error(`ВКонтакте ответил ${status}`)
  return json.response
}

/** A community secret has only letters and digits, at most 50. */
const secretKey = (secret: string): string => secret.replace(/[^0-9A-Za-z]/g, '').slice(0, 50)

/** The largest size of a picture. */
const largest = (photo: JsonObject): string =>
  wordsOf(
    listOf(photo.sizes)
      .sort((a, b) => Number(a.width) * Number(a.height) - Number(b.width) * Number(b.height))
      .at(-1)?.url,
  )

function fileOf(attachment: JsonObject): IncomingFile | undefined {
  const kind = wordsOf(attachment.type)
  const one = objectOf(attachment[kind])
  const readers: Record<string, () => [url: string, name: string]> = {
    photo: () => [largest(one), 'Фото.jpg'],
    doc: () => [wordsOf(one.url), fileName(one.title, 'Файл')],
    audio_message: () => [wordsOf(one.link_ogg), 'Голос.ogg'],
  }
  const [url, name = ''] = readers[kind]?.() ?? []
  return url ? { id: url, name, size: Number(one.size) || 0 } : undefined
}

function messageOf(
  message: JsonObject,
): Pick<Incoming, 'idFrom' | 'idMessage' | 'name' | 'text' | 'files'> | undefined {
  const idFrom = numberOf(message.from_id)
  const idMessage = numberOf(message.id)
  // Group chats, communities and our own messages are ignored.
  if (!idMessage || Number(idFrom) <= 0 || message.peer_id !== message.from_id || message.out === 1) return undefined
  const attachments = listOf(message.attachments)
  const files = attachments.map(fileOf).filter((file) => file !== undefined)
  const { coordinates, place } = objectOf(message.geo)
  const text =
    wordsOf(message.text) ||
    (files.length
      ? ''
      : placeWords(objectOf(coordinates), wordsOf(objectOf(place).title)) || (attachments.length ? UNSHOWN : ''))
  return text || files.length ? { idFrom, idMessage, name: '', text, files } : undefined
}

function postOf(post: JsonObject, idEvent: string): Post | undefined {
  const [owner, id] = [numberOf(post.owner_id), numberOf(post.id)]
  // Only posts of the community itself, no suggestions or reposts.
  if (!id || Number(owner) >= 0 || post.post_type !== 'post') return undefined
  const images = listOf(post.attachments)
    .filter(({ type }) => type === 'photo')
    .map(({ photo }) => largest(objectOf(photo)))
    .filter(Boolean)
  const [idPost, url] = [`${owner}_${id}`, `https://vk.com/wall${owner}_${id}`]
  return { kind: 'post', idEvent, idPost, text: wordsOf(post.text), date: Number(post.date) || 0, url, images }
}

/** Uploads a file to VK. @returns its reference for a message */
async function attach(config: MessengerUrls, token: string, to: string, { name, content }: Outgoing['files'][number]) {
  const where = objectOf(await call(config, token, 'docs.getMessagesUploadServer', { type: 'doc', peer_id: to }))
  const body = new FormData()
  body.set('file', content, name)
  const { body: json } = await ask(wordsOf(where.upload_url), { body, bytes: content.size })
  if (wordsOf(json.file) === '') throw new Refused({ error_code: -1, error_msg: `файл «${name}» не принят` })
  const saved = objectOf(await call(config, token, 'docs.save', { file: wordsOf(json.file), title: name }))
  const doc = objectOf(saved.doc)
  return `doc${numberOf(doc.owner_id)}_${numberOf(doc.id)}`
}

export const vk: ChannelAdapter = {
  maxText: 4096,
  maxCaption: 4096,
  maxBytes: 50 * 1024 * 1024,
  // Requests: the upload address, the upload itself, and saving it.
  // By `random_id`.
  takesOnce: true,
  isGenuine: ({ update }, { secret }) =>
    update.type === 'confirmation' || isSame(wordsOf(update.secret), secretKey(secret)),
  answer: ({ type }, confirmation) => (type === 'confirmation' ? (confirmation ?? '') : 'ok'),
  read(update) {
    const idEvent = wordsOf(update.event_id)
    const about = objectOf(update.object)
    if (!idEvent) return []
    if (update.type === 'wall_post_new') return [postOf(about, idEvent)].filter((post) => post !== undefined)
    const isEdit = update.type === 'message_edit'
    if (!isEdit && update.type !== 'message_new') return []
    const message = messageOf(isEdit ? about : objectOf(about.message))
    return message ? [{ ...message, idEvent, kind: isEdit ? 'edit' : 'message' }] : []
  },
  async send(config, { token }, { key, to, text, files }): Promise<Sent> {
    try {
      const attachments: string[] = []
      for (const file of files) attachments.push(await attach(config, token, to, file))
      const id = await call(config, token, 'messages.send', {
        peer_id: to,
        random_id: String((key % MOST_RANDOM) + 1),
        message: text,
        dont_parse_links: '0',
        ...(attachments.length > 0 && { attachment: attachments.join(',') }),
      })
      return { outcome: 'sent', id: numberOf(id) }
    } catch (error) {
      return fateOf(error)
    }
  },
  edit: (config, { token }, { to, ids: [id = ''], withFiles }, message) =>
    withFiles
      ? Promise.resolve({
          outcome: 'refused',
          reason: 'Текст при файлах ВКонтакте изменить не даёт: удалите сообщение',
        })
      : again(config, token, 'messages.edit', { peer_id: to, message_id: id, message }),
  remove: (config, { token }, { to, ids }) =>
    again(config, token, 'messages.delete', { peer_id: to, message_ids: ids.join(','), delete_for_all: '1' }),
  botOf: (_access, { group_id }) => numberOf(group_id),
  async nameOf(config, { token }, idFrom) {
    const [person] = listOf(await call(config, token, 'users.get', { user_ids: idFrom }))
    return nameOf(person?.first_name, person?.last_name)
  },
  // Files are referenced by their addresses.
  fileUrl: (_config, _access, url) => Promise.resolve({ url }),
  async connect(config, { token }, { url, secret, confirmWith }) {
    try {
      const answer = await call(config, token, 'groups.getById', {})
      const [group] = listOf(Array.isArray(answer) ? answer : objectOf(answer).groups)
      const group_id = numberOf(group?.id)
      if (!group_id) throw wrongToken('Это не ключ сообщества. Создайте его в управлении сообществом: «Работа с API»')
      const { code } = objectOf(await call(config, token, 'groups.getCallbackConfirmationCode', { group_id }))
      await confirmWith(wordsOf(code))
      const servers = objectOf(await call(config, token, 'groups.getCallbackServers', { group_id }))
      const known = listOf(servers.items).find((server) => server.url === url)
      const ours = { group_id, url, title: TITLE, secret_key: secretKey(secret) }
      const server_id = known
        ? numberOf(known.id)
        : numberOf(objectOf(await call(config, token, 'groups.addCallbackServer', ours)).server_id)
      if (known) await call(config, token, 'groups.editCallbackServer', { ...ours, server_id })
      await call(config, token, 'groups.setCallbackSettings', {
        group_id,
        server_id,
        api_version: VERSION,
        ...Object.fromEntries(['message_new', 'message_edit', 'wall_post_new'].map((event) => [event, '1'])),
      })
      return `vk.com/${wordsOf(group?.screen_name) || `club${group_id}`}`.slice(0, 128)
    } catch (error) {
      throw error instanceof Refused ? wrongToken(refusal(error)) : unreachable(error, 'ВКонтакте')
    }
  },
}

/** Repeats a change with the same result. */
const again = (config: MessengerUrls, token: string, method: string, params: Record<string, string>): Promise<Sent> =>
  call(config, token, method, params).then(() => ({ outcome: 'sent', id: '' }) as const, fateOf)

function fateOf(error: unknown): Sent {
  if (!(error instanceof Refused)) return { outcome: wasNeverOpened(error) ? 'later' : 'unknown' }
  if (PASSING.has(error.code)) return { outcome: 'later' }
  return { outcome: 'refused', reason: refusal(error) }
}

function refusal({ code, message }: Refused): string {
  if (code === 900) return 'Посетитель заблокировал сообщения сообщества'
  if (code === 901 || code === 902) return 'Посетитель не разрешил сообществу писать ему'
  if (code === 5 || code === 27) return 'ВКонтакте не узнал ключ сообщества: создайте новый'
  if (code === 909 || code === 924) return 'Прошло слишком много времени: ВКонтакте больше не даёт изменить сообщение'
  if (code === 15) return 'Ключу сообщества не хватает прав: нужны управление, сообщения и файлы'
  return `ВКонтакте отказал: ${message}`
}
