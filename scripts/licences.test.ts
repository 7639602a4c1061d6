/** What is delivered may be delivered: no package is under GPL or AGPL, and each says what it is under. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { packagesOf } from './packages.mjs'

/** Permissive licences, fonts', and MPL and LGPL, whose packages are used as they come and may be replaced. */
const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['Unlicense', 'CC0-1.0', 'Python-2.0', 'OFL-1.1', 'Bitstream-Vera', 'MPL-2.0', 'LGPL-3.0-or-later'],
])
/** Packages whose licence stands in a file of theirs alone. */
const inFile: Readonly<Record<string, string>> = { 'png-js': 'MIT', 'dejavu-fonts-ttf': 'Bitstream-Vera' }

/** Of an SPDX expression: one of its ways, each part of it, is allowed. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((way) => way.split(/ AND /i).every((one) => allowed.has(one.trim())))

test('of every package', () => {
  const refused = packagesOf().flatMap(({ name, version, licence }) => {
    const known = inFile[name] ?? licence ?? 'не названа'
    return isAllowed(known) ? [] : [`${name}@${version}: ${known}`]
  })
  expect(refused).toEqual([])
})

test.each<[string, boolean]>([
  ['GPL-3.0-only', false],
  ['AGPL-3.0-or-later', false],
  ['(MIT OR GPL-3.0-or-later)', true],
  ['MIT AND GPL-2.0', false],
  ['не названа', false],
])('%s: %s', (expression, expected) => expect(isAllowed(expression)).toBe(expected))

test('npm run sbom names them all, as CycloneDX', () => {
  const text = execFileSync(process.execPath, ['scripts/sbom.mjs'], { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' })
  const { bomFormat, specVersion, components } = JSON.parse(text)
  expect([bomFormat, specVersion, components.length]).toEqual(['CycloneDX', '1.6', packagesOf().length])
  const fastify = components.find(({ name }: { name: string }) => name === 'fastify')
  expect(fastify.purl).toMatch(/^pkg:npm\/fastify@\d/)
  expect(new Set(components.map((one: { 'bom-ref': string }) => one['bom-ref'])).size).toBe(components.length)
})
