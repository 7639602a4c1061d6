/** Preview of a draft, rendered by the code of the published page. */
import { checkBlocks } from '@ordinator/model/areas/site/blocks'
import { siteCalls } from '@ordinator/model/areas/site/calls'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { layout } from './layout.ts'
import type { Making } from './parts.ts'
import { readSite } from './reads.ts'
import { cleaned } from './records.ts'
import { drawPage } from './screens.ts'

export const preview = operation(siteCalls.preview, async ({ app, body }) => {
  const read = checkBlocks(body.blocks)
  if (!read.blocks)
    throw new ValidationError(
      read.errors.slice(0, 20).map(({ id, at, message }) => ({ field: `blocks.${id ?? 0}.${at}`, message })),
    )
  const blocks = cleaned(read.blocks)
  const site = await readSite(app.db.reads)
  const origin = `${app.config.publicUrl.replace(/\/$/, '')}/site`
  const making: Making = { place: { base: '/site', origin }, site, secret: app.config.secret }
  const sheet = await drawPage({ ...making, db: app.db.reads }, { blocks }, body.isHome)
  const { html } = layout(making, {
    title: body.title || 'Без названия',
    ...(!body.isHome && { crumbs: [] }),
    ...sheet,
  })
  return { html }
})
