/** Publishing and withdrawing pages. */
import { filesOf } from '@ordinator/model/areas/site/blocks'
import { siteCalls } from '@ordinator/model/areas/site/calls'
import { SitePage, SiteRedirect, SiteVersion } from '@ordinator/model/areas/site/page'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

/** Maximum number of stored versions of a page; the current one always stays. */
const MAX_VERSIONS = 200

type Page = Row<typeof SitePage>

/** Publishes the saved draft. @throws ValidationError without an address, HttpError 409 if it has changed meanwhile */
export async function publishPage(records: Records, tx: Tx, id: number, version?: number): Promise<Page> {
  await tx.query(sql`select 1 from client_pages where "id" = ${id} for update`)
  const page = await records.row(SitePage, id)
  if (version !== undefined && page._version !== version) throw changed()
  if (!page.isHome && !page.slug) throw new ValidationError([{ field: 'slug', message: 'Укажите адрес на сайте' }])
  if (!(page.blocks ?? []).some(({ isOff }) => !isOff))
    throw new ValidationError([{ field: 'blocks', message: 'На странице пусто: добавьте хотя бы один блок' }])
  const last = await tx.one<{ number: number }>(
    sql`select coalesce(max("number"), 0)::int as number from client_versions where "idPage" = ${id}`,
  )
  const former = await tx.one<{ id: number; slug: string | null }>(
    sql`select "id", "slug" from client_versions where "idPage" = ${id} and "isCurrent"`,
  )
  if (page.slug) await refuseTaken(tx, id, page.slug)
  const number = (last?.number ?? 0) + 1
  const { title, slug, blocks, seoTitle, seoDescription, noIndex, place } = page
  if (former) await records.asSystem.update(SiteVersion, former.id, { isCurrent: false })
  await records.asSystem.create(SiteVersion, {
    ...{ idPage: id, number, title, slug, blocks: blocks ?? [], seoTitle, seoDescription, noIndex, place },
    isCurrent: true,
    files: filesOf(blocks ?? []),
  })
  await records.asSystem.deleteWhere(
    SiteVersion,
    ({ row }) =>
      sql`${row}."idPage" = ${id} and ${row}."number" <= ${number - MAX_VERSIONS} and not ${row}."isCurrent"`,
  )
  await leadOn(records, tx, former?.slug ?? null, slug)
  return records.asSystem.update(SitePage, id, {
    publishedNumber: number,
    isChanged: false,
    datePublished: new Date().toISOString(),
  })
}

/** Another page keeps the address until it is published with its new one. */
async function refuseTaken(tx: Tx, id: number, slug: string): Promise<void> {
  const other = await tx.one<{ title: string }>(sql`select p."title" from client_versions v
    join client_pages p on p."id" = v."idPage" where v."isCurrent" and v."slug" = ${slug} and v."idPage" <> ${id}`)
  if (!other) return
  const message = `По этому адресу на сайте стоит «${other.title}»: опубликуйте её с новым адресом или снимите с сайта`
  throw new ValidationError([{ field: 'slug', message }])
}

/** Redirects the former address of a page to the new one, and removes redirects from the new one. */
async function leadOn(records: Records, tx: Tx, from: string | null, to: string | null): Promise<void> {
  if (!to) return
  const own = await tx.one<{ id: number }>(
    sql`select "id" from client_redirects where lower("from") = ${`/${to}`} and not "deleted"`,
  )
  if (own) await records.asSystem.remove(SiteRedirect, own.id)
  if (!from || from === to) return
  const other = await tx.one<{ id: number }>(
    sql`select "id" from client_redirects where lower("from") = ${`/${from}`} and not "deleted"`,
  )
  if (other) await records.asSystem.update(SiteRedirect, other.id, { to: `/${to}` })
  else await records.asSystem.create(SiteRedirect, { from: `/${from}`, to: `/${to}` })
}

const changed = () =>
  new HttpError(409, 'Страницу изменил другой сотрудник: посмотрите, что изменилось', { code: 'stale' })

export const publish = operation(siteCalls.publish, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    await inside.row(SitePage, params.id)
    return publishPage(inside, tx, params.id, body._version)
  }),
)

export const unpublish = operation(siteCalls.unpublish, ({ records, params }) =>
  records.tx(async (inside, tx) => {
    const page = await inside.row(SitePage, params.id)
    if (page.isHome) throw new HttpError(409, 'Главную страницу снять нельзя: закройте сайт в оформлении')
    const current = await tx.one<{ id: number }>(
      sql`select "id" from client_versions where "idPage" = ${page.id} and "isCurrent" for update`,
    )
    if (current) await inside.asSystem.update(SiteVersion, current.id, { isCurrent: false })
    return inside.asSystem.update(SitePage, page.id, { publishedNumber: null, isChanged: true })
  }),
)

export const restore = operation(siteCalls.restore, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const page = await inside.row(SitePage, params.id)
    if (page._version !== body._version) throw changed()
    const former = await tx.one<Row<typeof SiteVersion>>(
      sql`select * from client_versions where "idPage" = ${page.id} and "number" = ${body.number}`,
    )
    if (!former) throw notFound('Такой версии нет')
    const { title, slug, blocks, seoTitle, seoDescription, noIndex, place } = former
    return inside.update(SitePage, page.id, { title, slug, blocks, seoTitle, seoDescription, noIndex, place })
  }),
)
