/**
 * `npm run guide [page]`: screenshots of the menu's pages for the guide, taken of a fresh demo clinic as its administrator,
 * so that they stay true. They are not committed: sixty pictures change with every screen. They go to `.cache/guide`, and
 * the next build of the web bundles those that are there.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withDemo } from './demoClinic.mjs'
import { buildWeb, Failure, install, ROOT, script } from './prepare.mjs'

const FOLDER = join(ROOT, '.cache/guide')
/** Pixels of a window: that of a picture too. */
const WINDOW = { width: 1120, height: 700 }
const QUALITY = 72

await script(async () => {
  const [only] = process.argv.slice(2)
  await install()
  await buildWeb()
  const { pages } = await import('../packages/model/src/pages.ts').catch(() => {
    throw new Failure('Для снимков нужен Node 24: npm run guide')
  })
  mkdirSync(FOLDER, { recursive: true })
  await withDemo(async (enter) => {
    const { page, see } = await enter('admin', WINDOW)
    for (const { key, path } of pages.filter(({ key, menu }) => (only ? key === only : menu))) {
      await see(path)
      await page.screenshot({ path: join(FOLDER, `${key}.jpg`), type: 'jpeg', quality: QUALITY })
      console.log(key)
    }
  })
  console.log(`\nСнимки: ${FOLDER}. В справку они встанут со следующей сборкой: npm run build`)
})
