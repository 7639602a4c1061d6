/**
 * Simulator of the API of ВКонтакте for one community, on loopback: accepts messages of the community, verifies the webhook,
 * and fails on request. Documents are uploaded to it too.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/** Behaviour for the next messages. `silent` accepts them without answering. */
const moods = ['takes', 'blocked', 'forbidden', 'broken', 'busy', 'silent', 'late'] as const
export type VkMood = (typeof moods)[number]

export interface VkSimulator extends Simulator<VkMood> {
  /** Messages of the community, each `random_id` once. */
  outgoing: { to: string; text: string; attachments: string; key: string }[]
  /** Edits and deletions by the community. */
  changed: { ids: string; text: string | null; forAll: boolean }[]
  /** Registered webhooks. */
  servers: { id: number; url: string; title: string; secret: string }[]
  settings: Record<string, string>
  /** Names of uploaded files. */
  uploaded: string[]
  people: Map<string, { first_name: string; last_name: string }>
  /** Files sent by patients, by path. */
  files: Map<string, Buffer>
}

/** The only valid key, and its community. */
export const VK_TOKEN = 'vk1.a.Kj5mXb7Qw'
export const VK_GROUP = 123_456
export const VK_CONFIRMATION = 'a1b2c3d4'

export async function startVkSimulator(): Promise<VkSimulator> {
  const server = await simulator({
    page: { title: 'ВКонтакте', moods, lines: () => bot.outgoing.map((one) => JSON.stringify(one)) },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, text: string): unknown {
    const say = (body: object) => reply.writeHead(200).end(JSON.stringify(body))
    const refuse = (error_code: number, error_msg: string) => say({ error: { error_code, error_msg } })
    if (request.method === 'GET') return reply.writeHead(200).end(bot.files.get(request.url ?? '') ?? 'MZ')
    if (request.url === '/upload') {
      const [, name = ''] = /filename="([^"]*)"/.exec(text) ?? []
      bot.uploaded.push(name)
      return say(name.endsWith('.exe') ? { error: 'bad_file' } : { file: `uploaded|${name}` })
    }
    const method = request.url?.replace('/method/', '')
    const asked = Object.fromEntries(new URLSearchParams(text))
    if (asked.access_token !== VK_TOKEN) return refuse(5, 'User authorization failed: invalid access_token')
    switch (method) {
      case 'groups.getById':
        return say({ response: { groups: [{ id: VK_GROUP, name: 'Клиника', screen_name: 'clinic' }] } })
      case 'groups.getCallbackConfirmationCode':
        return say({ response: { code: VK_CONFIRMATION } })
      case 'groups.getCallbackServers':
        return say({ response: { count: bot.servers.length, items: bot.servers } })
      case 'groups.addCallbackServer': {
        const { url = '', title = '', secret_key: secret = '' } = asked
        const id = bot.servers.length + 1
        bot.servers.push({ id, url, title, secret })
        return say({ response: { server_id: id } })
      }
      case 'groups.editCallbackServer': {
        const known = bot.servers.find(({ id }) => String(id) === asked.server_id)
        Object.assign(known ?? {}, { secret: asked.secret_key })
        return say({ response: 1 })
      }
      case 'groups.setCallbackSettings':
        bot.settings = asked as Record<string, string>
        return say({ response: 1 })
      case 'users.get': {
        const known = bot.people.get(String(asked.user_ids))
        return say({ response: known ? [{ id: Number(asked.user_ids), ...known }] : [] })
      }
      case 'docs.getMessagesUploadServer':
        return say({ response: { upload_url: `${bot.url}/upload` } })
      case 'docs.save':
        return say({ response: { type: 'doc', doc: { id: bot.uploaded.length, owner_id: -VK_GROUP } } })
      case 'messages.send': {
        if (bot.mood === 'blocked') return refuse(900, "Can't send messages for users from blacklist")
        if (bot.mood === 'forbidden') return refuse(901, "Can't send messages for users without permission")
        if (bot.mood === 'broken') return refuse(10, 'Internal server error')
        if (bot.mood === 'busy') return refuse(6, 'Too many requests per second')
        const { peer_id: to = '', message = '', attachment: attachments = '', random_id: key = '' } = asked
        let at = bot.outgoing.findIndex((message) => message.key === key)
        if (at < 0) at = bot.outgoing.push({ to, text: message, attachments, key }) - 1
        if (bot.mood === 'silent') return request.socket.destroy()
        return say({ response: 10_000 + at })
      }
      case 'messages.edit':
      case 'messages.delete': {
        if (bot.mood === 'broken') return refuse(10, 'Internal server error')
        if (bot.mood === 'late') return refuse(909, "Can't edit this message, because it's too old")
        bot.changed.push({
          ids: String(asked.message_ids ?? asked.message_id),
          text: method === 'messages.edit' ? String(asked.message) : null,
          forAll: asked.delete_for_all === '1',
        })
        return say({ response: 1 })
      }
      default:
        return refuse(3, 'Unknown method passed')
    }
  }
  const bot: VkSimulator = Object.assign(server, {
    outgoing: [],
    changed: [],
    servers: [],
    settings: {},
    uploaded: [],
    people: new Map(),
    files: new Map(),
  } satisfies Partial<VkSimulator>)
  return bot
}
