/**
 * `npm run look [page] [role]`: screenshots of every page and its declared dialogs, in both schemes at both widths, and a
 * table of automatic findings. Without a role: everything as `admin`, and the pages as each of the other roles. Findings
 * never fail the command; `npm test` has the checks.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb, Failure, install, NODE, ROOT, run, script } from './prepare.mjs'

const FOLDER = join(ROOT, '.cache/look')

await script(async () => {
  const [page, role] = process.argv.slice(2)
  await install()
  await buildWeb()
  rmSync(FOLDER, { recursive: true, force: true })
  const asked = { LOOK_DIR: FOLDER, LOOK_PAGE: page ?? '', LOOK_ROLE: role ?? '' }
  const cli = join(ROOT, 'node_modules/playwright/cli.js')
  const failed = await run(
    NODE,
    [cli, 'test', '--config', 'e2e/playwright.config.ts', 'look.e2e.ts', '--reporter=line'],
    {
      env: { ...process.env, NO_COLOR: undefined, ...asked },
    },
  ).then(
    () => undefined,
    (error) => error,
  )
  const { contactSheet } = await import('../e2e/look/record.ts').catch(() => {
    throw new Failure('Для осмотра нужен Node 24: npm run look')
  })
  if (!existsSync(FOLDER))
    throw new Failure(
      `Нечего осматривать: страница «${page ?? 'любая'}», роль «${role ?? 'любая'}». Ключи страниц — в packages/model/src/areas/*/pages.ts.`,
    )
  for (const line of contactSheet(FOLDER)) console.log(line)
  console.log(`\nКартинки: ${join(FOLDER, 'index.html')}`)
  if (failed) throw failed
})
