/**
 * `npm run pictures`: the three pictures of the README, taken of a fresh demo clinic. Run it when these screens change, and
 * commit the pictures.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withDemo } from './demoClinic.mjs'
import { buildWeb, install, ROOT, script } from './prepare.mjs'

const FOLDER = join(ROOT, 'docs/pictures')
const WINDOW = { width: 1440, height: 900 }
const QUALITY = 80

/** Each picture: the demo user, the page, and what is opened there. */
const pictures = {
  day: { login: 'registrar', path: 'calendar' },
  chat: {
    login: 'operator',
    path: 'live-assist?tab=active',
    open: (page) =>
      page
        .getByRole('complementary', { name: 'Список чатов' })
        .getByRole('listitem')
        .first()
        .getByRole('button')
        .first()
        .click(),
  },
  dashboard: { login: 'manager', path: '' },
}

await script(async () => {
  await install()
  await buildWeb()
  mkdirSync(FOLDER, { recursive: true })
  await withDemo(async (enter) => {
    for (const [name, { login, path, open }] of Object.entries(pictures)) {
      const { page, see, loaded } = await enter(login, WINDOW)
      await see(path)
      await open?.(page)
      if (open) await loaded()
      await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: QUALITY })
      console.log(name)
    }
  })
  console.log(`\nСнимки: ${FOLDER}`)
})
