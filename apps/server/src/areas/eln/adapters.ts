/** The cards of «Интеграции». */
import type { AdapterMode } from '@ordinator/model/areas/exchange/integration'
import type { serviceModes } from '@ordinator/model/areas/settings/children/exchange'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { AppContext } from '#records/context.ts'
import { protectionEnd, protectionOf } from './protection.ts'
import { type Named, reach } from './service.ts'

const modeOf = (mode: keyof typeof serviceModes, isNamed: boolean): AdapterMode => (isNamed ? mode : 'off')

export async function stateAdapters(app: AppContext): Promise<Adapter[]> {
  const set = await readCommonSettings(app.db)
  const waiting = async (adapter: string) =>
    (
      await app.db.one<{ count: number }>(sql`select count(*)::int as count from (select from exchange_messages
        where "adapter" = ${adapter} and "status" in ('queued', 'sent', 'network_error') limit 1000) q`)
    )?.count ?? 0
  const card = (
    code: 'eln' | 'snils' | 'tfoms',
    of: Pick<Adapter, 'name' | 'setIn' | 'page' | 'certificateEnd'> & { mode: AdapterMode } & Omit<Named, 'adapter'>,
  ): Adapter => ({
    key: code,
    code,
    ...{ name: of.name, setIn: of.setIn, page: of.page, mode: of.mode },
    ...(of.certificateEnd && { certificateEnd: of.certificateEnd }),
    queue: () => waiting(code),
    async check() {
      const { name: _name, setIn: _setIn, page: _page, mode: _mode, certificateEnd: _end, ...named } = of
      const service = reach(app, { adapter: code, ...named })
      if (!service) throw new AdapterFault('Адрес не задан')
      if (code === 'eln') await protectionOf(app)
      await service.quietly({ path: '' })
    },
  })
  const { elnUrl, snilsUrl, tfomsUrl } = app.config
  return [
    card('eln', {
      ...{ name: 'СФР: больничные', setIn: 'Настройки → Больничные', page: 'elnSettings' },
      ...{ mode: modeOf(set.elnMode, Boolean(set.elnAddress || elnUrl)), address: set.elnAddress, own: elnUrl },
      ...{ login: set.elnLogin, password: 'elnPassword', certificateEnd: () => protectionEnd(app) },
    }),
    card('snils', {
      ...{ name: 'СФР: поиск СНИЛС', setIn: 'Настройки → Поиск СНИЛС', page: 'sosnils' },
      mode: modeOf(set.sosnilsSearch ? set.sosnilsMode : 'off', Boolean(set.sosnilsAddress || snilsUrl)),
      ...{ address: set.sosnilsAddress, own: snilsUrl, login: set.sosnilsLogin, password: 'sosnilsPassword' },
    }),
    card('tfoms', {
      ...{ name: 'ТФОМС: прикрепление', setIn: 'Настройки → Онлайн-прикрепление', page: 'attachmentSettings' },
      ...{
        mode: modeOf(set.tfomsMode, Boolean(set.tfomsAddress || tfomsUrl)),
        address: set.tfomsAddress,
        own: tfomsUrl,
      },
      ...{ login: set.tfomsLogin, password: 'tfomsToken', bearer: 'tfomsToken' },
    }),
  ]
}
