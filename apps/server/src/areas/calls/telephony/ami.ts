/**
 * Asterisk Manager Interface over TCP: blocks of `Key: value` lines ended by a blank line (docs.asterisk.org). The
 * connection may break, send malformed data and reconnect; after each reconnect the listener gets the live channels.
 */
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Logger } from '#platform/log.ts'
import type { Exchange, Listener, PbxEvent } from './exchange.ts'

export interface AmiAddress {
  host: string
  port: number
  user: string
  secret: string
}

/** Milliseconds. */
export interface AmiTimes {
  ping: number
  dead: number
  firstRetry: number
  lastRetry: number
  /** For the employee who must pick up the phone. */
  originate: number
}
const TIMES: AmiTimes = { ping: 20_000, dead: 10_000, firstRetry: 1_000, lastRetry: 30_000, originate: 30_000 }
/** Maximum characters of a block: a longer one is not AMI. */
const MAX_BLOCK = 64 * 1024

/** Splits a stream into blocks: incomplete lines are buffered, lines without a colon are ignored. */
export function blockReader(onBlock: (block: PbxEvent) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    rest += text
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    if (rest.length > MAX_BLOCK) throw new Error('AMI: a block without an end')
    for (const block of blocks) {
      const fields: [string, string][] = []
      for (const line of block.split(/\r?\n/)) {
        const colon = line.indexOf(':')
        if (colon > 0 && line.length <= MAX_BLOCK)
          fields.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
      }
      if (fields.length) onBlock(Object.fromEntries(fields))
    }
  }
}

/** Removes line breaks from a value, so that it cannot inject another action. */
const clean = (value: string): string => value.replace(/[\r\n]/g, ' ')

/** Keeps a connection to the exchange until it is stopped, and reconnects after each break. */
export function openAmi(address: AmiAddress, listener: Listener, log: Logger, times: AmiTimes = TIMES): Exchange {
  let socket: Socket | undefined
  let stopped = false
  let retry = times.firstRetry
  let timer: NodeJS.Timeout | undefined
  let pinging: NodeJS.Timeout | undefined
  let isIn = false
  let isRefused = false
  const waiting = new Map<string, (answer: PbxEvent) => unknown>()

  const act = (action: string, fields: Record<string, string>, answered?: (answer: PbxEvent) => unknown): void => {
    const id = randomUUID()
    if (answered) waiting.set(id, answered)
    const lines = Object.entries({ Action: action, ActionID: id, ...fields }).map(
      ([key, value]) => `${key}: ${clean(value)}`,
    )
    socket?.write(`${lines.join('\r\n')}\r\n\r\n`)
  }

  const open = (): void => {
    const line = connect({ host: address.host, port: address.port })
    socket = line
    let alive: NodeJS.Timeout | undefined
    const living = new Set<string>()
    const feed = blockReader((block) => {
      const answer = block.Response !== undefined || block.Event === 'OriginateResponse'
      const waits = answer ? waiting.get(block.ActionID ?? '') : undefined
      if (waits) {
        waiting.delete(block.ActionID ?? '')
        return waits(block)
      }
      if (!isIn || block.Event === undefined) return
      if (block.Event === 'CoreShowChannel' && block.Uniqueid) living.add(block.Uniqueid)
      if (block.Event === 'CoreShowChannelsComplete') return listener.living(living, Date.now())
      listener.event(block, Date.now())
    })
    const ping = () => {
      alive = setTimeout(() => line.destroy(), times.dead)
      act('Ping', {}, () => clearTimeout(alive))
    }
    line.setEncoding('utf8')
    line.on('connect', () =>
      act('Login', { Username: address.user, Secret: address.secret }, (answer) => {
        if (answer.Response !== 'Success') {
          isRefused = true
          log.error({ host: address.host }, 'telephony: the exchange refuses the sign-in')
          return line.destroy()
        }
        isIn = true
        listener.line?.('in')
        retry = times.firstRetry
        pinging = setInterval(ping, times.ping)
        act('CoreShowChannels', {})
      }),
    )
    line.on('data', (text: string) => {
      try {
        feed(text)
      } catch (error) {
        log.error({ error: String(error) }, 'telephony: the exchange speaks no AMI')
        line.destroy()
      }
    })
    line.on('error', () => undefined)
    line.on('close', () => {
      if (!stopped) listener.line?.(isRefused ? 'refused' : isIn ? 'lost' : 'away')
      isRefused = false
      isIn = false
      clearTimeout(alive)
      clearInterval(pinging)
      for (const [, answered] of waiting) answered({ Response: 'Error', Message: 'away' })
      waiting.clear()
      if (stopped) return
      timer = setTimeout(open, retry)
      retry = Math.min(retry * 2, times.lastRetry)
    })
  }
  open()

  return {
    originate: ({ sipPhone, phone, session, failed }) =>
      new Promise((resolve, reject) => {
        if (!isIn) return reject(new Error('away'))
        const silent = setTimeout(() => reject(new Error('silent')), times.dead)
        act(
          'Originate',
          {
            Channel: `PJSIP/${sipPhone}`,
            Exten: phone,
            Context: 'from-internal',
            Priority: '1',
            ChannelId: session,
            CallerID: phone,
            Async: 'true',
            Timeout: String(times.originate),
          },
          (answer) => {
            clearTimeout(silent)
            if (answer.Response !== 'Success') return reject(new Error(answer.Message ?? 'refused'))
            resolve()
            // The result arrives later under the same id, or never if the connection breaks.
            const { ActionID } = answer
            if (!ActionID) return
            const late = setTimeout(() => {
              waiting.delete(ActionID)
              failed()
            }, times.originate)
            waiting.set(ActionID, ({ Response }) => {
              clearTimeout(late)
              if (Response !== 'Success') failed()
            })
          },
        )
      }),
    ping: () =>
      new Promise((resolve, reject) => {
        if (!isIn) return reject(new Error('away'))
        const late = setTimeout(() => reject(new Error('silent')), times.dead)
        act('Ping', {}, ({ Response }) => {
          clearTimeout(late)
          if (Response === 'Error') reject(new Error('away'))
          else resolve()
        })
      }),
    stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(pinging)
      socket?.destroy()
    },
  }
}
