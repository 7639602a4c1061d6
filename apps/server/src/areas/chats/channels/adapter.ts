/** What a messenger has to be able to do for chats to come and go by it. Each is one file that says how. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../../platform/config.ts'
import type { Told } from './wire.ts'

/** What has come from a messenger. */
export interface Incoming {
  /** Of the event: the same again is the same event. */
  idEvent: string
  kind: 'message' | 'edit'
  /** Who writes, and where the answer goes. */
  idFrom: string
  name: string
  /** Of the message within the dialogue. */
  idMessage: string
  text: string
  files: IncomingFile[]
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

export interface Outgoing {
  /** Of the line, the same whenever it is sent. */
  key: number
  to: string
  text: string
  /** In the order in which they were given. */
  files: { name: string; content: Blob }[]
}

/**
 * - `sent`: the messenger has it, under `id`.
 * - `refused`: it will not have it, for `reason`: to be told and not repeated.
 * - `later`: it has not taken it now, or it cannot be sent now; it may be sent again, after so many seconds where it
 *   says so. `reason` is told where that goes on for too long.
 * - `unknown`: nobody answered; the line may stand there all the same.
 */
export type Sent =
  | { outcome: 'sent'; id: string }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'later'; after?: number; reason?: string }
  | { outcome: 'unknown' }

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
  /** Whether the call shows the secret that we have told to the messenger alone. */
  isGenuine(headers: IncomingHttpHeaders, update: Told, secret: string): boolean
  /** What the messenger wants to read in answer to the update, where it looks at it. */
  answer?(update: Told, confirmation: string | null): string
  /** Undefined: nothing that belongs in a chat, nor in the news. */
  read(update: Told): Incoming | Post | undefined
  send(config: Config, token: string, message: Outgoing): Promise<Sent>
  /** Of which bot a token and its update are: the numbers of messages and events are that bot's own. */
  botOf(token: string, update: Told): string
  /** How a patient is called, where the messages do not tell; empty: nobody knows now. */
  nameOf?(config: Config, token: string, idFrom: string): Promise<string>
  /**
   * The address from which a file can be fetched.
   * @throws HttpError 422 where the messenger will not give it; any other error: not now
   */
  fileUrl(config: Config, token: string, idFile: string): Promise<string>
  /**
   * Asks who the bot is and tells where its messages go.
   * @returns its name for people
   * @throws HttpError 422 at `token`
   */
  connect(config: Config, token: string, webhook: Webhook): Promise<string>
}

export interface Webhook {
  url: string
  secret: string
  /** Keeps what the messenger will want to read at that address before it believes that it is ours. */
  confirmWith(confirmation: string): Promise<void>
}
