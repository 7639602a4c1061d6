/** The clinic's deadlines and whether the exchange with the Social Fund is configured. */
import type { Limits } from '@ordinator/model/areas/eln/rules'
import type { CommonSettings } from '@ordinator/model/areas/settings/commonSettings'
import sql from 'sql-template-tag'
import { ownOrganization } from '#areas/filials/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'

export const limitsOf = (settings: CommonSettings): Limits => ({
  doctorDays: settings.elnDoctorDays,
  feldsherDays: settings.elnFeldsherDays,
  feldsherPosts: settings.elnFeldsherPosts,
  chairmanDays: settings.elnChairmanDays,
  mseMonths: settings.elnMseMonths,
  mseLongMonths: settings.elnMseLongMonths,
})

/** The issuing organization. */
export interface Lpu {
  ogrn: string | null
  name: string
  address: string | null
}

export async function lpuOf(db: Queryable): Promise<Lpu | undefined> {
  const { mainOrganization } = await readCommonSettings(db)
  const id = await ownOrganization(db, mainOrganization)
  return id === undefined
    ? undefined
    : db.one<Lpu>(sql`select "ogrn", coalesce("fullName", "shortName") as name, "legalAddress" as address
        from organizations where "id" = ${id}`)
}

export interface SetUp {
  isSet: boolean
  /** The missing settings, in Russian; or the current mode. */
  words: string
}

/** Whether sheets are sent to the Social Fund, and otherwise the missing settings. */
export async function exchangeState(app: Pick<AppContext, 'config' | 'db'>): Promise<SetUp> {
  const { elnMode, elnAddress } = await readCommonSettings(app.db)
  const not = (words: string): SetUp => ({ isSet: false, words })
  if (elnMode === 'off') return not('Обмен с СФР не подключён: включите его в настройках больничных')
  if (!elnAddress && !app.config.elnUrl) return not('Не задан адрес сервиса СФР: впишите его в настройках больничных')
  const lpu = await lpuOf(app.db)
  if (!lpu) return not('Нет своей организации: заведите её в настройках, «Организации»')
  if (!lpu.ogrn) return not(`У организации «${lpu.name}» нет ОГРН: без него СФР не ответит`)
  return { isSet: true, words: elnMode === 'test' ? 'Тестовый контур СФР' : 'Обмен с СФР работает' }
}
