import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Fault } from './simulator.ts'

const LATE_MS = 500

/** A mail server whose behaviour is set by `answer`; it stores accepted messages. */
export interface MailSimulator {
  url: string
  letters: { to: string[]; text: string }[]
  /** The common fault of the next letters. */
  fault: Fault | undefined
  answer: 'accept' | 'refuse for now' | 'refuse for good' | 'silent' | 'hang up'
  close(): Promise<void>
}

export async function startMailSimulator(options: SMTPServerOptions = {}): Promise<MailSimulator> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(simulator.fault === 'refused' ? new Error('no') : undefined),
    onMailFrom: (_address, _session, done) =>
      // Its own 530: sign in first.
      done(simulator.fault === 'stranger' ? Object.assign(new Error('no'), { responseCode: 530 }) : undefined),
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const open = () => [...(server.connections as unknown as Set<{ _socket: Socket }>)].map((one) => one._socket)
        const { fault } = simulator
        if (simulator.answer === 'silent' || fault === 'silent') return
        if (fault === 'fails' || fault === 'busy') return done(Object.assign(new Error('no'), { responseCode: 451 }))
        if (simulator.answer === 'hang up') {
          // It has the message, and never confirms it.
          return open().forEach((one) => void one.destroy())
        }
        if (simulator.answer !== 'accept') {
          const responseCode = simulator.answer === 'refuse for now' ? 451 : 550
          return done(Object.assign(new Error('no'), { responseCode }))
        }
        const to = session.envelope.rcptTo.map((one) => one.address)
        const letter = { to, text: Buffer.concat(chunks).toString() }
        simulator.letters.push(letter)
        if (fault === 'twice') simulator.letters.push(letter)
        if (fault === 'lost') return open().forEach((one) => void one.destroy())
        if (fault === 'html' || fault === 'half' || fault === 'short')
          return open().forEach((one) => void one.write(fault === 'html' ? '<html>\r\n' : '2', () => one.destroy()))
        if (fault === 'late') return setTimeout(done, LATE_MS)
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const simulator: MailSimulator = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters: [],
    fault: undefined,
    answer: 'accept',
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return simulator
}
