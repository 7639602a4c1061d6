/** Scope of the changes since the main branch: files, browser tests, pages. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, NODE, ROOT } from './prepare.mjs'

const E2E = join(ROOT, 'e2e')
const LOOK = 'e2e/look.e2e.ts'

/** @returns `since` the base commit; `specs` browser test files; `pages` keys of the pages to check */
export function changes() {
  const since = ['origin/main', 'main'].map(mergeBase).find(Boolean)
  if (!since) throw new Failure('Нет ветки main, с которой можно сравнить.')
  const files = [...lines('diff', '--name-only', since), ...lines('ls-files', '--others', '--exclude-standard')]
  return { since, files, ...browserOf(files, listPages()) }
}

/**
 * @param files changed paths from the root
 * @param pages `[{ key, path, area }]`
 * @param texts the browser test files, `[{ file, text }]`
 */
export function browserOf(files, pages, texts = readSpecs()) {
  const areas = new Set(
    files.flatMap((file) => file.match(/^(?:apps|packages)\/.*?\/src\/areas\/([^/]+)\//)?.[1] ?? []),
  )
  const own = pages.filter(({ area }) => areas.has(area))
  const names = [
    ...own.flatMap(({ path }) => (path ? [`/app/${path.replace(/\/?[:$].*/, '')}`] : [])),
    ...[...areas].map((area) => `/areas/${area}/`),
  ]
  const specs = texts.flatMap(({ file, text }) =>
    file !== LOOK && (files.includes(file) || names.some((name) => text.includes(name))) ? [file] : [],
  )
  return { specs: own.length > 0 ? [...specs, LOOK] : specs, pages: own.map(({ key }) => key) }
}

const readSpecs = () =>
  readdirSync(E2E)
    .filter((name) => name.endsWith('.e2e.ts'))
    .map((name) => ({ file: `e2e/${name}`, text: readFileSync(join(E2E, name), 'utf8') }))

/**
 * Reads the model's page list (TypeScript) with the pinned Node. The area of a page is the folder of its screen, or, where
 * the screen is derived, of its declaration.
 */
function listPages() {
  const program = `import { pages } from './packages/model/src/pages.ts'
    console.log(JSON.stringify(pages.map(({ key, path }) => ({ key, path }))))`
  const { stdout, status } = spawnSync(NODE, ['--input-type=module', '-e', program], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Failure('Список страниц не читается (packages/model/src/pages.ts).')
  const texts = [
    ['apps/web/src/areas', 'area.ts'],
    ['packages/model/src/areas', 'pages.ts'],
  ].flatMap(([folder, file]) =>
    readdirSync(join(ROOT, folder)).flatMap((area) => {
      const path = join(ROOT, folder, area, file)
      return existsSync(path) ? [[area, readFileSync(path, 'utf8')]] : []
    }),
  )
  return JSON.parse(stdout).map((page) => {
    const names = new RegExp(`\\b(?:${page.key}: \\(\\)|key: '${page.key}')`)
    return { ...page, area: texts.find(([, text]) => names.test(text))?.[0] }
  })
}

const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const mergeBase = (branch) => git('merge-base', 'HEAD', branch).stdout.trim()
const lines = (...args) =>
  git(...args)
    .stdout.split('\n')
    .filter(Boolean)
