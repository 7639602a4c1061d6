/** Interface of a messenger channel for chats. Each adapter is one file. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#platform/config.ts'
import type { ChannelSecret } from './secrets.ts'
import type { JsonObject } from './wire.ts'

/** Addresses of the messengers' APIs. */
export type MessengerUrls = Pick<Config, 'telegramUrl' | 'vkUrl' | 'maxUrl' | 'whatsappUrl'>

/** An incoming event of a messenger. */
export interface Incoming {
  /** Id of the event: the same id is the same event. */
  idEvent: string
  kind: 'message' | 'edit'
  /** The sender, to whom replies go. */
  idFrom: string
  name: string
  /** As given by the messenger. */
  phone?: string
  /** Id of the message within the dialogue. */
  idMessage: string
  text: string
  files: IncomingFile[]
}

/** A message deleted by its author. */
export interface Removal {
  /** `removalOf` its message, so that a message that arrives later is recognized. */
  idEvent: string
  kind: 'removal'
  idFrom: string
  idMessage: string
}

/** The event id of a removal depends only on its message. */
export const removalOf = (idMessage: string): string => `${idMessage}:removed`

/**
 * The event id of a receipt depends on its message and outcome, so that one arriving before our own `Sent` is
 * recognized.
 */
export const receiptOf = (idMessage: string, fate: 'read' | 'failed'): string => `${idMessage}:${fate}`

/** Delivery receipt of a message of ours. */
export interface Receipt {
  idEvent: string
  kind: 'receipt'
  idFrom: string
  /** As returned by `send`. */
  idMessage: string
  /** Seen by the patient, or the reason of a failed delivery. */
  fate: 'read' | { failure: string }
}

/** `size` in bytes, 0 if unknown. */
export interface IncomingFile {
  id: string
  name: string
  size: number
}

/** A public post of the clinic in the messenger, for the news. */
export interface Post {
  idEvent: string
  kind: 'post'
  /** Id of the post in the messenger. */
  idPost: string
  text: string
  /** Time in seconds since 1970. */
  date: number
  url: string
  images: string[]
}

export type ChannelEvent = Incoming | Removal | Receipt | Post

export interface Outgoing {
  /** Key of the line, the same on every attempt. */
  key: number
  to: string
  text: string
  /** In the order of the line. */
  files: { name: string; content: Blob }[]
}

/** A line that was sent. */
export interface Standing {
  to: string
  /** As returned by `send`. */
  ids: readonly string[]
  /** Whether it has files. */
  withFiles: boolean
}

/**
 * - `sent`: the messenger has it, under `id` (of several messages, separated by spaces).
 * - `refused`: rejected for `reason`, shown and not retried. `id`: of the part that was sent anyway.
 * - `later`: not accepted now; may be retried, after the given number of seconds if any. `reason` is shown when it
 * lasts too long.
 * - `unknown`: no reply; the line may have arrived.
 */
export type Sent =
  | { outcome: 'sent'; id: string }
  | { outcome: 'refused'; reason: string; id?: string }
  | { outcome: 'later'; after?: number; reason?: string }
  | { outcome: 'unknown' }

/** For a messenger with one file per message: a retry of the rest would repeat the first part. */
export const halfSent = (ids: readonly string[], gone: number, all: number, isUnsure = false): Sent => ({
  outcome: 'refused',
  reason: isUnsure
    ? `${UNKNOWN} всё: точно дошло файлов ${gone} из ${all}. Спросите посетителя`
    : `Дошли не все файлы: ${gone} из ${all}. Отправьте остальные новым сообщением`,
  id: ids.join(' '),
})

/** Prefix of the failure of a line that may have been sent. */
export const UNKNOWN = 'Неизвестно, дошло ли'

export interface ChannelAdapter {
  /** Maximum number of characters of a message. */
  maxText: number
  /** Maximum number of characters of a message with files. */
  maxCaption: number
  /** Maximum number of bytes of all files of a message. */
  maxBytes: number
  /** Sending is idempotent: a line without a reply is sent again. */
  takesOnce?: true
  /** Whether the call carries the shared secret. */
  isGenuine(call: { headers: IncomingHttpHeaders; bytes: Buffer; update: JsonObject }, access: ChannelSecret): boolean
  /** The response to a messenger's address check by `hub.challenge`; undefined if the secret does not match. */
  challenge?(query: Record<string, unknown>, access: ChannelSecret): string | undefined
  /** The response body to an update, if the messenger reads it. */
  answer?(update: JsonObject, confirmation: string | null): string
  /** Parses an update into events for a chat or the news. */
  read(update: JsonObject, access: ChannelSecret): ChannelEvent[]
  send(config: MessengerUrls, access: ChannelSecret, message: Outgoing): Promise<Sent>
  /** Edits the text of a sent line; idempotent. Absent: not supported. */
  edit?(config: MessengerUrls, access: ChannelSecret, line: Standing, text: string): Promise<Sent>
  /** Deletes a sent line; idempotent. Absent: not supported. */
  remove?(config: MessengerUrls, access: ChannelSecret, line: Standing): Promise<Sent>
  /**
   * The bot of a token and its update: ids of messages and events are per bot. Empty if the update does not contain it.
   */
  botOf(access: ChannelSecret, update: JsonObject): string
  /** The name of a patient, if messages do not contain it; empty if unknown. */
  nameOf?(config: MessengerUrls, access: ChannelSecret, idFrom: string): Promise<string>
  /**
   * The download address of a file.
   * @throws HttpError 422 if the messenger refuses it; any other error: retry later
   */
  fileUrl(config: MessengerUrls, access: ChannelSecret, idFile: string): Promise<FileAddress>
  /**
   * Verifies the bot and sets its webhook address.
   * @returns its display name
   * @throws HttpError 422 at `token`
   */
  connect(config: MessengerUrls, access: ChannelSecret, webhook: Webhook): Promise<string>
}

export interface FileAddress {
  url: string
  /** Authorization header for that address only. */
  authorization?: string
}

export interface Webhook {
  url: string
  secret: string
  /** Stores the response that the messenger expects at that address for its check. */
  confirmWith(confirmation: string): Promise<void>
}
