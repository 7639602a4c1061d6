/** Virus scanner: ClamAV's daemon, by INSTREAM (https://docs.clamav.net/manual/Usage/Scanning.html#clamd). */
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { HttpError } from './errors.ts'

/** Milliseconds without a byte from the scanner before it counts as away. */
const SILENT_MS = 60_000
const CHUNK = 64 * 1024

/**
 * @param address `unix:/run/clamav/clamd.ctl` or `host:3310`
 * @returns the name of the virus; undefined: the file is clean
 * @throws HttpError 503 when the scanner does not answer: an unscanned file is not stored
 */
export function scanFile(address: string, path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const [host = '', port = ''] = address.split(/:(?=\d+$)/)
    const socket = address.startsWith('unix:')
      ? connect(address.slice('unix:'.length))
      : connect({ host, port: Number(port) })
    const file = createReadStream(path, { highWaterMark: CHUNK })
    let answer = ''
    const fail = () => {
      file.destroy()
      socket.destroy()
      reject(
        new HttpError(503, 'Файл не проверен на вирусы: проверка не отвечает. Повторите позже', {
          code: 'scanner',
          headers: { 'retry-after': '30' },
        }),
      )
    }
    socket.setTimeout(SILENT_MS, fail)
    socket.on('error', fail)
    file.on('error', fail)
    socket.on('data', (bytes) => {
      answer += bytes.toString()
    })
    socket.on('close', () => {
      const [, what, found] = /^stream: (?:(.+) (FOUND)|OK)\0?$/.exec(answer.trim().replace(/\0$/, '')) ?? []
      if (found) resolve(what)
      else if (answer.startsWith('stream: OK')) resolve(undefined)
      else fail()
    })
    socket.on('connect', () => {
      socket.write('zINSTREAM\0')
      file.on('data', (bytes) => {
        const length = Buffer.alloc(4)
        length.writeUInt32BE(bytes.length)
        socket.write(length)
        if (!socket.write(bytes)) {
          file.pause()
          socket.once('drain', () => file.resume())
        }
      })
      file.on('end', () => socket.write(Buffer.alloc(4)))
    })
  })
}
