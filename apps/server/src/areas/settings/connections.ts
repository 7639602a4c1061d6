/** Message services by the clinic's settings, with the server's own as the default. */
import type { CommonSettingName, CommonSettings } from '@ordinator/model/areas/settings/commonSettings'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { createMailer, type Mailer, mailToOne, simulatedMail } from '#platform/mail.ts'
import type { Outbound } from '#platform/outbound.ts'
import { type SmsGateway, simulatedSms, smsGateway, smsToOne } from '#platform/sms.ts'
import { smsProvider } from '#platform/smsProviders.ts'
import type { AppContext } from '#records/context.ts'
import { readCommonSettings } from './read.ts'

/** The SMS gateway; undefined if none is connected. @param timeout milliseconds */
export async function smsOf(app: AppContext, timeout?: number): Promise<SmsGateway | undefined> {
  const { smsMode, smsAddress, smsToken, smsTestPhone, ...carrier } = await readCommonSettings(app.db)
  if (smsMode === 'off') return undefined
  if (smsMode === 'simulator') return simulatedSms
  const patience = timeout === undefined ? {} : { timeout }
  const token = smsToken ? await secretOf(app.db, 'smsToken') : undefined
  // An address set by a person must not be in the server's network; one set by the server's owner may.
  const gateway =
    carrier.smsProvider !== 'own'
      ? await carrierOf(app, carrier, timeout)
      : smsAddress
        ? smsGateway(smsAddress.replace(/\/+$/, ''), { ...patience, token, through: app.outbound })
        : app.config.smsUrl === undefined
          ? undefined
          : smsGateway(app.config.smsUrl, { ...patience, token })
  if (smsMode === 'prod' || !gateway) return gateway
  return smsTestPhone ? smsToOne(gateway, smsTestPhone) : undefined
}

/** The configured provider, once it has its key. */
async function carrierOf(
  app: AppContext,
  {
    smsProvider: provider,
    smsLogin,
    smsKey,
    smsSender,
  }: Pick<CommonSettings, 'smsProvider' | 'smsLogin' | 'smsKey' | 'smsSender'>,
  timeout: number | undefined,
): Promise<SmsGateway | undefined> {
  if (provider === 'own' || !smsKey) return undefined
  const key = (await secretOf(app.db, 'smsKey')) ?? ''
  const url = { smsc: app.config.smscUrl, smsru: app.config.smsruUrl, smsaero: app.config.smsaeroUrl }[provider]
  return smsProvider(provider, { url, login: smsLogin, key, sender: smsSender, timeout })
}

/** The gateway for confirmation codes: only if messages reach the phones they are addressed to. */
export async function codeSmsOf(app: AppContext): Promise<SmsGateway | undefined> {
  const { smsMode } = await readCommonSettings(app.db)
  return smsMode === 'prod' ? smsOf(app) : undefined
}

/** The mail server; undefined if none is connected. @param timeout milliseconds */
export async function mailerOf(app: AppContext, timeout?: number): Promise<Mailer | undefined> {
  const { mailMode, mailAddress, mailLogin, mailPassword, mailFrom, mailTestAddress } = await readCommonSettings(app.db)
  if (mailMode === 'off') return undefined
  if (mailMode === 'simulator') return simulatedMail
  const { smtpUrl, mailFrom: serverFrom } = app.config
  const [url, from] = [mailAddress || smtpUrl, mailFrom || serverFrom]
  if (!url || !from) return undefined
  const pass = mailPassword ? await secretOf(app.db, 'mailPassword') : undefined
  const mailer = createMailer({
    url,
    from,
    ...(timeout !== undefined && { timeout }),
    ...(mailLogin && pass && { credentials: { user: mailLogin, pass } }),
    ...(mailAddress && { place: app.outbound.place }),
  })
  if (mailMode === 'prod') return mailer
  return mailTestAddress ? mailToOne(mailer, mailTestAddress) : undefined
}

/** Endpoint of a service with the OpenAI protocol. */
export interface AiPlace {
  mode: 'prod' | 'simulator'
  /** Without a trailing slash; empty for the simulator. */
  url: string
  token?: string | undefined
  /** Empty: the server's default. */
  model: string
  /** An address set by a person must not be in the server's network. */
  through?: Outbound
  /** Displayed name: its host. */
  name: string
}

/** The connected language model (`llm`) or speech recognition (`asr`); undefined if none. */
export async function aiPlaceOf(app: AppContext, service: 'llm' | 'asr'): Promise<AiPlace | undefined> {
  const settings = await readCommonSettings(app.db)
  const { llmMode, llmInside, llmToken, llmModel, asrMode, asrAddress, asrToken, asrModel } = settings
  const llmAddress = llmInside ? '' : settings.llmAddress
  const [mode, address, hasToken, model, own] =
    service === 'llm'
      ? [llmMode, llmAddress, llmToken, llmModel, app.config.llmUrl]
      : [asrMode, asrAddress, asrToken, asrModel, app.config.asrUrl]
  if (mode === 'off') return undefined
  if (mode === 'simulator') return { mode, url: '', model, name: 'имитатор' }
  const url = address ? address.replace(/\/+$/, '') : own
  if (!url) return undefined
  const token = hasToken ? await secretOf(app.db, service === 'llm' ? 'llmToken' : 'asrToken') : undefined
  return { mode, url, token, model, name: new URL(url).host, ...(address && { through: app.outbound }) }
}

/** A secret of the settings, only for its own connection. */
export async function secretOf(db: Queryable, name: CommonSettingName): Promise<string | undefined> {
  const row = await db.one<{ value: string }>(sql`select "value" from common_setting_secrets where "name" = ${name}`)
  return row && db.cipher.decrypt('common_setting_secrets.value', name, row.value)
}
