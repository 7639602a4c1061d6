/** What a messenger has to be able to do for chats to come and go by it. Each is one file that says how. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#platform/config.ts'
import type { ChannelSecret } from './secrets.ts'
import type { Told } from './wire.ts'

/** What has come from a messenger. */
export interface Incoming {
  /** Of the event: the same again is the same event. */
  idEvent: string
  kind: 'message' | 'edit'
  /** Who writes, and where the answer goes. */
  idFrom: string
  name: string
  /** As the messenger knows it. */
  phone?: string
  /** Of the message within the dialogue. */
  idMessage: string
  text: string
  files: IncomingFile[]
}

/** A message that its author has taken back. */
export interface Removal {
  /** `removalOf` its message: so it is known by a message that comes after it. */
  idEvent: string
  kind: 'removal'
  idFrom: string
  idMessage: string
}

/** The event of a removal is told by its message alone. */
export const removalOf = (idMessage: string): string => `${idMessage}:removed`

/** The event of a receipt is told by its message and its fate: so it is known where it comes before our own `Sent`. */
export const receiptOf = (idMessage: string, fate: 'read' | 'failed'): string => `${idMessage}:${fate}`

/** What has become of a message of ours after it was taken. */
export interface Receipt {
  idEvent: string
  kind: 'receipt'
  idFrom: string
  /** As `send` has told it. */
  idMessage: string
  /** Seen by the patient, or why it did not come in the end. */
  fate: 'read' | { failure: string }
}

/** `size` in bytes, 0 where it is not told. */
export interface IncomingFile {
  id: string
  name: string
  size: number
}

/** What the clinic has said to all in the messenger, for the news. */
export interface Post {
  idEvent: string
  kind: 'post'
  /** Of the post, among all of the messenger's. */
  idPost: string
  text: string
  /** When, in seconds since 1970. */
  date: number
  url: string
  images: string[]
}

export type ChannelEvent = Incoming | Removal | Receipt | Post

export interface Outgoing {
  /** Of the line, the same whenever it is sent. */
  key: number
  to: string
  text: string
  /** In the order in which they were given. */
  files: { name: string; content: Blob }[]
}

/** A line that was sent. */
export interface Standing {
  to: string
  /** What `send` has told. */
  ids: readonly string[]
  /** Whether it carries files. */
  withFiles: boolean
}

/**
 * - `sent`: the messenger has it, under `id` (of several messages with spaces between).
 * - `refused`: it will not have it, for `reason`: to be told and not repeated. `id`: of what of it has gone all the same.
 * - `later`: it has not taken it now, or it cannot be sent now; it may be sent again, after so many seconds where it
 *   says so. `reason` is told where that goes on for too long.
 * - `unknown`: nobody answered; the line may stand there all the same.
 */
export type Sent =
  | { outcome: 'sent'; id: string }
  | { outcome: 'refused'; reason: string; id?: string }
  | { outcome: 'later'; after?: number; reason?: string }
  | { outcome: 'unknown' }

/** Of a messenger that takes one file a message: sending the rest again would say the first twice. */
export const halfSent = (ids: readonly string[], gone: number, all: number, isUnsure = false): Sent => ({
  outcome: 'refused',
  reason: isUnsure
    ? `${UNKNOWN} всё: точно дошло файлов ${gone} из ${all}. Спросите посетителя`
    : `Дошли не все файлы: ${gone} из ${all}. Отправьте остальные новым сообщением`,
  id: ids.join(' '),
})

/** How the failure of a line begins that may have gone out all the same. */
export const UNKNOWN = 'Неизвестно, дошло ли'

export interface ChannelAdapter {
  /** Letters of one message. */
  maxText: number
  /** Letters of a message that carries files. */
  maxCaption: number
  /** Bytes of all files of a message. */
  maxBytes: number
  /** Questions that one file takes besides the message's own; absent: none. */
  asksPerFile?: number
  /** It takes a line once, however often it is sent: what nobody has answered is sent again. */
  takesOnce?: true
  /** Whether the call shows the secret that the messenger and we alone know. */
  isGenuine(call: { headers: IncomingHttpHeaders; bytes: Buffer; update: Told }, access: ChannelSecret): boolean
  /** What a messenger that looks at the address by `hub.challenge` wants to read; undefined: it does not know our secret. */
  challenge?(query: Record<string, unknown>, access: ChannelSecret): string | undefined
  /** What the messenger wants to read in answer to the update, where it looks at it. */
  answer?(update: Told, confirmation: string | null): string
  /** What belongs in a chat or in the news. */
  read(update: Told, access: ChannelSecret): ChannelEvent[]
  send(config: Config, access: ChannelSecret, message: Outgoing): Promise<Sent>
  /** Changes the words of a line that was sent; doing it again does the same. Absent: it cannot be done. */
  edit?(config: Config, access: ChannelSecret, line: Standing, text: string): Promise<Sent>
  /** Takes a line back that was sent; doing it again does the same. Absent: it cannot be done. */
  remove?(config: Config, access: ChannelSecret, line: Standing): Promise<Sent>
  /**
   * Of which bot a token and its update are: the numbers of messages and events are that bot's own. Empty: the update does
   * not say it.
   */
  botOf(access: ChannelSecret, update: Told): string
  /** How a patient is called, where the messages do not tell; empty: nobody knows now. */
  nameOf?(config: Config, access: ChannelSecret, idFrom: string): Promise<string>
  /**
   * The address from which a file can be fetched.
   * @throws HttpError 422 where the messenger will not give it; any other error: not now
   */
  fileUrl(config: Config, access: ChannelSecret, idFile: string): Promise<FileAddress>
  /**
   * Asks who the bot is and tells where its messages go.
   * @returns its name for people
   * @throws HttpError 422 at `token`
   */
  connect(config: Config, access: ChannelSecret, webhook: Webhook): Promise<string>
}

export interface FileAddress {
  url: string
  /** What shows at that address, and at no other, who asks. */
  authorization?: string
}

export interface Webhook {
  url: string
  secret: string
  /** Keeps what the messenger will want to read at that address before it believes that it is ours. */
  confirmWith(confirmation: string): Promise<void>
}
