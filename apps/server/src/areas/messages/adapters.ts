import type { AdapterMode } from '@ordinator/model/areas/exchange/integration'
import { type ConnectionMode, smsProviders } from '@ordinator/model/areas/settings/children/connections'
import { formatMoney } from '@ordinator/model/format'
import { mailerOf, readCommonSettings, smsOf } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { certificateEnd } from '#platform/certificateEnd.ts'
import { ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { waitingBy } from './ways.ts'

/** Timeout in milliseconds for a check of the gateway and the mail server. */
const TIMEOUT = 8_000

const place = { page: 'connections', isQuiet: true } as const

/** The SMS gateway and the mail server, used for all outgoing messages. */
export async function messageAdapters(app: AppContext): Promise<Adapter[]> {
  const [settings, sms, mailer] = await Promise.all([
    readCommonSettings(app.db),
    smsOf(app, TIMEOUT),
    mailerOf(app, TIMEOUT),
  ])
  const { smsMode, smsAddress, smsProvider, smsLowBalance, mailMode, mailAddress } = settings
  const isOwn = smsProvider === 'own'
  const [smsUrl, smtpUrl] = [isOwn ? smsAddress || app.config.smsUrl : undefined, mailAddress || app.config.smtpUrl]
  return [
    {
      ...place,
      key: 'sms',
      code: 'sms',
      name: isOwn ? 'СМС-шлюз' : `СМС: ${smsProviders[smsProvider]}`,
      mode: modeOf(smsMode, sms),
      modeSetting: 'smsMode',
      setIn: !isOwn || smsAddress || !smsUrl ? 'Настройки → Подключения' : 'Настройка сервера SMS_URL',
      queue: () => waitingBy(app.db, 'sms'),
      async check() {
        if (!(await sms?.answers())) throw new AdapterFault('Шлюз не отвечает')
      },
      ...(smsUrl && { certificateEnd: () => certificateEnd(smsUrl, smsAddress ? app.outbound.place : undefined) }),
    },
    ...(sms?.balance && smsMode !== 'off'
      ? [
          {
            ...place,
            key: 'smsBalance',
            name: `Баланс: ${smsProviders[smsProvider]}`,
            mode: modeOf(smsMode, sms),
            setIn: 'Настройки → Подключения',
            async check() {
              const rest = await sms.balance?.().catch(() => {
                throw new AdapterFault('Провайдер не сказал, сколько на счёте')
              })
              if (rest === undefined) throw new AdapterFault('Провайдер не сказал, сколько на счёте: проверьте ключ')
              if (rest < smsLowBalance)
                throw new AdapterFault(`На счёте ${formatMoney(rest)}: пополните, иначе СМС перестанут уходить`)
              return `На счёте ${formatMoney(rest)}`
            },
          },
        ]
      : []),
    {
      ...place,
      key: 'mail',
      code: 'mail',
      name: 'Почта',
      mode: modeOf(mailMode, mailer),
      modeSetting: 'mailMode',
      setIn: mailAddress || !smtpUrl ? 'Настройки → Подключения' : 'Настройки сервера SMTP_URL и MAIL_FROM',
      queue: () => waitingBy(app.db, 'email'),
      async check() {
        try {
          await mailer?.check()
        } catch (error) {
          app.log.warn({ err: error }, 'mail: asked, it does not answer')
          if (error instanceof ValidationError) throw new AdapterFault(error.message)
          const isRefused = (error as { responseCode?: number }).responseCode !== undefined
          throw new AdapterFault(isRefused ? 'Почтовый сервер отказал во входе' : 'Почтовый сервер не отвечает')
        }
      },
      ...(smtpUrl && { certificateEnd: () => certificateEnd(smtpUrl, mailAddress ? app.outbound.place : undefined) }),
    },
  ]
}

/** The configured mode applies only if there is a connection. */
const modeOf = (set: ConnectionMode, connected: unknown): AdapterMode => (connected ? set : 'off')
