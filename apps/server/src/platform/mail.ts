/** Mail over SMTP. Reports whether a failed message may have been sent after all, so that none is sent twice. */
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { parseConnectionUrl } from 'nodemailer/lib/shared/index.js'
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'
import type { Exchanged } from './exchange.ts'
import type { Logger } from './log.ts'
import type { Outcome } from './outboxMessage.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
  attachments?: { filename: string; content: Buffer }[]
}

/**
 * - `sent`: the server has accepted it.
 * - `later`: a temporary failure; a retry may succeed.
 * - `never`: the server refuses this message permanently.
 * - `unknown`: the server stopped answering after it was given the message.
 */
export type MailOutcome = 'sent' | 'later' | 'never' | 'unknown'

export interface Mailer {
  /** Signs in and disconnects. @throws the server's error or a timeout */
  check(): Promise<void>
  send(letter: Letter): Promise<{ outcome: MailOutcome; error?: Error }>
}

export interface MailerOptions {
  url: string
  from: string
  /** Milliseconds without an answer from the server. */
  timeout?: number
  /** Credentials, when they are not part of the address. */
  credentials?: { user: string; pass: string } | undefined
  /** Resolves the server's host to the address to connect to; absent: by the system. @throws when it is forbidden */
  place?: (host: string) => Promise<string>
}

const TIMEOUT = 20_000

export function createMailer({ url, from, timeout = TIMEOUT, credentials, place }: MailerOptions): Mailer {
  const { auth = credentials, ...server } = parseConnectionUrl(url)
  const open = async () => {
    const { host = '' } = server
    // The certificate is checked against the name, whatever the address.
    const at = place ? { host: await place(host), tls: { servername: host } } : {}
    const patience = { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout }
    return new SMTPConnection({ ...server, ...at, ...patience })
  }
  const enter = async (connection: SMTPConnection) => {
    await step(connection, (done) => connection.connect(done))
    if (auth) await step(connection, (done) => connection.login(auth as SMTPConnection.Credentials, done))
  }
  return {
    async check() {
      const connection = await open()
      try {
        await enter(connection)
      } finally {
        connection.close()
      }
    },
    async send(letter) {
      const composed = new MailComposer({ from, ...letter }).compile()
      const [message, envelope] = [await composed.build(), composed.getEnvelope()]
      let connection: SMTPConnection | undefined
      try {
        connection = await open()
        await enter(connection)
      } catch (error) {
        connection?.close()
        // A wrong password is for the operator to correct; messages wait for that.
        return { outcome: 'later', error: error as Error }
      }
      try {
        await step(connection, (done) => connection.send(envelope as SMTPConnection.Envelope, message, done))
        return { outcome: 'sent' }
      } catch (error) {
        const { responseCode } = error as SMTPConnection.SMTPError
        const outcome = responseCode === undefined ? 'unknown' : responseCode < 500 ? 'later' : 'never'
        return { outcome, error: error as Error }
      } finally {
        connection.quit()
      }
    },
  }
}

/** Accepts every message and sends none. */
export const simulatedMail: Mailer = { check: async () => {}, send: async () => ({ outcome: 'sent' }) }

/** The same mailer, with every message redirected to one address. */
export const mailToOne = (mailer: Mailer, to: string): Mailer => ({
  ...mailer,
  send: (letter) => mailer.send({ ...letter, to }),
})

const fates = {
  sent: { status: 'done' },
  later: { status: 'network_error', error: 'Почта не приняла письмо сейчас' },
  never: { status: 'rejected', error: 'Почта отказала' },
  unknown: { status: 'network_error', error: 'Почта не ответила: письмо могло уйти' },
} as const satisfies Record<MailOutcome, Pick<Exchanged, 'status' | 'error'>>

/** Sends a message of the outbox. */
export async function mailed(log: Pick<Logger, 'warn'>, mailer: Mailer, letter: Letter): Promise<Outcome> {
  const { outcome, error } = await mailer.send(letter)
  if (outcome === 'sent') return { kind: 'done' }
  log.warn({ err: error, outcome }, 'mail: a message was not accepted')
  if (outcome === 'never') return { kind: 'refused', reasons: [{ message: fates.never.error }] }
  return { kind: outcome === 'later' ? 'failed' : 'unknown', error: fates[outcome].error }
}

/** A mail server cannot be queried: a letter that may have been sent is not sent again. */
export const maybeMailed: Outcome = { kind: 'refused', reasons: [{ message: fates.unknown.error }] }

/** Sends a message and records the result in the exchange journal. */
export async function sendLetter(
  { exchanged }: { exchanged(line: Exchanged): Promise<void> },
  mailer: Mailer,
  line: Pick<Exchanged, 'operation' | 'key' | 'about'>,
  letter: Letter,
): ReturnType<Mailer['send']> {
  const start = performance.now()
  const sent = await mailer.send(letter)
  await exchanged({ adapter: 'mail', ...line, durationMs: performance.now() - start, ...fates[sent.outcome] })
  return sent
}

/** Waits for the callback of a step, or for the connection to break meanwhile. */
function step(connection: SMTPConnection, run: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const broken = (error: Error) => reject(error)
    connection.once('error', broken)
    connection.once('end', () => reject(new Error('connection closed')))
    run((error) => {
      connection.off('error', broken)
      // A later error, which nothing awaits, must not end the process.
      connection.on('error', () => {})
      if (error) reject(error)
      else resolve()
    })
  })
}
