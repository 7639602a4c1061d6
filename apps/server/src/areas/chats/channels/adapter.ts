/** What a messenger has to be able to do for chats to come and go by it. Each is one file that says how. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../../platform/config.ts'

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
  file?: { id: string; name: string; size: number }
}

export interface Outgoing {
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

const SILENT_S = 15
const BYTES_IN_S = 128 * 1024
/** Seconds within which a messenger answers to so many bytes, or does not answer at all. */
export const answerSeconds = (bytes: number): number => SILENT_S + Math.ceil(bytes / BYTES_IN_S)

export interface ChannelAdapter {
  /** Letters of one message. */
  maxText: number
  /** Letters of a message that carries files. */
  maxCaption: number
  /** Bytes of all files of a message. */
  maxBytes: number
  /** Whether the call shows the secret that we have told to the messenger alone. */
  isGenuine(headers: IncomingHttpHeaders, secret: string): boolean
  /** Undefined: nothing that belongs in a chat. */
  read(update: Record<string, unknown>): Incoming | undefined
  send(config: Config, token: string, message: Outgoing): Promise<Sent>
  /** Of which bot a token is: the numbers of messages and events are that bot's own. */
  botOf(token: string): string
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
  connect(config: Config, token: string, webhook: { url: string; secret: string }): Promise<string>
}
