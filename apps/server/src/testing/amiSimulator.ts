/** Simulator of a telephone exchange with AMI over TCP, on loopback: sends events on request, drops connections, sends garbage. */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

type Fields = Readonly<Record<string, string>>

export interface AmiSimulator {
  url: string
  /** Number of sign-ins; grows when the client reconnects. */
  logins: number
  originated: Fields[]
  refuses: boolean
  /** Live channels, reported after each sign-in. */
  channels: Fields[]
  tell(event: string, fields?: Fields): void
  /** Sends raw text, partial lines and garbage too. */
  say(text: string): void
  drop(): void
  close(): Promise<void>
}

/**
 * Accepts `ordinator` with the secret `secret`. A signed-in client may send `Action: Simulate` with an `As`: all clients
 * get that event with the other fields.
 * @param port 0: any
 */
export async function startAmiSimulator(port = 0): Promise<AmiSimulator> {
  const lines = new Set<Socket>()
  const inside = new Set<Socket>()
  const block = (fields: Fields) =>
    `${Object.entries(fields)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\r\n')}\r\n\r\n`
  const server = createServer((line) => {
    lines.add(line)
    line.on('error', () => undefined)
    line.on('close', () => {
      lines.delete(line)
      inside.delete(line)
    })
    line.write('Asterisk Call Manager/9.0.0\r\n')
    let rest = ''
    line.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\r\n\r\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const asked = Object.fromEntries(part.split('\r\n').map((row) => row.split(/: (.*)/s).slice(0, 2)))
        answer(line, asked)
      }
    })
  })
  function answer(line: Socket, asked: Record<string, string>) {
    const reply = (fields: Fields) => line.write(block({ ...fields, ActionID: asked.ActionID ?? '' }))
    if (asked.Action === 'Login') {
      const ok = asked.Username === 'ordinator' && asked.Secret === 'secret'
      reply({ Response: ok ? 'Success' : 'Error', Message: ok ? 'Accepted' : 'Authentication failed' })
      if (!ok) return
      inside.add(line)
      simulator.logins++
    } else if (asked.Action === 'CoreShowChannels') {
      reply({ Response: 'Success' })
      for (const one of simulator.channels) reply({ Event: 'CoreShowChannel', ...one })
      reply({ Event: 'CoreShowChannelsComplete' })
    } else if (asked.Action === 'Originate') {
      simulator.originated.push(asked)
      reply(simulator.refuses ? { Response: 'Error', Message: 'Originate failed' } : { Response: 'Success' })
    } else if (asked.Action === 'Simulate') {
      const { Action: _, ActionID: __, As = '', ...fields } = asked
      reply({ Response: 'Success' })
      simulator.tell(As, fields)
    } else reply({ Response: 'Success', Ping: 'Pong' })
  }
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const simulator: AmiSimulator = {
    url: `ami://ordinator:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    logins: 0,
    originated: [],
    refuses: false,
    channels: [],
    tell: (Event, fields = {}) => simulator.say(block({ Event, ...fields })),
    say(text) {
      for (const line of inside) line.write(text)
    },
    drop() {
      for (const line of lines) line.destroy()
    },
    close: () =>
      new Promise((closed) => {
        for (const line of lines) line.destroy()
        server.close(() => closed())
      }),
  }
  return simulator
}
