import { type Adapter, AdapterFault } from '../../platform/adapter.ts'
import { createMailer } from '../../platform/mail.ts'
import { smsGateway } from '../../platform/sms.ts'
import type { AppContext } from '../../records/context.ts'
import { waitingBy } from './ways.ts'

/** Milliseconds that a gateway and a post office may be silent when they are asked. */
const TIMEOUT = 8_000

/** The gateway of text messages and the post: whatever the house sends by them goes through these. */
export function messageAdapters(app: AppContext): Adapter[] {
  const { smsUrl, smtpUrl, mailFrom } = app.config
  return [
    {
      key: 'sms',
      code: 'sms',
      name: 'СМС-шлюз',
      mode: smsUrl === undefined ? 'off' : 'prod',
      setIn: 'Настройка сервера SMS_URL',
      isQuiet: true,
      queue: () => waitingBy(app.db, 'sms'),
      async check() {
        if (!(await smsGateway(smsUrl as string, TIMEOUT).answers())) throw new AdapterFault('Шлюз не отвечает')
      },
    },
    {
      key: 'mail',
      code: 'mail',
      name: 'Почта',
      mode: smtpUrl && mailFrom ? 'prod' : 'off',
      setIn: 'Настройки сервера SMTP_URL и MAIL_FROM',
      isQuiet: true,
      queue: () => waitingBy(app.db, 'email'),
      async check() {
        try {
          await createMailer({ url: smtpUrl as string, from: mailFrom as string, timeout: TIMEOUT }).check()
        } catch (error) {
          const isRefused = (error as { responseCode?: number }).responseCode !== undefined
          app.log.warn({ err: error }, 'mail: asked, it does not answer')
          throw new AdapterFault(isRefused ? 'Почтовый сервер отказал во входе' : 'Почтовый сервер не отвечает')
        }
      },
    },
  ]
}
