/** «Интеграции»: the cards, «Проверить связь», and the notice to administrators about a system that fails for long. */
import { exchangeCalls } from '@ordinator/model/areas/exchange/calls'
import { NOTIFY_AFTER_MINUTES } from '@ordinator/model/areas/exchange/integration'
import sql from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Adapter } from '#platform/adapter.ts'
import { notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { administrators } from './deliver.ts'
import { adaptersOf, check, healthOf } from './health.ts'
import { checkWebhooks, webhooksEnd } from './webhooks.ts'

const list = operation(exchangeCalls.integrations, async ({ app }) => {
  const values = await readCommonSettings(app.db)
  const items = await Promise.all(
    (await adaptersOf(app)).map(async (adapter) => {
      const { isDoubtful, said, ...health } = await healthOf(app, adapter)
      const { key, name, mode, setIn, page = null, code = null, queue, note, modeSetting: setting } = adapter
      const turned = setting ? { setting, value: values[setting] } : null
      const [waiting, words] = [queue ? await queue() : null, mode === 'off' ? null : note ? await note() : said]
      const warnings = await warningsOf(adapter)
      return { key, code, name, mode, setIn, page, switch: turned, queue: waiting, note: words, warnings, ...health }
    }),
  )
  return { items }
})

const warningsOf = async ({ mode, warnings }: Adapter): Promise<string[]> =>
  mode === 'off' || !warnings ? [] : [...(await warnings())]

const checkOne = operation(exchangeCalls.checkIntegration, async ({ app, params }) => {
  const adapter = (await adaptersOf(app)).find(({ key }) => key === params.key)
  if (!adapter) throw notFound('Такой системы нет')
  return check(app, adapter)
})

export const integrationCalls = [list, checkOne]

/** Webhooks as a card: pending messages, and whether active ones accept a test. */
export async function webhookAdapters(app: AppContext): Promise<Adapter[]> {
  const row = await app.db.one<{ active: number; waiting: number }>(sql`select
    (select count(*)::int from webhooks where "active" and not "deleted") as active,
    (select count(*)::int from (select from exchange_messages where "idWebhook" is not null and "dateNext" is not null
      limit 10000) q) as waiting`)
  return [
    {
      key: 'webhooks',
      code: 'webhooks',
      name: 'Вебхуки',
      mode: row?.active ? 'prod' : 'off',
      setIn: 'Настройки → Вебхуки',
      page: 'webhooks',
      queue: async () => row?.waiting ?? 0,
      check: () => checkWebhooks(app),
      certificateEnd: () => webhooksEnd(app),
    },
  ]
}

/** Number of leading characters that identify a warning. */
const HEAD = 24
const headOf = (words: string): string => words.slice(0, HEAD)

/** The job `integrations.watch`. */
export async function watch(app: AppContext): Promise<void> {
  await Promise.all(
    (await adaptersOf(app)).map(async (adapter) => {
      try {
        await watchOne(app, adapter)
      } catch (error) {
        app.log.warn({ err: error, adapter: adapter.key }, 'integrations: not watched')
      }
    }),
  )
}

async function watchOne(app: AppContext, adapter: Adapter): Promise<void> {
  if (adapter.mode === 'off') {
    await app.db.query(sql`update adapter_states set "dateFailing" = null, "dateTold" = null, "error" = null
      where "key" = ${adapter.key} and ("dateFailing" is not null or "error" is not null)`)
    return
  }
  const before = await healthOf(app, adapter)
  // A check may be in progress: its result is used.
  if (adapter.isQuiet && (before.isDoubtful || !adapter.code)) await check(app, adapter).catch(() => undefined)
  const { dateFailing, error } = await healthOf(app, adapter)
  const warnings = await warningsOf(adapter)
  await app.engine.for(systemActor).tx(async (own, tx) => {
    await tx.query(sql`insert into adapter_states ("key") values (${adapter.key}) on conflict do nothing`)
    const known = await tx.one<{ warnings: string[] }>(
      sql`select "warnings" from adapter_states where "key" = ${adapter.key} for update`,
    )
    const was = await tx.one<{ wasNotified: boolean; isLong: boolean }>(sql`
      update adapter_states s set "warnings" = ${warnings}, "dateFailing" = case when ${dateFailing}::timestamptz is not null
        then coalesce(s."dateFailing", ${dateFailing}::timestamptz) end
      where "key" = ${adapter.key} returning "dateTold" is not null as "wasNotified",
        coalesce("dateFailing" <= now() - make_interval(mins => ${NOTIFY_AFTER_MINUTES}), false) as "isLong"`)
    if (!was) return
    const notifyAdmins = async (kind: string, title: string, text?: string) =>
      notify({ actor: systemActor, tx, records: own }, await administrators(tx), {
        kind,
        title,
        ...(text && { text }),
        link: '/integrations',
      })
    // A warning with remaining days changes its text daily: it is announced when its beginning is new.
    const isKnown = (words: string) => known?.warnings.some((one) => headOf(one) === headOf(words)) === true
    const fresh = warnings.filter((words) => !isKnown(words))
    if (fresh.length > 0)
      await notifyAdmins('integrations.warning', `${adapter.name}: нужно внимание`, fresh.join('\n'))
    if (was.isLong && !was.wasNotified) {
      await tx.query(sql`update adapter_states set "dateTold" = now() where "key" = ${adapter.key}`)
      await notifyAdmins('integrations.failing', `${adapter.name}: не работает`, error ?? undefined)
    }
    if (dateFailing === null && was.wasNotified) {
      await tx.query(sql`update adapter_states set "dateTold" = null where "key" = ${adapter.key}`)
      await notifyAdmins('integrations.back', `${adapter.name}: снова работает`)
    }
  })
}
