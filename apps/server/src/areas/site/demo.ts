import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { News } from '@ordinator/model/areas/news/news'
import { SiteDocument, SiteFile, SitePage } from '@ordinator/model/areas/site/page'
import { SitePolicy } from '@ordinator/model/areas/site/policy'
import { SiteTheme } from '@ordinator/model/areas/site/theme'
import { User } from '@ordinator/model/areas/staff/user'
import sql, { raw } from 'sql-template-tag'
import { keep } from '#areas/files/index.ts'
import type { Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { blocksOf, demoDocuments, demoPages, demoPolicies } from './demoPages.ts'
import { publishPage } from './publish.ts'

/** Number of the clinic's records shown to visitors. */
const DOCTORS = 12
const NEWS = 4
const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole' }

/** The demo clinic's site: published pages, documents with one obligatory missing, doctors and news for visitors. */
export async function demo(records: Records, app: AppContext, tx: Tx): Promise<void> {
  const keeper = await tx.one<{ id: number }>(sql`select "id" from users order by "id" limit 1`)
  if (!keeper) return
  const own = records.as({ ...systemActor, id: keeper.id })
  const system = own.asSystem
  await system.updateWhere(
    User,
    ({ row }) => sql`${row}."id" in (select u."id" from users u where u."idSpeciality" is not null and not u."deleted"
      and not u."isBlocked" order by u."id" limit ${DOCTORS})`,
    { isOnSite: true },
    pastHooks,
  )
  await system.updateWhere(
    News,
    ({ row }) =>
      sql`${row}."id" in (select n."id" from news n where n."active" and not n."deleted" order by n."dateActive" desc limit ${NEWS})`,
    { isOnSite: true },
    pastHooks,
  )
  await system.updateWhere(
    Service,
    ({ row }) =>
      sql`${row}."id" in (select s."id" from services s where s."activeShop" and s."serviceCategory" = 0 order by s."id" limit 1)`,
    { friendlyUrl: 'pervichnyj-priem' },
    pastHooks,
  )
  const theme = await tx.one<{ id: number }>(raw(`select "id" from client_theme order by "id" limit 1`))
  if (theme)
    await system.update(SiteTheme, theme.id, {
      isActive: true,
      tagline: 'Три филиала, приём каждый день',
      phone: '+78462005050',
      footer: 'Имеются противопоказания. Необходима консультация специалиста.',
    })
  const idFile = await drawBanner(own, app)
  const home = await tx.one<{ id: number }>(raw(`select "id" from client_pages where "isHome"`))
  for (const { blocks: drafts, slug, ...page } of demoPages) {
    const contents = { ...page, blocks: blocksOf(drafts, idFile) }
    const id =
      slug === null && home
        ? (await system.update(SitePage, home.id, contents)).id
        : (await system.create(SitePage, { ...contents, slug })).id
    await publishPage(own, tx, id)
  }
  await system.create(SitePage, {
    title: 'Новый филиал',
    slug: 'novyj-filial',
    blocks: blocksOf([['text', { title: null, text: '<p>Расскажем, когда откроемся.</p>' }]], idFile),
  })
  for (const one of demoDocuments) await system.create(SiteDocument, { ...one, isPublished: true })
  for (const one of demoPolicies) await system.create(SitePolicy, { ...one, isPublished: true })
}

const WIDTH = 1200
const HEIGHT = 860

/** A picture without text: a light hall. */
async function drawBanner(records: Records, app: AppContext): Promise<number> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="a" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#e3f3f5"/><stop offset="1" stop-color="#9fd3da"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#a)"/>
    <rect x="90" y="90" width="300" height="420" rx="16" fill="#fff" opacity=".75"/><rect x="430" y="90" width="300" height="420" rx="16" fill="#fff" opacity=".55"/>
    <rect x="0" y="640" width="1200" height="220" fill="#0b7285" opacity=".22"/>
    <rect x="640" y="470" width="470" height="210" rx="26" fill="#0b7285" opacity=".85"/><rect x="600" y="440" width="550" height="46" rx="20" fill="#094f5c"/>
    <circle cx="960" cy="230" r="92" fill="#fff" opacity=".9"/><path d="M960 180v100M910 230h100" stroke="#0b7285" stroke-width="26" stroke-linecap="round"/>
  </svg>`
  // A server without the demo clinic works without the library.
  const { default: sharp } = await import('sharp')
  return app.scratch.use(async (folder) => {
    const path = join(folder, 'hall.jpg')
    await sharp(Buffer.from(svg)).jpeg({ quality: 78 }).toFile(path)
    const { size } = await stat(path)
    return (await keep(SiteFile, app, records, { path, size, name: 'hall.jpg' })).id
  })
}
