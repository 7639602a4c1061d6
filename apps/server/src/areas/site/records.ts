/** Records of the site: allowed changes, and their publication. */
import { type Block, checkBlocks, filesOf, isLink, mapValues } from '@ordinator/model/areas/site/blocks'
import {
  SiteDocument,
  SiteFile,
  SitePage,
  SitePageFile,
  SiteRedirect,
  SiteVersion,
} from '@ordinator/model/areas/site/page'
import { SiteAcceptance, SitePolicy } from '@ordinator/model/areas/site/policy'
import { redirectError, siteAddress } from '@ordinator/model/areas/site/redirects'
import { colourErrors, SiteTheme } from '@ordinator/model/areas/site/theme'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { announce } from '#platform/fanout.ts'
import { isProductHost } from '#platform/hostRouting.ts'
import { records, type WriteContext } from '#records/define.ts'
import { sideOf } from '#records/fields/registry.ts'
import { searchTarget } from '#records/searchTarget.ts'
import { policyInForce } from './reads.ts'

/** Fields whose change affects the published page. */
const contents = ['title', 'slug', 'blocks', 'seoTitle', 'seoDescription', 'noIndex', 'place'] as const

/** Blocks sanitised for display. @throws ValidationError */
export const cleaned = (blocks: readonly Block[]) =>
  mapValues(blocks, (one, f) => {
    const { kept, refuses } = sideOf(f)
    const refusal = one === null ? undefined : refuses?.(one)
    if (refusal) throw at('blocks', refusal)
    return one === null || !kept ? one : kept(one)
  })

export const pages = records(SitePage, {
  found: searchTarget('clientPage', { group: 'Страницы сайта', by: ['title'] }),
  hooks: {
    prepare(value, before) {
      if (value.slug === '') value.slug = null
      if (before?.isHome && value.slug) throw at('slug', 'Главная страница стоит по адресу самого сайта')
      if (!before?.isHome && value.slug === null && before?.publishedNumber)
        throw at('slug', 'У опубликованной страницы должен быть адрес')
      if (value.blocks) {
        const read = checkBlocks(value.blocks)
        if (!read.blocks) throw at('blocks', read.errors[0]?.message ?? 'Блоки не прочитать')
        value.blocks = cleaned(read.blocks)
      }
    },
    afterCreate: (context, row) => holdFiles(context, row),
    beforeUpdate(_context, value) {
      if (contents.some((name) => value[name] !== undefined)) Object.assign(value, { isChanged: true })
    },
    async afterUpdate(context, row, before) {
      if (row.blocks !== before.blocks) await holdFiles(context, row)
    },
    async afterDelete({ records: own }, { id }) {
      await own.asSystem.updateWhere(SiteVersion, ({ row }) => sql`${row}."idPage" = ${id} and ${row}."isCurrent"`, {
        isCurrent: false,
      })
    },
    async afterRestore({ records: own }, { id }) {
      await own.asSystem.update(SitePage, id, { publishedNumber: null, datePublished: null, isChanged: true })
    },
  },
})

const at = (field: string, message: string): ValidationError => new ValidationError([{ field, message }])

/** Attaches the files in a page to it; a missing file is refused. */
async function holdFiles(
  { tx, records: own }: WriteContext,
  { id, blocks }: Pick<Row<typeof SitePage>, 'id' | 'blocks'>,
) {
  const named = filesOf(blocks ?? [])
  if (named.length === 0) return
  const there = await tx.query<{
    id: number
    held: boolean
  }>(sql`select f."id", exists (select 1 from client_page_files h
      where h."idPage" = ${id} and h."idFile" = f."id" and not h."deleted") as held
    from client_files f where f."id" = any (${named}::bigint[]) and not f."deleted"`)
  const lost = named.find((one) => !there.some((file) => file.id === one))
  if (lost !== undefined) throw at('blocks', `Файл № ${lost} не найден: загрузите картинку заново`)
  for (const { id: idFile } of there.filter(({ held }) => !held))
    await own.asSystem.create(SitePageFile, { idPage: id, idFile })
}

export const versions = records(SiteVersion)
export const siteFiles = fileRecords(SiteFile)
export const pageFiles = records(SitePageFile)

/** Redirects must not form a cycle, also under concurrent writes. */
export const redirects = records(SiteRedirect, {
  hooks: {
    prepare(value) {
      for (const name of ['from', 'to'] as const)
        if (/%(?![0-9a-f]{2})/i.test(value[name] ?? ''))
          throw at(name, 'После % нужны две цифры кода; сам знак процента пишут %25')
      if (value.from !== undefined) value.from = siteAddress(value.from)
      if (value.to !== undefined && !isLink(value.to)) throw at('to', 'Адрес начинается с / или https://')
      if (value.to?.startsWith('/')) value.to = siteAddress(value.to)
    },
    async beforeCreate(context, value) {
      await refuseCircles(context, value)
    },
    async beforeUpdate(context, value, before) {
      await refuseCircles(context, { ...before, ...value }, before.id)
    },
    afterRestore: (context, row) => refuseCircles(context, row, row.id),
  },
})

async function refuseCircles(
  { tx }: WriteContext,
  { from, to }: { from: string; to: string },
  id?: number,
): Promise<void> {
  await tx.query(raw(`select pg_advisory_xact_lock(hashtextextended('site redirects', 0))`))
  // Follows the target of the new one step by step, up to the limit of browsers.
  const way = await tx.query<{ from: string; to: string }>(sql`with recursive way as (
      select r."from", r."to", 1 as step from client_redirects r
        where lower(r."from") = ${siteAddress(to)} and not r."deleted" and r."id" is distinct from ${id ?? null}::bigint
      union all select r."from", r."to", w.step + 1 from way w join client_redirects r on lower(r."from") = lower(w."to")
        where not r."deleted" and r."id" is distinct from ${id ?? null}::bigint and w.step < ${MAX_STEPS})
    select "from", "to" from way`)
  if (way.length >= MAX_STEPS) throw at('to', `Не больше ${MAX_STEPS} переадресаций одна за другой`)
  const wrong = redirectError(from, to, new Map(way.map((one) => [siteAddress(one.from), one.to])))
  if (wrong) throw at(wrong.field, wrong.message)
}
const MAX_STEPS = 5

export const documents = records(SiteDocument, {
  found: searchTarget('clientDocuments', { group: 'Документы сайта', by: ['title'] }),
  hooks: {
    prepare(value, before) {
      const now = { ...before, ...value }
      if (now.isPublished && !now.idFile && !now.description)
        throw at('idFile', 'Чтобы опубликовать, приложите файл или напишите описание')
      if (now.date && now.validTo && now.validTo < now.date) throw at('validTo', 'Раньше, чем дата документа')
    },
  },
})

export const policies = records(SitePolicy, {
  computed: {
    isInForce: ({ row }) => policyInForce(row),
    acceptedCount: ({ row }) => sql`(select count(*)::int from client_acceptances a where a."idPolicy" = ${row}."id")`,
  },
  hooks: {
    async beforeCreate({ tx }, value) {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`site policy ${value.kind}`}, 0))`)
      const last = await tx.one<{ number: number }>(
        sql`select coalesce(max("number"), 0)::int as number from client_policies where "kind" = ${value.kind}`,
      )
      Object.assign(value, { number: (last?.number ?? 0) + 1 })
    },
    beforeUpdate(_context, value, before) {
      if (
        before.isPublished &&
        (['text', 'dateFrom', 'isPublished'] as const).some(
          (name) => value[name] !== undefined && value[name] !== before[name],
        )
      )
        throw new HttpError(409, 'Опубликованная версия не меняется: добавьте новую', { code: 'published' })
    },
  },
})

export const acceptances = records(SiteAcceptance)

/** A single row, which is only updated. */
export const theme = records(SiteTheme, {
  hooks: {
    beforeUpdate({ publicUrl = '' }, value, before) {
      if (value.host) value.host = new URL(`http://${value.host}`).hostname.replace(/^www\./, '')
      if (value.host && isProductHost(publicUrl, value.host))
        throw at('host', 'По этому имени открывается сама программа: сайту нужно другое')
      const errors = colourErrors({ ...before, ...value })
      if (errors.length) throw new ValidationError(errors)
    },
    afterUpdate: ({ tx }, row, before) => (row.host === before.host ? undefined : announce(tx, 'site.host', [''])),
  },
})
