/** Which column of a file is which of ours: by a profile, by its head, by its contents. */
import type { MoveProfileColumns } from '@ordinator/model/areas/moving/move'
import { readyProfiles } from '@ordinator/model/areas/moving/profiles'
import { type MoveProgram, type MoveTableKey, movePrograms, moveTableKeys } from '@ordinator/model/areas/moving/tables'
import sql from 'sql-template-tag'
import { guessMapping, type ImporterColumn, plainName, readDay, readMoney } from '#areas/imports/index.ts'
import type { AppContext } from '#records/context.ts'
import { movingTable } from './tables/index.ts'

export interface HeadColumn {
  name: string
  samples: string[]
}

export interface KnownProfile {
  key: string
  name: string
  program: MoveProgram
  source: string | null
  columns: MoveProfileColumns
  own: boolean
}

/** The profile of files that this product has written: each column is called as it is in the table. */
const ownProfile = (app: AppContext): KnownProfile => ({
  key: 'ordinator',
  program: 'ordinator',
  name: movePrograms.ordinator,
  source: 'Передача филиала из другой клиники на «Ординаторе»',
  own: false,
  columns: Object.fromEntries(
    moveTableKeys.map((key) => [
      key,
      Object.fromEntries(movingTable(app, key).columns.map(({ name }) => [name, [name]])),
    ]),
  ),
})

/** Those that come with the product, and the clinic's own. */
export async function knownProfiles(app: AppContext): Promise<KnownProfile[]> {
  const own = await app.db.query<{ id: number; name: string; program: MoveProgram; columns: MoveProfileColumns }>(
    sql`select "id", "name", "program", "columns" from moving_profiles where not "deleted" order by "name", "id"`,
  )
  return [
    ...own.map(({ id, ...profile }) => ({ ...profile, key: String(id), source: 'Сопоставлено в клинике', own: true })),
    ownProfile(app),
    ...readyProfiles.map((profile) => ({ ...profile, program: profile.key, own: false })),
  ]
}

/** The columns by a profile, then by their heads, then by their content. */
export function matchColumns(
  table: MoveTableKey,
  columns: readonly ImporterColumn[],
  head: readonly HeadColumn[],
  profile: MoveProfileColumns | undefined,
): Record<string, number> {
  const heads = head.map(({ name }) => plainName(name))
  const mapping: Record<string, number> = {}
  const taken = new Set<number>()
  const put = (name: string, at: number) => {
    if (at < 0 || taken.has(at) || mapping[name] !== undefined) return
    mapping[name] = at
    taken.add(at)
  }
  for (const [name, names] of Object.entries(profile?.[table] ?? {})) {
    if (!columns.some((column) => column.name === name)) continue
    const wanted = names.map(plainName)
    put(
      name,
      heads.findIndex((one, at) => wanted.includes(one) && !taken.has(at)),
    )
  }
  const guessed = guessMapping(
    columns,
    head.map(({ name }, at) => (taken.has(at) ? '' : name)),
  )
  for (const [name, at] of Object.entries(guessed)) put(name, at)
  for (const { name, content } of byContent) {
    if (mapping[name] !== undefined || !columns.some((column) => column.name === name)) continue
    const fits = head.flatMap(({ samples }, at) =>
      !taken.has(at) && samples.length > 0 && samples.every(content) ? [at] : [],
    )
    // Two columns that look alike are for a person to tell apart.
    if (fits.length === 1) put(name, fits[0] as number)
  }
  return mapping
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** The kind of a column without a known head, by its values. */
const byContent: readonly { name: string; content: (text: string) => boolean }[] = [
  { name: 'СНИЛС', content: (text) => /^\d{3}-?\d{3}-?\d{3}[ -]?\d{2}$/.test(text) },
  { name: 'Полис ОМС', content: (text) => digitsOf(text).length === 16 },
  { name: 'Электронная почта', content: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) },
  { name: 'Телефон', content: (text) => /^[+\d][\d\s()-]+$/.test(text) && [10, 11].includes(digitsOf(text).length) },
  { name: 'ФИО', content: (text) => /^\p{Lu}[\p{L}-]+ \p{Lu}[\p{L}-]+ \p{Lu}[\p{L}-]+$/u.test(text) },
  { name: 'Пол', content: (text) => /^(м|ж|муж|жен|мужской|женский)\.?$/i.test(text) },
  { name: 'Дата рождения', content: (text) => readDay(text) !== undefined },
  { name: 'Дата', content: (text) => readDay(text) !== undefined },
  { name: 'Время', content: (text) => /^\d{1,2}:\d{2}(:\d{2})?$/.test(text) },
  { name: 'Файл', content: (text) => /\.\w{2,5}$/.test(text) },
  { name: 'Цена', content: (text) => readMoney(text) !== undefined && Number(readMoney(text)) >= 50 },
]

/** The matching of a file as a profile has it: our columns by the heads of theirs. */
export function columnsOfMapping(
  head: readonly HeadColumn[],
  mapping: Readonly<Record<string, number>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([name, at]) => {
      const title = head[at]?.name
      return title ? [[name, [title.slice(0, 200)]]] : []
    }),
  )
}
