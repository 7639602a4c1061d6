/** Licences of delivered packages: no GPL or AGPL, and each package declares one. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { packagesOf } from './packages.mjs'

/** Permissive licences, font licences, and MPL and LGPL, whose packages are used unmodified and can be replaced. */
const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['Unlicense', 'CC0-1.0', 'Python-2.0', 'OFL-1.1', 'Bitstream-Vera', 'MPL-2.0', 'LGPL-3.0-or-later'],
])
/** Packages that declare their licence only in a file. */
const inFile: Readonly<Record<string, string>> = { 'png-js': 'MIT', 'dejavu-fonts-ttf': 'Bitstream-Vera' }

/** For an SPDX expression: every part of one alternative is allowed. */
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
