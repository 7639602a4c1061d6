import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'

const WORDS =
  'TRUST_PROXY не задан: все, кто приходит через прокси, для сервера на одном адресе, ' +
  'и ограничения по адресу у них общие. Задайте адрес прокси'

/**
 * Behind an undeclared proxy all clients share one address. Warns at the start when the settings show such a proxy, and
 * once in the log when a request does.
 * @returns lines to print at the start
 */
export function warnOfForgottenProxy(server: FastifyInstance, config: Config, log: Pick<Logger, 'warn'>): string[] {
  if (config.trustProxy.length > 0) return []
  let isWarned = false
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      log.warn({ from: request.ip }, `Пришёл заголовок X-Forwarded-For, а ${WORDS}.`)
    }
    done()
  })
  // The server itself does not speak TLS.
  return config.publicUrl.startsWith('https:')
    ? [`ВНИМАНИЕ: PUBLIC_URL начинается с https, значит, перед сервером стоит прокси, а ${WORDS}.`]
    : []
}
