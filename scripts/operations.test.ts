/** Checks docs/operations.md: its commands, settings, paths, links and quoted texts of the product exist. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@ordinator/model/page'
import { pages } from '@ordinator/model/pages'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const TASKS = 'docs/operations.md'
const operator = [TASKS, 'docs/operations-reference.md', 'deploy/README.md']
const deployed = readdirSync(join(ROOT, 'deploy'), { withFileTypes: true })
  .filter((one) => one.isFile())
  .map(({ name }) => read(`deploy/${name}`))

/** Sources with texts of the product, each in one line. */
const sources = [
  ...globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (path) => !/\.test\.|\/testing\//.test(path),
  ),
  ...globSync('scripts/*.mjs', { cwd: ROOT }),
].map((path) => read(path).replace(/\s+/g, ' '))
const all = sources.join('\n')

/** Settings read by libraries. */
const outside = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_EXTRA_CA_CERTS'])
const simulators = globSync('apps/server/src/testing/*Simulator.ts', { cwd: ROOT }).map(read).join('\n')
const config = new Set(
  [...read('apps/server/src/platform/configSchema.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(([, name]) => name),
)
const isSetting = (name: string): boolean =>
  config.has(name) ||
  outside.has(name) ||
  simulators.includes(`env.${name}`) ||
  deployed.some((text) => text.includes(`\${${name}:-`) || text.includes(`{$${name}:`))

/** Distinct matches of the first group. */
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, group]) => group as string)),
]

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
const headingsOf = (text: string): string[] => found(text.replace(/^```[\s\S]*?^```/gm, ''), /^#{1,6} (.+)$/gm)

describe.each(operator)('%s', (path) => {
  const text = read(path).replace(/^ *```sql\n[\s\S]*?^ *```$/gm, '')

  test('its npm commands exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    expect(found(text, /\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([])
  })

  test('its settings exist', () => {
    const named = [
      ...found(text, /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g),
      ...found(text, /`([A-Z]{3,})(?:=[^`]*)?`/g),
      ...found(text, /^ *(?:export )?([A-Z]{3,})=/gm),
    ]
    expect(named.filter((name) => !isSetting(name))).toEqual([])
  })

  test('its files of deploy/ exist', () => {
    const named = found(text, /\bdeploy\/([\w.-]*\w)/g)
    expect(named.filter((name) => !existsSync(join(ROOT, 'deploy', name)))).toEqual([])
  })

  test('its links lead somewhere', () => {
    const lost = found(text, /\]\((?!https?:)([^)\s]+)\)/g).filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file ? join(dirname(path), file) : path
      if (!existsSync(join(ROOT, target))) return true
      return anchor !== undefined && !headingsOf(read(target)).map(anchorOf).includes(anchor)
    })
    expect(lost).toEqual([])
  })
})

describe('the tasks of an operator', () => {
  const text = read(TASKS)

  test('the task list names every task', () => {
    const tasks = found(text, /^## (.+)$/gm)
    expect(found(text, /^- \[(.+?)\]\(#/gm)).toEqual(tasks)
  })

  test('every file of deploy/ has its task', () => {
    const left = readdirSync(join(ROOT, 'deploy')).filter((name) => !text.includes(name) && name !== 'README.md')
    // The image is built by compose.
    expect(left).toEqual(['Dockerfile'])
  })

  test('paths are those of the deployment files', () => {
    const named = found(text, /(\/etc\/[\w./-]*\w|\/(?:opt|var\/lib)\/ordinator[\w.-]*)/g)
    const known = deployed.join('\n')
    // Former folders are renamed with this suffix.
    const plain = named.map((path) => path.replace(/\.old$/, ''))
    expect(plain.filter((path) => !known.includes(path))).toEqual([])
  })

  test('pages of the settings exist', () => {
    const titles = (pages as readonly Page[]).filter(({ section }) => section === 'settings').map(({ title }) => title)
    expect(found(text, /«Настройки → ([^»]+)»/g).filter((title) => !titles.includes(title))).toEqual([])
  })

  test('quoted words are the words of the program', () => {
    const own = headingsOf(text)
    const unknown = found(text, /«([^«»]+(?:«[^»]*»[^«»]*)*)»/g)
      .filter((words) => !own.includes(words))
      .flatMap((words) => words.replace(/^Настройки → /, '').split('…'))
      .map((part) => part.trim())
      .filter((part) => part && !all.includes(part))
    expect(unknown).toEqual([])
  })

  test('commands are valid shell', () => {
    const blocks = found(text, /^ *```sh\n([\s\S]*?)^ *```$/gm)
    expect(blocks.length).toBeGreaterThan(20)
    for (const block of blocks) execFileSync('bash', ['-n'], { input: block })
  })
})

test('every line of docs/security.md names tests that exist', () => {
  const lines = read('docs/security.md')
    .split('\n')
    .filter((line) => /^\| V\d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  // All chapters of ASVS 5.0.
  const chapters = new Set(lines.map(([, section = '']) => /^V(\d+)/.exec(section)?.[1]))
  expect([...chapters].map(Number)).toEqual(Array.from({ length: 17 }, (_, at) => at + 1))
  for (const [, section = '', measures = '', tests = ''] of lines) {
    const named = found(tests, /`([^`]+)`/g)
    expect(named.length > 0 || measures === 'None is used', section).toBe(true)
    for (const one of named) {
      const path = /^(apps|packages|scripts)\//.test(one) ? one : `apps/server/src/${one}`
      expect([section, one, existsSync(join(ROOT, path))]).toEqual([section, one, true])
    }
  }
})
