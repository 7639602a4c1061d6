/** Simulator of a telephone exchange with AMI over TCP, on loopback: sends events on request, drops connections, sends garbage. */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import type { Fault } from './simulator.ts'

const LATE_MS = 500

type Fields = Readonly<Record<string, string>>

export interface AmiSimulator {
  url: string
  /** Number of sign-ins; grows when the client reconnects. */
  logins: number
  originated: Fields[]
  refuses: boolean
  /** The common fault of the next `Originate`. */
  fault: Fault | undefined
  /** Live channels, reported after each sign-in. */
  channels: Fields[]
  emit(event: string, fields?: Fields): void
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
      originate(line, asked, reply)
    } else if (asked.Action === 'Simulate') {
      const { Action: _, ActionID: __, As = '', ...fields } = asked
      reply({ Response: 'Success' })
      simulator.emit(As, fields)
    } else reply({ Response: 'Success', Ping: 'Pong' })
  }
  /** The faults of `simulator.ts` as this protocol knows them. */
  function originate(line: Socket, asked: Record<string, string>, reply: (fields: Fields) => unknown): unknown {
    const { fault } = simulator
    const good = () => reply({ Response: 'Success' })
    if (fault === 'refused') return line.destroy()
    if (fault === 'silent') return
    if (fault === 'fails' || fault === 'busy' || fault === 'stranger')
      return reply({ Response: 'Error', Message: fault === 'stranger' ? 'Permission denied' : 'Originate failed' })
    simulator.originated.push(asked)
    if (fault === 'twice') simulator.originated.push(asked)
    if (fault === 'lost') return line.destroy()
    if (fault === 'html') return line.write(`<html>${'x'.repeat(70_000)}`)
    if (fault === 'half' || fault === 'short') return line.write('Response: Suc', () => line.destroy())
    if (fault === 'late') return setTimeout(good, LATE_MS)
    return simulator.refuses ? reply({ Response: 'Error', Message: 'Originate failed' }) : good()
  }
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const simulator: AmiSimulator = {
    url: `ami://ordinator:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    logins: 0,
    originated: [],
    refuses: false,
    fault: undefined,
    channels: [],
    emit: (Event, fields = {}) => simulator.say(block({ Event, ...fields })),
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
