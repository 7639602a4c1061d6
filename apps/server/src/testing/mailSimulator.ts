import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail server whose behaviour is set by `answer`; it stores accepted messages. */
export interface MailSimulator {
  url: string
  letters: { to: string[]; text: string }[]
  answer: 'accept' | 'refuse for now' | 'refuse for good' | 'silent' | 'hang up'
  close(): Promise<void>
}

export async function startMailSimulator(options: SMTPServerOptions = {}): Promise<MailSimulator> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (simulator.answer === 'silent') return
        if (simulator.answer === 'hang up') {
          // It has the message, and never confirms it.
          const open = server.connections as unknown as Set<{ _socket: Socket }>
          return open.forEach((one) => void one._socket.destroy())
        }
        if (simulator.answer !== 'accept') {
          const responseCode = simulator.answer === 'refuse for now' ? 451 : 550
          return done(Object.assign(new Error('no'), { responseCode }))
        }
        const to = session.envelope.rcptTo.map((one) => one.address)
        simulator.letters.push({ to, text: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const simulator: MailSimulator = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters: [],
    answer: 'accept',
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return simulator
}
